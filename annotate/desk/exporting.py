"""What was said at a desk, brought into its workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from annotate.desk.answers import AnswerTable
from annotate.desk.baseline_export import BaselineExport, export_baseline
from annotate.desk.database import Database
from annotate.desk.descriptions import Descriptions
from annotate.desk.items import all_events
from annotate.desk.people import People
from annotate.desk.remarks import RemarkDesk
from mira.schema.description import InstanceDescription
from mira.schema.proposal import PersonAnswer
from mira.schema.qa import ReviewEvent
from mira.schema.remark import Remark
from mira.store.descriptions import DescriptionShelf
from mira.store.person_lines import PersonLines, Said
from mira.store.proposals import ProposalShelf
from mira.store.remarks import RemarkShelf
from mira.store.reviews import ReviewShelf, ReviewSummary, settle_items
from mira.store.workspace import Workspace


class DeskExport(NamedTuple):
    """What went into the workspace.

    Attributes:
        verdicts: Verdicts that were not there.
        answers: Answers that were not there, and those that were taken back.
        descriptions: Descriptions that were not there.
        remarks: Flags, comments and resolutions that were not there.
        open_flags: Flags of the workspace that nobody closed.
        standing: Where the review stands in the workspace now; None where it has no questions.
        baseline: Replies of the human baseline; None where there are no questions.
    """

    verdicts: int
    answers: int
    descriptions: int
    remarks: int
    open_flags: int
    standing: ReviewSummary | None
    baseline: BaselineExport | None


class DeskExporter:
    """Brings all that was said into a workspace; what is there is not added again.

    Args:
        workspace: Locked while it is written.
        database: What was said.
        people: Who said it.
        clock: Tells the time.
    """

    def __init__(
        self,
        workspace: Workspace,
        database: Database,
        people: People,
        clock: Callable[[], datetime],
    ) -> None:
        self._workspace, self._database, self._people = workspace, database, people
        self._clock = clock

    def export(self) -> DeskExport:
        """Bring everything over, and the workspace's questions to where they stand."""
        workspace = self._workspace
        with workspace.lock():
            has_questions = workspace.qa_summary() is not None
            return DeskExport(
                verdicts=_add_missing(ReviewShelf(workspace), self._verdicts()),
                answers=self._answers(),
                descriptions=_add_missing(DescriptionShelf(workspace), self._descriptions()),
                remarks=_add_missing(RemarkShelf(workspace), self._remarks()),
                open_flags=len(RemarkShelf(workspace).open_flags()),
                standing=settle_items(workspace) if has_questions else None,
                # Questions stand where review left them by now.
                baseline=export_baseline(workspace, self._database) if has_questions else None,
            )

    def _verdicts(self) -> dict[str, list[ReviewEvent]]:
        said: dict[str, list[ReviewEvent]] = {}
        for events in all_events(self._database.connection()).values():
            for event in events:
                said.setdefault(event.reviewer, []).append(event)
        for events in said.values():
            events.sort(key=lambda event: event.at)
        return said

    def _descriptions(self) -> dict[str, list[InstanceDescription]]:
        return Descriptions(self._database, self._clock).by_person()

    def _remarks(self) -> dict[str, list[Remark]]:
        said: dict[str, list[Remark]] = {}
        for remark in RemarkDesk(self._database, self._clock).all():
            said.setdefault(remark.by, []).append(remark)
        return said

    def _answers(self) -> int:
        shelf, given = ProposalShelf(self._workspace), AnswerTable(self._database)
        newest = shelf.newest_answers()
        added = 0
        for person in self._people.all():
            kept = {
                item_id: people[person.name]
                for item_id, people in newest.items()
                if person.name in people
            }
            said = given.newest(person.name)
            fresh = [one for one in said.values() if not _is_known(one, kept.get(one.item_id))]
            # What came out of a file was not said here, so that nothing here takes it back.
            fresh += [
                kept[item_id].model_copy(update={"taken_back": True, "at": self._clock()})
                for item_id in sorted(given.taken_back(person.name) & kept.keys())
                if kept[item_id].source is None
            ]
            if fresh:
                shelf.answers.add(person.name, fresh)
            added += len(fresh)
        return added


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
