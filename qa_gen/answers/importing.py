"""Files of answers into a workspace."""

from __future__ import annotations

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
from qa_gen.pictures import AnnotatedPictures


class Disagreement(Record):
    """An answer that is not the one that geometry proposed."""

    item_id: str
    """The item."""
    image_id: str
    """Its picture."""
    by: str
    """Who answered."""
    answered: str
    """What the person said."""
    proposed: str
    """What geometry proposed."""
    close_call: bool
    """Whether it was a close call."""
    reason: str
    """Why geometry proposed it."""


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
        asks = _answerable(workspace, bounds, annotator)
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
        agreeing, disagreements = _held_against(found, shelf)
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


def _answerable(workspace: Workspace, bounds: QAPolicy, annotator: str | None) -> Answerable:
    by_id: dict[str, Ask] = {}
    images: set[str] = set()
    for view, annotation in AnnotatedPictures(workspace, annotator=annotator):
        images.add(view.image_id)
        for ask in spatial_asks(image_facts(view, annotation, bounds)):
            if not isinstance(ask, Drop):
                by_id[ask.item_id] = ask
    return Answerable(by_id, frozenset(images))


def _is_known(answer: PersonAnswer, newest: dict[str, dict[str, PersonAnswer]]) -> bool:
    before = newest.get(answer.item_id, {}).get(answer.by)
    return before is not None and (before.answer, before.note) == (answer.answer, answer.note)


def _held_against(
    answers: list[PersonAnswer], shelf: ProposalShelf
) -> tuple[int, list[Disagreement]]:
    agreeing = 0
    found: list[Disagreement] = []
    proposals: dict[str, dict[str, Proposal]] = {}
    for answer in answers:
        if answer.image_id not in proposals:
            known = shelf.proposals(answer.image_id)
            ours = known.proposals if known is not None else ()
            proposals[answer.image_id] = {one.item_id: one for one in ours}
        proposal = proposals[answer.image_id].get(answer.item_id)
        if proposal is None or proposal.answer is None:
            continue
        if same_answer(answer.answer, proposal.answer):
            agreeing += 1
            continue
        found.append(
            Disagreement(
                item_id=answer.item_id,
                image_id=answer.image_id,
                by=answer.by,
                answered=words_of(answer.answer),
                proposed=words_of(proposal.answer),
                close_call=proposal.close_call,
                reason=proposal.reason,
            )
        )
    return agreeing, found
