"""A desk: the people, questions and verdicts of one workspace, and the way in and out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from annotate.desk import leases
from annotate.desk.answering import AnswerDesk
from annotate.desk.answers import AnswerTable
from annotate.desk.backup import PLACE
from annotate.desk.database import Database
from annotate.desk.descriptions import Descriptions
from annotate.desk.drafts import Drafts
from annotate.desk.figures import Figures, read_figures
from annotate.desk.items import ItemImport, all_events
from annotate.desk.leases import WorkKind
from annotate.desk.open_questions import Questions
from annotate.desk.people import People
from annotate.desk.reviewing import ReviewDesk
from annotate.desk.roles import Person
from mira.schema.proposal import PersonAnswer
from mira.schema.qa import ReviewEvent
from mira.store.descriptions import DescriptionShelf
from mira.store.person_lines import PersonLines, Said
from mira.store.proposals import ProposalShelf
from mira.store.reviews import ReviewShelf, ReviewSummary, settle_items
from mira.store.workspace import Workspace


class DeskExport(NamedTuple):
    """What went into the workspace.

    Attributes:
        verdicts: Verdicts that were not there.
        answers: Answers that were not there.
        descriptions: Descriptions that were not there.
        standing: Where the review stands in the workspace now; None where it has no questions.
    """

    verdicts: int
    answers: int
    descriptions: int
    standing: ReviewSummary | None


def _add_missing(shelf: PersonLines[Said], said: Mapping[str, Sequence[Said]]) -> int:
    """Add those records of people that a shelf does not hold; tells how many."""
    added = 0
    for person in sorted(said):
        known = {record.model_dump_json() for record in shelf.of(person)}
        fresh = [record for record in said[person] if record.model_dump_json() not in known]
        if fresh:
            shelf.add(person, fresh)
        added += len(fresh)
    return added


def _is_known(answer: PersonAnswer, kept: PersonAnswer | None) -> bool:
    return kept is not None and kept.model_dump(exclude={"at"}) == answer.model_dump(exclude={"at"})


def _now() -> datetime:
    return datetime.now(UTC)


class Desk:
    """Everything that pages and commands do goes through here.

    Args:
        workspace: Its questions are answered and reviewed.
        questions: Who knows what may be asked; without it nobody authors.
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
        self.drafts = Drafts(self.database, clock)
        self._given = AnswerTable(self.database)
        self._descriptions = Descriptions(self.database, clock)

    def import_items(self) -> ItemImport:
        """Take over the questions of the workspace; what was said of those of before stays.

        Raises:
            WorkspaceError: It has none.
        """
        return self.reviews.items.replace(self.workspace.items())

    def leave(self, person: Person, kind: WorkKind, work_id: str) -> None:
        """Give work back; what was begun stays."""
        with self.database.write() as writing:
            leases.give_back(writing, kind, work_id, person)

    def export(self) -> DeskExport:
        """Bring all that was said into the workspace, and its questions to where they stand.

        It may be done again at any time; what is there is not added again.
        """
        with self.workspace.lock():
            return DeskExport(
                verdicts=self._export_verdicts(),
                answers=self._export_answers(),
                descriptions=self._export_descriptions(),
                standing=settle_items(self.workspace) if self.workspace.qa_summary() else None,
            )

    def _export_verdicts(self) -> int:
        shelf = ReviewShelf(self.workspace)
        said: dict[str, list[ReviewEvent]] = {}
        for events in all_events(self.database.connection()).values():
            for event in events:
                said.setdefault(event.reviewer, []).append(event)
        for events in said.values():
            events.sort(key=lambda event: event.at)
        return _add_missing(shelf, said)

    def _export_answers(self) -> int:
        shelf = ProposalShelf(self.workspace)
        added = 0
        newest = shelf.newest_answers()
        for person in self.people.all():
            kept = {
                item_id: people[person.name]
                for item_id, people in newest.items()
                if person.name in people
            }
            said = self._given.newest(person.name)
            fresh = [one for one in said.values() if not _is_known(one, kept.get(one.item_id))]
            fresh += [
                kept[item_id].model_copy(update={"taken_back": True, "at": self._clock()})
                for item_id in sorted(self._given.taken_back(person.name) & kept.keys())
            ]
            if fresh:
                shelf.answers.add(person.name, fresh)
            added += len(fresh)
        return added

    def _export_descriptions(self) -> int:
        return _add_missing(DescriptionShelf(self.workspace), self._descriptions.by_person())

    def figures(self) -> Figures:
        """What was done, and how often people agree."""
        return read_figures(self.database, self.reviews.items.all(), now=self._clock())

    def close(self) -> None:
        """Close the database."""
        self.database.close()
