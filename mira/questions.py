"""A question as it is asked: an item in one referring protocol, its name and its digests."""

from __future__ import annotations

import hashlib

import orjson

from mira.schema.qa import AxesAnswer, Protocol, QAItem, Wording


def question_id(item: QAItem, protocol: Protocol) -> str:
    """The name of a question in a release, and in replies to it."""
    return f"{item.item_id}-{protocol}"


def question_sha8(wording: Wording, item: QAItem) -> str:
    """A short digest of what is asked, offered and right.

    Ids outlive a change of the options, so that reviews do too; this tells whether a reply was
    given to the same question.
    """
    return _sha8([*_asked(wording, item), answer_text(item)])


def asked_sha8(wording: Wording, item: QAItem) -> str:
    """A short digest of what is asked, pointed at and offered; what is right has no part in it.

    Who answers may be given it: nobody finds the answer by it.
    """
    return _sha8([*_asked(wording, item), [mark.model_dump(mode="json") for mark in item.marks]])


def answer_text(item: QAItem) -> str:
    """The answer as a reply gives it: a word, a label, a number, or three words with commas."""
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return f"{answer.horizontal},{answer.vertical},{answer.depth}"
    return str(answer.value)


def _asked(wording: Wording, item: QAItem) -> list[object]:
    return [wording.question, [option.label for option in item.options], wording.option_texts]


def _sha8(content: list[object]) -> str:
    return hashlib.sha256(orjson.dumps(content)).hexdigest()[:8]
