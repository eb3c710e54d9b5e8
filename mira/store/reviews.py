"""What reviewers of a workspace said.

reviews/<person>.jsonl      ReviewEvent, one a line, in the order they were given
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mira.errors import RecordError
from mira.reviews import as_made, reviewed, standing
from mira.schema.qa import QAItem, ReviewEvent
from mira.schema.record import Record
from mira.store.atomic import write_file
from mira.store.names import require_name
from mira.store.workspace import Workspace


class ReviewSummary(Record):
    """Where the review of a workspace stands."""

    items: int
    """Questions in all."""
    waiting: int
    """Those that wait for verdicts."""
    disputed: int
    """Those that wait for an adjudicator."""
    accepted: int
    """Settled ones that go out."""
    rejected: int
    """Settled ones that do not."""
    corrected: int
    """Accepted ones that reviewers corrected."""


class ReviewShelf:
    """Reads and writes verdicts; writers hold the workspace's lock."""

    def __init__(self, workspace: Workspace) -> None:
        self._folder = workspace.root / "reviews"

    def reviewers(self) -> tuple[str, ...]:
        """Who gave verdicts, by name."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.jsonl")))

    def events(self, reviewer: str) -> Iterator[ReviewEvent]:
        """All verdicts of a person, in the order they were given.

        Raises:
            RecordError: A line is no verdict, or is another person's.
        """
        path = self._path(reviewer)
        if not path.is_file():
            return
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                event = ReviewEvent.from_json(line, where=f"{path}:{number}")
                if event.reviewer != reviewer:
                    problem = f"reviewer: expected {reviewer}, found {event.reviewer}"
                    raise RecordError(f"{path}:{number}", problem)
                yield event

    def history(self) -> dict[str, list[ReviewEvent]]:
        """All verdicts by item, in the order of time."""
        found: dict[str, list[ReviewEvent]] = {}
        for reviewer in self.reviewers():
            for event in self.events(reviewer):
                found.setdefault(event.item_id, []).append(event)
        for events in found.values():
            events.sort(key=lambda event: event.at)
        return found

    def add(self, reviewer: str, events: Iterable[ReviewEvent]) -> None:
        """Add verdicts of a person after those that are there, all or none."""
        path = self._path(reviewer)
        before = path.read_bytes() if path.is_file() else b""
        lines = b"".join(event.model_dump_json().encode() + b"\n" for event in events)
        write_file(path, before + lines)

    def _path(self, reviewer: str) -> Path:
        return self._folder / f"{require_name(reviewer)}.jsonl"


def settle_items(workspace: Workspace) -> ReviewSummary:
    """Bring questions to where their reviews stand; the workspace's lock is held.

    Items that changed since somebody looked at them wait again.
    """
    history = ReviewShelf(workspace).history()
    tally = _Tally()
    workspace.replace_items(
        tally.counted(item, history.get(item.item_id, ())) for item in workspace.items()
    )
    return tally.summary()


class _Tally:
    """Counts where items stand as they pass."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def counted(self, item: QAItem, events: Sequence[ReviewEvent]) -> QAItem:
        """The item as review leaves it."""
        made = as_made(item)
        found = reviewed(made, events) if events else made
        state = standing(made, events).state
        self._counts.update(("items", state if state != "settled" else found.review))
        self._counts["corrected"] += found.original is not None
        return found

    def summary(self) -> ReviewSummary:
        """What was counted."""
        return ReviewSummary(**{name: self._counts[name] for name in ReviewSummary.model_fields})
