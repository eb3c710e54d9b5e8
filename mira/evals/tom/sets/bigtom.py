"""BigToM (Gandhi et al., 2023): a causal template a row, from which conditions are made.

A row has a story of five sentences (who and where, the wish, what is seen, what is believed, what
happens then), what the person sees or misses of it, does then, and the answers of each. The
conditions are those that its authors make of a row: three kinds of inference, with the initial
belief told or not, in four conditions, and the wish behind an action besides. Where right and
wrong answer are the same, which holds for many wishes, the item is left out.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, drawn_order
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile
from mira.schema.episode import TomKind

_COLUMNS = 17
"""That are read; further ones tell who made a row."""
_SENTENCES = 5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CONDITIONS = ("true_belief", "false_belief", "true_control", "false_control")


class _Row(NamedTuple):
    """The columns, by their place in the file."""

    story: str
    sees: str
    misses: str
    acts_knowing: str
    acts_not_knowing: str
    belief_question: str
    desire_question: str
    action_question: str
    belief_knowing: str
    desire_knowing: str
    action_knowing: str
    belief_not_knowing: str
    desire_not_knowing: str
    action_not_knowing: str
    other_event: str
    sees_other: str
    misses_other: str


class _Inference(NamedTuple):
    """A kind of question: what is told, and what is asked."""

    name: str
    kind: TomKind
    order: int | None
    shows_percept: bool
    shows_action: bool
    hidden: tuple[int, ...]
    """Sentences that are told where the initial belief is not."""


_INFERENCES = (
    _Inference("forward_belief", "belief", 1, True, False, (0, 1, 2)),
    _Inference("forward_action", "action", None, True, False, (0, 1, 2)),
    _Inference("backward_belief", "belief", 1, False, True, (0, 1, 2)),
    _Inference("backward_desire", "state", None, True, True, (0, 2)),
)


def recognises(file: SourceFile) -> bool:
    """Whether a file is BigToM's."""
    first = file.data[:8192].partition(b"\n")[0]
    return file.suffix == ".csv" and first.count(b";") >= _COLUMNS - 1


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """All conditions of all rows; the true and the false belief of a story count together."""
    del choices
    for file in files:
        if file.suffix == ".csv":
            for number, row in _rows(file):
                yield from _drafts(row, number, f"{file.path}:{number}")


def _rows(file: SourceFile) -> Iterator[tuple[int, _Row]]:
    reader = csv.reader(io.StringIO(file.text(), newline=""), delimiter=";")
    try:
        for number, cells in enumerate(reader, start=1):
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) < _COLUMNS:
                raise TomSetError(
                    f"{file.path}:{number}",
                    f"expected {_COLUMNS} columns or more with semicolons, found {len(cells)}",
                )
            yield number, _Row(*(cell.strip() for cell in cells[:_COLUMNS]))
    except csv.Error as error:
        raise TomSetError(file.path, f"expected a table with semicolons: {error}") from None


def _drafts(row: _Row, number: int, where: str) -> Iterator[Draft]:
    sentences = _SENTENCE_END.split(row.story)
    if len(sentences) != _SENTENCES:
        raise TomSetError(
            f"{where}: story", f"expected {_SENTENCES} sentences, found {len(sentences)}"
        )
    for inference in _INFERENCES:
        for belief in ("hidden", "shown"):
            # Where no percept is told, both controls are one and the same.
            for condition in _CONDITIONS[: None if inference.shows_percept else -1]:
                yield _draft(row, number, where, sentences, inference, belief, condition)


def _draft(
    row: _Row,
    number: int,
    where: str,
    sentences: Sequence[str],
    inference: _Inference,
    belief: str,
    condition: str,
) -> Draft:
    story_id = f"bigtom-{number:03d}"
    group = f"{story_id}-{belief}-{inference.name}"
    item_id = f"{group}-{condition}"
    knows = condition == "true_belief"
    is_control = condition.endswith("_control")
    right, wrong = _answers(row, inference)[:: 1 if knows else -1]
    return Draft(
        item_id=item_id,
        where=f"{where}: {inference.name}, {condition}, initial belief {belief}",
        story=" ".join(_told(row, sentences, inference, belief, condition)),
        question=_question(row, inference),
        options=drawn_order((right, wrong), item_id),
        right=right,
        kind="control" if is_control else inference.kind,
        order=None if is_control else inference.order,
        condition="random_event" if is_control else condition,
        category=f"{inference.name.replace('_', ' ')}, initial belief {belief}",
        story_id=story_id,
        joint_group=None if is_control else group,
    )


def _told(
    row: _Row, sentences: Sequence[str], inference: _Inference, belief: str, condition: str
) -> Iterator[str]:
    """The story of a condition; in a control something else happens, which changes nothing."""
    is_control = condition.endswith("_control")
    yield from (sentences[place] for place in inference.hidden)
    if belief == "shown":
        yield sentences[3]
    yield row.other_event if is_control else sentences[4]
    if inference.shows_percept:
        percepts = (row.sees_other, row.misses_other) if is_control else (row.sees, row.misses)
        yield percepts[not condition.startswith("true")]
    if inference.shows_action:
        yield row.acts_knowing if condition == "true_belief" else row.acts_not_knowing


def _question(row: _Row, inference: _Inference) -> str:
    if inference.name == "forward_action":
        return row.action_question
    return row.desire_question if inference.name == "backward_desire" else row.belief_question


def _answers(row: _Row, inference: _Inference) -> tuple[str, str]:
    """The answer of who knows what happened, and of who does not."""
    if inference.name == "forward_action":
        return row.action_knowing, row.action_not_knowing
    if inference.name == "backward_desire":
        return row.desire_knowing, row.desire_not_knowing
    return row.belief_knowing, row.belief_not_knowing
