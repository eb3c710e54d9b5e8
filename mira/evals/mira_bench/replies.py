"""Replies of models: which answer a whole reply gives."""

from __future__ import annotations

import orjson

from mira.evals.mira_bench.answers import read_answer
from mira.evals.mira_bench.questions import Question


def read_reply(text: str, question: Question) -> str | None:
    """The canonical answer of a reply: a strict JSON object with `final_answer`, or a bare answer.

    Args:
        text: The reply as it came.
        question: The question it replies to.

    Returns:
        The answer, or None when the reply is anything else.
    """
    text = text.strip()
    bare = _final_answer(text) if text.startswith("{") else text
    return None if bare is None else read_answer(bare, question)


def _final_answer(text: str) -> str | None:
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    value = document.get("final_answer")
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return ", ".join(value)
    return None
