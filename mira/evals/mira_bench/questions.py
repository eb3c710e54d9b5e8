"""What scoring needs of a released question, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from mira.errors import ReleaseError
from mira.evals.mira_bench.subtasks import is_subtask
from mira.replies.bare_answers import AnswerForm, Choice
from mira.taxonomy.catalogue import AnswerFormat, taxonomy

QUESTION_COLUMNS = (
    "question_sha8",
    "question_id",
    "item_id",
    "scene_id",
    "split",
    "template_id",
    "subtask",
    "protocol",
    "format",
    "options",
    "answer",
    "joint_group",
    "count_max",
)
"""Columns of a release that scores and baselines read."""

_TEXT_COLUMNS = (
    "question_id",
    "question_sha8",
    "item_id",
    "scene_id",
    "template_id",
    "subtask",
    "format",
    "answer",
)


@dataclass(frozen=True, slots=True)
class Question:
    """One item in one referring protocol.

    Attributes:
        question_id: The question, as the release names it.
        item_id: What is asked, the same in every protocol.
        scene_id: Its scene: the unit that intervals resample.
        split: Split of the scene, where the release has splits.
        template_id: Row of the taxonomy.
        subtask: Row of the score table.
        protocol: How it points at objects; absent where it points at none.
        format: Kind of answer.
        choices: Options in the order shown.
        answer: The right answer, canonical text.
        joint_group: Shared by the questions that count only when all are right.
        count_max: Largest possible count, where known.
        sha8: Digest of what is asked, offered and right.
    """

    question_id: str
    item_id: str
    scene_id: str
    split: str | None
    template_id: str
    subtask: str
    protocol: str | None
    format: AnswerFormat
    choices: tuple[Choice, ...]
    answer: str
    joint_group: str | None
    count_max: int | None
    sha8: str

    @property
    def form(self) -> AnswerForm:
        """What decides how a reply to it is read."""
        return AnswerForm(self.format, self.choices, axis_words())


def parse_questions(rows: Iterable[Mapping[str, Any]]) -> tuple[Question, ...]:
    """Questions of a release.

    Args:
        rows: One mapping a question with at least the `QUESTION_COLUMNS`; others are not read.

    Raises:
        ReleaseError: A column is missing or of a wrong kind, or an id is there twice.
    """
    questions: dict[str, Question] = {}
    for row in rows:
        question = parse_question(row)
        if question.question_id in questions:
            raise ReleaseError(question.question_id, "expected one question an id, found two")
        questions[question.question_id] = question
    return tuple(questions.values())


def parse_question(row: Mapping[str, Any]) -> Question:
    """One question of a release; see `parse_questions`."""
    where = str(row.get("question_id", "question"))
    for column in QUESTION_COLUMNS:
        if column not in row:
            raise ReleaseError(where, f"expected a column {column}, found none")
    for column in _TEXT_COLUMNS:
        if not isinstance(row[column], str):
            raise ReleaseError(where, f"{column}: expected text, found {row[column]!r}")
    question = Question(
        question_id=row["question_id"],
        item_id=row["item_id"],
        scene_id=row["scene_id"],
        split=row["split"],
        template_id=row["template_id"],
        subtask=row["subtask"],
        protocol=None if taxonomy().points_at_nothing(row["template_id"]) else row["protocol"],
        format=row["format"],
        choices=tuple(_choice(option) for option in row["options"] or ()),
        answer=row["answer"],
        joint_group=row["joint_group"],
        count_max=row["count_max"],
        sha8=row["question_sha8"],
    )
    _require_known(question)
    return question


def select_questions(
    questions: Iterable[Question], *, protocol: str | None, split: str | None
) -> tuple[Question, ...]:
    """Questions of one protocol and one split; None takes all.

    A question that points at no object (collision risk) has no protocol and belongs to each.

    Raises:
        ReleaseError: No question is left.
    """
    selected = tuple(
        question
        for question in questions
        if (protocol is None or question.protocol in (protocol, None))
        and (split is None or question.split == split)
    )
    if not selected:
        raise ReleaseError(
            "questions", f"found none with protocol {protocol or 'any'} and split {split or 'any'}"
        )
    return selected


@cache
def joint_subtasks() -> frozenset[str]:
    """Sub-tasks whose answers count only together."""
    return frozenset(subtask.id for subtask in taxonomy().subtasks if subtask.joint)


@cache
def axis_words() -> dict[str, tuple[str, ...]]:
    """The words of each axis of a place."""
    axes = taxonomy().option_sets["axes"]
    assert isinstance(axes, dict)
    return axes


def _choice(option: Mapping[str, Any]) -> Choice:
    return Choice(option["label"], option["value"], option.get("text") or "")


def _require_known(question: Question) -> None:
    where = question.question_id
    if not is_subtask(question.subtask):
        raise ReleaseError(
            where, f"subtask: expected one of the taxonomy, found {question.subtask}"
        )
    if question.format not in get_args(AnswerFormat):
        raise ReleaseError(where, f"format: expected one of the taxonomy, found {question.format}")
    if question.subtask in joint_subtasks() and question.joint_group is None:
        raise ReleaseError(where, f"joint_group: {question.subtask} is scored jointly, found none")
