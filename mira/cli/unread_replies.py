"""Examples of replies that could not be read, and what could have been."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from mira.evals.mira_bench.outcomes import Outcome, judge
from mira.evals.mira_bench.questions import parse_questions, select_questions
from mira.schema.evaluation import MetricResult, Prediction

MANY = 0.2
"""Share of unreadable replies from which on the fault is more likely in their form."""
ACCEPTED_FORMS = """\
What can be read: a bare answer (an option's label or text, a number, three words for the axes), or
a JSON object such as {"final_answer": "B"}, whatever stands around it."""
_SHOWN_LETTERS = 100


def many_unread(overall: MetricResult) -> bool:
    """Whether so many of the replies that were heard could not be read that people should know."""
    heard = overall.n - overall.n_unscored
    return heard > 0 and overall.n_unparsable >= MANY * heard


def examples_of_unread(
    rows: Iterable[Mapping[str, Any]],
    replies: Iterable[Prediction],
    *,
    protocol: str | None,
    split: str | None,
    count: int = 2,
) -> list[str]:
    """A line each for the first replies whose text could not be read.

    Args:
        rows: Questions of the release.
        replies: What was said to them.
        protocol: The one protocol that was scored; None for all.
        split: The one split that was scored; None for all.
        count: How many.
    """
    return list(islice(_unread(rows, replies, protocol, split), count))


def _unread(
    rows: Iterable[Mapping[str, Any]],
    replies: Iterable[Prediction],
    protocol: str | None,
    split: str | None,
) -> Iterator[str]:
    asked = {
        question.question_id: question
        for question in select_questions(parse_questions(rows), protocol=protocol, split=split)
    }
    for reply in replies:
        question = asked.get(reply.question_id)
        text = reply.raw_text if reply.answer is None else reply.answer
        if question and text is not None and judge(question, reply) is Outcome.UNPARSABLE:
            labels = ", ".join(choice.label for choice in question.choices)
            offered = f"labels {labels}" if labels else question.format
            yield f"  {reply.question_id} ({offered}): {_brief(text)}"


def _brief(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= _SHOWN_LETTERS else f"{shown[:_SHOWN_LETTERS]}..."
