"""Every code of a finding about a set of questions, and what it means."""

from __future__ import annotations

from mira.schema.finding import Severity

CODES = {
    # What is right
    "gold-lopsided": "one word is right too often, over a template or on an axis",
    "blind-guess": "answers can be guessed without the picture, from how often each was right",
    "answer-readable": "words of the right option, and of no other, stand in the question",
    # Options
    "position-lopsided": "a place among the options is right too often",
    "option-unclear": "the right option is missing, is there twice, or names another instance",
    # Answers against each other
    "relation-contradiction": "two items on the same two objects say what cannot both be true",
    "relation-circle": "three objects are each left of, above or in front of the next",
    "answer-contradiction": "the same question is asked twice, with different answers",
    # Asked again
    "question-repeated": "the same question is asked twice of one picture",
    "fact-repeated": "too many items ask of a picture what another one asks of it through other "
    "appearances",
    "scene-repeated": "too many items have the words and the answer of an item on another picture "
    "of the scene",
    # Measured answers
    "close-call-taken": "an answer by geometry counts though it is a close call",
    "near-threshold": "too many measured answers are nearly close calls",
    # For the record
    "template-missing": "no item has this template",
    "few-items": "the template has too few items for its balance to be judged",
}
_ERRORS = frozenset({"option-unclear", "answer-contradiction"})
_FOR_THE_RECORD = frozenset({"template-missing", "few-items"})


def severity_of(code: str) -> Severity:
    """How much a finding matters: an error cannot be asked so, a warning wants a look."""
    if code in _ERRORS:
        return "error"
    return "info" if code in _FOR_THE_RECORD else "warning"
