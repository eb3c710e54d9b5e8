"""Reviews of questions: files of verdicts into a workspace, and what they settle."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from mira.errors import MiraError
from mira.reviews import as_made, authors, edit_fault, item_sha8
from mira.schema.qa import QAItem, ReviewEvent
from mira.schema.record import Record, describe_fault
from mira.store.reviews import ReviewShelf, ReviewSummary, settle_items
from mira.store.workspace import Workspace
from qa_gen.answers.rows import Row, read_rows

_KNOWN = frozenset(
    {"item_id", "verdict", "reason", "doubts", "role", "by", "at", "edit", "item_sha8"}
)


class ReviewImport(Record):
    """What became of a file of verdicts."""

    rows: int
    """Rows read."""
    added: int
    """Verdicts that are new, or another than the person's last."""
    unchanged: int
    """Verdicts that are the person's last already."""
    faults: tuple[str, ...]
    """Rows that were not taken, each with its line and field."""
    is_kept: bool
    """Whether anything was written."""
    standing: ReviewSummary
    """Where the review stands now."""


def import_reviews(
    path: Path, workspace: Workspace, *, by: str | None, now: datetime, partial: bool = False
) -> ReviewImport:
    """Take verdicts from a file, all or none, and settle what they settle.

    Args:
        path: CSV or JSON lines.
        workspace: Locked while it is written.
        by: Who reviewed, as a code name, for rows that do not say.
        now: When, for rows that do not say.
        partial: Take the good rows of a file with faults.

    Raises:
        MiraError: The file cannot be read, or the workspace has no questions.
    """
    rows = list(read_rows(path, one_of=("verdict",)))
    with workspace.lock():
        wanted = {row.values.get("item_id") for row in rows}
        items = {item.item_id: item for item in workspace.items() if item.item_id in wanted}
        shelf = ReviewShelf(workspace)
        newest = {
            _whose(event): _content(event) for some in shelf.history().values() for event in some
        }
        found: dict[str, list[ReviewEvent]] = {}
        faults: list[str] = []
        unchanged = 0
        for row in rows:
            try:
                event = _event(row, items, by=by, now=now)
            except MiraError as fault:
                faults.append(str(fault))
                continue
            if newest.get(_whose(event)) == _content(event):
                unchanged += 1
                continue
            newest[_whose(event)] = _content(event)
            found.setdefault(event.reviewer, []).append(event)
        is_kept = partial or not faults
        if is_kept:
            for reviewer in sorted(found):
                shelf.add(reviewer, found[reviewer])
        return ReviewImport(
            rows=len(rows),
            added=sum(map(len, found.values())),
            unchanged=unchanged,
            faults=tuple(faults),
            is_kept=is_kept,
            standing=settle_items(workspace),
        )


def _event(row: Row, items: Mapping[str, QAItem], *, by: str | None, now: datetime) -> ReviewEvent:
    """The verdict of a row.

    Raises:
        MiraError: It names no item, an item of the reviewer's own or one that has changed since,
            or a column is not known.
    """
    values = row.values
    unknown = sorted(set(values) - _KNOWN)
    if unknown:
        raise MiraError(row.where, f"{unknown[0]}: expected a known column, found another name")
    item = items.get(str(values.get("item_id")))
    if item is None:
        problem = f"item_id: expected a question of the workspace, found {values.get('item_id')}"
        raise MiraError(row.where, problem)
    reviewer = values.get("by", by)
    if not isinstance(reviewer, str):
        raise MiraError(row.where, "by: expected who reviewed, found nothing", "give --by NAME")
    if reviewer in authors(item):
        problem = f"by: expected another person than the author of {item.item_id}, found {reviewer}"
        raise MiraError(row.where, problem)
    made = as_made(item)
    shown = item_sha8(made)
    if values.get("item_sha8", shown) != shown:
        problem = f"item_sha8: {item.item_id} is no longer what was reviewed"
        raise MiraError(row.where, problem, "review it again")
    content = {name: value for name, value in values.items() if name != "by"}
    content |= {"reviewer": reviewer, "at": values.get("at", now), "item_sha8": shown}
    if isinstance(doubts := values.get("doubts"), str):
        content["doubts"] = doubts.replace(",", " ").split()
    try:
        event = ReviewEvent.model_validate(content)
    except ValidationError as error:
        raise MiraError(row.where, describe_fault(error)) from None
    if fault := edit_fault(made, event):
        raise MiraError(row.where, f"edit: {fault}")
    return event


def _whose(event: ReviewEvent) -> tuple[str, str, str]:
    """Of the verdicts that have this in common, the newest counts."""
    return event.item_id, event.reviewer, event.role


def _content(event: ReviewEvent) -> str:
    """What tells verdicts apart, but for when they were read in."""
    return event.model_dump_json(exclude={"at"})
