"""What became of one question."""

from __future__ import annotations

from enum import Enum

from mira.evals.mira_bench.answers import gold_answer, read_answer
from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.replies import read_reply
from mira.schema.evaluation import Prediction


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
    gold = gold_answer(question)
    if prediction is None or prediction.status == "failed":
        return Outcome.UNSCORED
    answer = _answer_of(prediction, question)
    if answer is None:
        return Outcome.UNPARSABLE
    return Outcome.RIGHT if answer == gold else Outcome.WRONG


def _answer_of(prediction: Prediction, question: Question) -> str | None:
    if prediction.status in ("unparsable", "refused"):
        return None
    if prediction.answer is not None:
        return read_answer(prediction.answer, question)
    return None if prediction.raw_text is None else read_reply(prediction.raw_text, question)
