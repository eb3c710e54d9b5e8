"""From replies to a prediction."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mira.evals.inspect_runner.questionnaire import Answerable
from mira.replies.reading import read_reply
from mira.schema.evaluation import Prediction

Ending = Literal["whole", "cut", "withheld"]
"""Whether a reply came to its end, ran into the limit of tokens, or the provider withheld it."""


class Reply(NamedTuple):
    """One reply of a model.

    Attributes:
        text: What it said, thoughts that the provider tells apart left out.
        ending: How it ended.
    """

    text: str
    ending: Ending


def needs_repair(question: Answerable, reply: Reply) -> bool:
    """Whether a model is to be asked for its answer once more: it said something, but no answer."""
    return bool(reply.text.strip()) and read_reply(reply.text, question.form).answer is None


def prediction_of(question: Answerable, reply: Reply, again: Reply | None) -> Prediction:
    """What a model said to a question; scores read the texts anew.

    Args:
        question: The question.
        reply: The reply to it.
        again: The reply to being asked for an answer once more; None where nobody asked.
    """
    read = read_reply(reply.text, question.form)
    status = read.kind
    if again is not None and read_reply(again.text, question.form).answer is not None:
        status = "repaired"
    elif reply.ending == "withheld" and read.answer is None:
        status = "refused"
    if reply.ending == "cut":
        # Scores still read both texts, and tell what was cut.
        status = "truncated"
    return Prediction(
        question_id=question.question_id,
        question_sha8=question.sha8,
        raw_text=reply.text,
        repair_text=None if again is None else again.text,
        status=status,
    )


def failed_prediction(question: Answerable) -> Prediction:
    """That a model was not heard."""
    return Prediction(
        question_id=question.question_id, question_sha8=question.sha8, status="failed"
    )
