"""Questions of a published file become those of a workspace that holds their pictures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mira.errors import WorkspaceError
from mira.schema.finding import Finding
from mira.schema.qa import QAItem, QAPolicy, QASummary
from mira.store.workspace import Workspace
from qa_gen.published.items import published_items
from qa_gen.published.placing import Placing, Progress
from qa_gen.published.reading import read_published
from qa_gen.published.records import PublishedItem


class PublishedImport(NamedTuple):
    """What a published file held, and what became of it."""

    source: str
    """The file."""
    entries: int
    """Entries that could be read."""
    items: int
    """Items that they ask."""
    by_template: dict[str, int]
    """Items a template."""
    imported: int
    """Items that the workspace now holds."""
    findings: tuple[Finding, ...]
    """What could not be read, or not be placed in the workspace."""


def import_published(
    source: Path,
    workspace: Workspace | None = None,
    *,
    annotator: str | None = None,
    progress: Progress | None = None,
) -> PublishedImport:
    """Read a published file and, with a workspace, replace its questions by those of the file.

    An item needs its picture in the workspace, with an annotation that has the instances that it
    names: the boxes are taken from there. Items of reserved templates are read, but no release
    holds them, so they are left out.

    Args:
        source: The file, or a folder with it.
        workspace: Where the questions go; none only reads and checks.
        annotator: Whose annotation has the instances, where a picture has several.
        progress: Called with pictures done and pictures in all.

    Returns:
        Counts and findings. Where no item has a place, the questions stay as they were.

    Raises:
        QuestionsFileError: There is no such file, or it is no JSON list.
        WorkspaceError: No item has a place in the workspace.
    """
    file = read_published(source)
    read = published_items(file.questions, where=str(file.path))
    findings = [*file.findings, *read.findings]
    placed: list[QAItem] = []
    if workspace is not None:
        with workspace.lock():
            placing = Placing(workspace, annotator, file.path, findings)
            placed = list(placing.items(read.items, progress))
            if not placed:
                first = next((f.message for f in findings if f.code == "item-unplaced"), "")
                raise WorkspaceError(
                    workspace.root, f"has no place for any of {len(read.items)} items: {first}"
                )
            workspace.put_questions(placed, summary=lambda: _summary(placed))
    return PublishedImport(
        source=str(file.path),
        entries=len(file.questions),
        items=len(read.items),
        by_template=_by_template(read.items),
        imported=len(placed),
        findings=tuple(findings),
    )


def _by_template(items: Iterable[PublishedItem] | Iterable[QAItem]) -> dict[str, int]:
    return dict(sorted(Counter(item.template_id for item in items).items()))


def _summary(items: list[QAItem]) -> QASummary:
    golds: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        if item.answer.format in ("yes_no", "single_choice", "single_choice_plus_text"):
            golds[item.template_id][str(item.answer.value)] += 1
    return QASummary(
        policy=QAPolicy(),
        items=len(items),
        questions=sum(len(item.wordings) for item in items),
        by_template=_by_template(items),
        drops={},
        gold_positions={
            template_id: dict(sorted(counts.items()))
            for template_id, counts in sorted(golds.items())
        },
    )
