"""A desk: the people, questions and verdicts of one workspace, and the way in and out of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from annotate.desk import leases
from annotate.desk.answering import AnswerDesk
from annotate.desk.answers import AnswerTable
from annotate.desk.backup import PLACE
from annotate.desk.baseline import BaselineDesk
from annotate.desk.database import Database
from annotate.desk.drafts import Drafts
from annotate.desk.exporting import DeskExport, DeskExporter
from annotate.desk.figures import Figures, read_figures
from annotate.desk.items import ItemImport
from annotate.desk.leases import WorkKind
from annotate.desk.open_questions import Questions
from annotate.desk.people import People
from annotate.desk.remarks import RemarkDesk
from annotate.desk.reviewing import ReviewDesk
from annotate.desk.roles import Person
from mira.store.workspace import Workspace


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
        self.remarks = RemarkDesk(self.database, clock)
        self.baseline = BaselineDesk(self.database, clock)
        self.answers = None if questions is None else AnswerDesk(self.database, questions, clock)
        self.drafts = Drafts(self.database, clock)

    def import_items(self) -> ItemImport:
        """Take over the questions of the workspace; what was said of those of before stays.

        Raises:
            WorkspaceError: It has none.
        """
        return self.reviews.items.replace(self.workspace.items())

    def notes(self, item_id: str) -> list[tuple[str, str]]:
        """What authors added to their answers to a question: name and note."""
        return AnswerTable(self.database).notes(item_id)

    def leave(self, person: Person, kind: WorkKind, work_id: str) -> None:
        """Give work back; what was begun stays."""
        with self.database.write() as writing:
            leases.give_back(writing, kind, work_id, person)

    def export(self) -> DeskExport:
        """Bring all that was said into the workspace; see `DeskExporter`."""
        exporter = DeskExporter(self.workspace, self.database, self.people, self._clock)
        return exporter.export()

    def figures(self) -> Figures:
        """What was done, and how often people agree."""
        return read_figures(self.database, self.reviews.items.all(), now=self._clock())

    def close(self) -> None:
        """Close the database."""
        self.database.close()
