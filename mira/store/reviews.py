"""What reviewers of a workspace said.

reviews/<person>.jsonl      ReviewEvent, one a line, in the order they were given
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mira.reviews import as_made, reviewed, standing
from mira.schema.qa import QAItem, ReviewEvent
from mira.schema.record import Record
from mira.store.person_lines import PersonLines
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


class ReviewShelf(PersonLines[ReviewEvent]):
    """Reads and writes verdicts."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.root / "reviews", ReviewEvent, who="reviewer")

    def history(self) -> dict[str, list[ReviewEvent]]:
        """All verdicts by item, in the order of time."""
        found: dict[str, list[ReviewEvent]] = {}
        for reviewer in self.people():
            for event in self.of(reviewer):
                found.setdefault(event.item_id, []).append(event)
        for events in found.values():
            events.sort(key=lambda event: event.at)
        return found


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
