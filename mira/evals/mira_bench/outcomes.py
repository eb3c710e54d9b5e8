"""What became of one question."""

from __future__ import annotations

from enum import Enum

from mira.evals.mira_bench.answers import gold_answer
from mira.evals.mira_bench.questions import Question
from mira.replies.bare_answers import AnswerForm, read_bare_answer
from mira.replies.reading import ReadReply, read_reply
from mira.schema.evaluation import Prediction

_SILENT = ("unparsable", "refused", "abstained")
"""Statuses of replies that somebody has read already, and found no answer in."""


class Outcome(Enum):
    """Right, wrong, wrong because it could not be read, or not scored at all."""

    RIGHT = "right"
    WRONG = "wrong"
    UNPARSABLE = "unparsable"
    UNSCORED = "unscored"


def judge(question: Question, prediction: Prediction | None) -> Outcome:
    """Outcome of a question, by exact comparison of canonical answers.

    A missing prediction and a failed call are unscored: the model was never heard. A refusal was
    heard and holds no answer, so it counts with the unparsable replies.

    Args:
        question: The question.
        prediction: What the model said; None when there is nothing.

    Raises:
        ReleaseError: The right answer of the release cannot be read.
    """
    return judge_heard(question, hear(question, prediction))


def judge_heard(question: Question, said: ReadReply) -> Outcome:
    """Outcome of a question from what was heard.

    Raises:
        ReleaseError: The right answer of the release cannot be read.
    """
    gold = gold_answer(question)
    if said.kind == "failed":
        return Outcome.UNSCORED
    if said.answer is None:
        return Outcome.UNPARSABLE
    return Outcome.RIGHT if said.answer == gold else Outcome.WRONG


def hear(question: Question, prediction: Prediction | None) -> ReadReply:
    """What a prediction says, read from its text where nobody read it before.

    Args:
        question: The question.
        prediction: What the model said; None when there is nothing.
    """
    return hear_in_form(question.form, prediction)


def hear_in_form(form: AnswerForm, prediction: Prediction | None) -> ReadReply:
    """What a prediction says to any question of a form; see `hear`."""
    if prediction is None or prediction.status == "failed":
        return ReadReply(None, "failed", None, None)
    if prediction.status in _SILENT:
        return ReadReply(None, prediction.status, None, None)
    if prediction.answer is None:
        read = _read_texts(form, prediction)
    else:
        answer = read_bare_answer(prediction.answer, form)
        read = ReadReply(answer, prediction.status if answer else "unparsable", None, None)
    given = prediction.confidence
    return read if given is None else read._replace(confidence=given)


def _read_texts(form: AnswerForm, prediction: Prediction) -> ReadReply:
    """The answer of the reply, or of the one that was asked for in its place.

    A harness knows better than the text whether it was cut.
    """
    read = read_reply(prediction.raw_text or "", form)
    if read.answer is None and prediction.repair_text is not None:
        again = read_reply(prediction.repair_text, form)
        if again.answer is not None:
            return again._replace(kind="repaired")
    return read._replace(kind="truncated") if prediction.status == "truncated" else read
