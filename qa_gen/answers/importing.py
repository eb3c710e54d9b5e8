"""Files of answers into a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from mira.errors import MiraError
from mira.schema.proposal import PersonAnswer, Proposal
from mira.schema.qa import Answer, AxesAnswer, ChoiceTextAnswer, Drop, QAPolicy
from mira.schema.record import Record
from mira.store.atomic import file_ref, os_faults
from mira.store.names import require_name
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace
from qa_gen.answering import same_answer
from qa_gen.answers.rows import read_rows
from qa_gen.answers.typing import AXES, Answerable, answer_of
from qa_gen.asking import Ask, spatial_asks
from qa_gen.facts import image_facts
from qa_gen.labels import Said, what_labels_say
from qa_gen.perception import perception_asks
from qa_gen.pictures import AnnotatedPictures


class Disagreement(Record):
    """An answer that is not the one that geometry proposed, or that labels give."""

    item_id: str
    """The item."""
    image_id: str
    """Its picture."""
    by: str
    """Who answered."""
    answered: str
    """What the person said."""
    proposed: str
    """What geometry proposed, or labels say."""
    close_call: bool
    """Whether it was a close call; labels make none."""
    reason: str
    """Why it was proposed."""


class AnswerImport(Record):
    """What became of a file of answers."""

    rows: int
    """Rows read."""
    added: int
    """Answers that are new, or another than the person's last."""
    unchanged: int
    """Answers that the person gave before."""
    agreeing: int
    """Answers with a proposal that says the same."""
    faults: tuple[str, ...]
    """Rows that were not taken, each with its line and field."""
    disagreements: tuple[Disagreement, ...]
    """Answers with a proposal that says something else."""
    is_kept: bool
    """Whether anything was written."""


def import_answers(
    path: Path,
    workspace: Workspace,
    *,
    by: str | None,
    now: datetime,
    bounds: QAPolicy,
    annotator: str | None = None,
    partial: bool = False,
) -> AnswerImport:
    """Take people's answers from a file, all or none.

    Args:
        path: CSV or JSON lines.
        workspace: Locked while it is written.
        by: Who answered, as a code name, for rows that do not say.
        now: When, for rows that do not say.
        bounds: Which instances can be asked about.
        annotator: Whose annotation the questions are about; see `AnnotatedPictures`.
        partial: Take the good rows of a file with faults.

    Raises:
        MiraError: The file cannot be read, or the workspace cannot be written.
    """
    with os_faults(path):
        source = file_ref(path, relative_to=path.parent)
    with workspace.lock():
        asks, labels = _answerable(workspace, bounds, annotator)
        shelf = ProposalShelf(workspace)
        faults: list[str] = []
        found: list[PersonAnswer] = []
        n_rows = 0
        for row in read_rows(path, one_of=("answer", *AXES)):
            n_rows += 1
            try:
                answer = answer_of(row, asks, by=by, now=now, source=source)
                require_name(answer.by)
                found.append(answer)
            except MiraError as error:
                faults.append(str(error))
        newest = shelf.newest_answers()
        new = [answer for answer in found if not _is_known(answer, newest)]
        keep = partial or not faults
        if keep:
            for person in sorted({answer.by for answer in new}):
                shelf.answers.add(person, [answer for answer in new if answer.by == person])
        agreeing, disagreements = _held_against(found, shelf, labels)
    return AnswerImport(
        rows=n_rows,
        added=len(new),
        unchanged=len(found) - len(new),
        agreeing=agreeing,
        faults=tuple(faults),
        disagreements=tuple(disagreements),
        is_kept=keep,
    )


def words_of(answer: Answer) -> str:
    """An answer as people write it."""
    if isinstance(answer, AxesAnswer):
        return f"{answer.horizontal}, {answer.vertical}, {answer.depth}"
    if isinstance(answer, ChoiceTextAnswer) and answer.text:
        return f"{answer.value}: {answer.text}"
    return str(answer.value)


def _answerable(
    workspace: Workspace, bounds: QAPolicy, annotator: str | None
) -> tuple[Answerable, dict[str, Said]]:
    """What can be asked, and what labels say to it, by item."""
    by_id: dict[str, Ask] = {}
    labels: dict[str, Said] = {}
    images: set[str] = set()
    for view, annotation in AnnotatedPictures(workspace, annotator=annotator):
        images.add(view.image_id)
        facts = image_facts(view, annotation, bounds)
        for ask in spatial_asks(facts):
            if not isinstance(ask, Drop):
                by_id[ask.item_id] = ask
        for ask in perception_asks(facts):
            by_id[ask.item_id] = ask
            labels[ask.item_id] = what_labels_say(ask, facts)
    return Answerable(by_id, frozenset(images)), labels


def _is_known(answer: PersonAnswer, newest: dict[str, dict[str, PersonAnswer]]) -> bool:
    before = newest.get(answer.item_id, {}).get(answer.by)
    return before is not None and (before.answer, before.note) == (answer.answer, answer.note)


def _held_against(
    answers: list[PersonAnswer], shelf: ProposalShelf, labels: Mapping[str, Said]
) -> tuple[int, list[Disagreement]]:
    agreeing = 0
    found: list[Disagreement] = []
    proposed = _Proposed(shelf)
    for answer in answers:
        ours = labels.get(answer.item_id) or proposed.of(answer)
        if ours is None or ours.answer is None:
            continue
        if same_answer(answer.answer, ours.answer):
            agreeing += 1
            continue
        found.append(
            Disagreement(
                item_id=answer.item_id,
                image_id=answer.image_id,
                by=answer.by,
                answered=words_of(answer.answer),
                proposed=words_of(ours.answer),
                close_call=isinstance(ours, Proposal) and ours.close_call,
                reason=ours.reason,
            )
        )
    return agreeing, found


class _Proposed:
    """What geometry proposes; the proposals of a picture are read once."""

    def __init__(self, shelf: ProposalShelf) -> None:
        self._shelf = shelf
        self._by_image: dict[str, dict[str, Proposal]] = {}

    def of(self, answer: PersonAnswer) -> Proposal | None:
        """What geometry proposes to a question that somebody answered."""
        if answer.image_id not in self._by_image:
            known = self._shelf.proposals(answer.image_id)
            ours = known.proposals if known is not None else ()
            self._by_image[answer.image_id] = {one.item_id: one for one in ours}
        return self._by_image[answer.image_id].get(answer.item_id)
