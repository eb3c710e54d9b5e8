"""A desk: the people, questions and verdicts of one workspace, and the way in and out of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from annotate.desk.answering import AnswerDesk, Questions
from annotate.desk.backup import PLACE
from annotate.desk.database import Database
from annotate.desk.figures import Figures, read_figures
from annotate.desk.items import ItemImport, all_events
from annotate.desk.people import People
from annotate.desk.reviewing import ReviewDesk
from mira.schema.proposal import PersonAnswer
from mira.schema.qa import ReviewEvent
from mira.store.proposals import ProposalShelf
from mira.store.reviews import ReviewShelf, ReviewSummary, settle_items
from mira.store.workspace import Workspace


class DeskExport(NamedTuple):
    """What went into the workspace.

    Attributes:
        added: Verdicts that were not there.
        standing: Where the review stands in the workspace now.
    """

    added: int
    standing: ReviewSummary


def _is_known(answer: PersonAnswer, kept: PersonAnswer | None) -> bool:
    return kept is not None and kept.model_dump(exclude={"at"}) == answer.model_dump(exclude={"at"})


def _now() -> datetime:
    return datetime.now(UTC)


class Desk:
    """Everything that pages and commands do goes through here.

    Args:
        workspace: Its questions are answered and reviewed.
        questions: Who knows what may be asked; without it nobody answers.
        clock: Tells the time.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        questions: Questions | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self.workspace = workspace
        self._clock = clock
        self.database = Database(workspace.root / PLACE)
        self.people = People(self.database, clock)
        self.reviews = ReviewDesk(self.database, clock)
        self.answers = None if questions is None else AnswerDesk(self.database, questions, clock)

    def import_items(self) -> ItemImport:
        """Take over the questions of the workspace; what was said of those of before stays.

        Raises:
            WorkspaceError: It has none.
        """
        return self.reviews.items.replace(self.workspace.items())

    def export_reviews(self) -> DeskExport:
        """Bring all verdicts into the workspace, and its questions to where they stand."""
        shelf = ReviewShelf(self.workspace)
        with self.workspace.lock():
            known = {
                event.model_dump_json() for events in shelf.history().values() for event in events
            }
            fresh: dict[str, list[ReviewEvent]] = {}
            for events in all_events(self.database.connection()).values():
                for event in events:
                    if event.model_dump_json() not in known:
                        fresh.setdefault(event.reviewer, []).append(event)
            for reviewer in sorted(fresh):
                shelf.add(reviewer, sorted(fresh[reviewer], key=lambda event: event.at))
            return DeskExport(sum(map(len, fresh.values())), settle_items(self.workspace))

    def export_answers(self) -> int:
        """Bring all answers into the workspace; `mira qa generate` makes questions of them.

        Returns:
            How many were not there.
        """
        if self.answers is None:
            raise RuntimeError("nobody answers at this desk")
        shelf = ProposalShelf(self.workspace)
        added = 0
        with self.workspace.lock():
            newest = shelf.newest_answers()
            for person in self.people.all():
                fresh = [
                    answer
                    for answer in self.answers.newest(person.name).values()
                    if not _is_known(answer, newest.get(answer.item_id, {}).get(person.name))
                ]
                if fresh:
                    shelf.answers.add(person.name, fresh)
                added += len(fresh)
        return added

    def figures(self) -> Figures:
        """What was done, and how often people agree."""
        return read_figures(self.database, self.reviews.items.all(), now=self._clock())

    def close(self) -> None:
        """Close the database."""
        self.database.close()
