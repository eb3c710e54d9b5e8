"""Replies to items as answers, and whether they are right."""

from __future__ import annotations

import re

from mira.evals.mira_bench.outcomes import Outcome, hear_in_form
from mira.evals.tom.asking import item_sha8
from mira.replies import reading
from mira.replies.bare_answers import OWN_WORDS, AnswerForm, Choice, plain_text
from mira.replies.reading import ReadReply
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction

_BETWEEN = re.compile(r"\s*(?:[,;/&]|\band\b)\s*")
_NO_DIFFERENCE = re.compile(r"^(?:(?:in|inside|into|on|at|under|the|a|an|his|her|their)\s+)+")
_NOBODY = frozenset({"nobody", "no one", "no-one", "none", "none of them"})
_LIST_WORDS = 3
"""A right answer whose parts are longer is a sentence, and its commas are a sentence's."""


def form_of(item: TomItem) -> AnswerForm:
    """All of an item that decides how a reply to it is read."""
    choices = tuple(Choice(o.label, o.value, o.value) for o in item.options)
    if not choices:
        return AnswerForm(OWN_WORDS, choices, {})
    is_yes_no = {choice.label for choice in choices} == {"yes", "no"}
    return AnswerForm("yes_no" if is_yes_no else "single_choice", choices, {})


def read_reply(item: TomItem, raw: str | None) -> Prediction:
    """The prediction that a reply is.

    Args:
        item: What was asked.
        raw: The reply as it came; None where the call failed.
    """
    read = reading.read_reply(raw, form_of(item))
    return Prediction(
        question_id=item.item_id,
        question_sha8=item_sha8(item),
        raw_text=raw,
        answer=read.answer,
        status=read.kind,
        confidence=read.confidence,
    )


def hear(item: TomItem, prediction: Prediction | None) -> ReadReply:
    """What a prediction says to an item, read from its text where nobody read it before."""
    return hear_in_form(form_of(item), prediction)


def judge(item: TomItem, said: ReadReply) -> Outcome:
    """Whether what was heard is right; a reply that was never heard is neither."""
    if said.kind == "failed":
        return Outcome.UNSCORED
    if said.answer is None:
        return Outcome.UNPARSABLE
    is_right = said.answer == item.answer if item.options else is_same(said.answer, item.answer)
    return Outcome.RIGHT if is_right else Outcome.WRONG


def is_same(said: str, right: str) -> bool:
    """Whether words of one's own are the right ones.

    Case, spacing, underscores, a final full stop, and articles, possessives and prepositions of
    place in front make no difference. A list is right when it names the same, in any order; words
    beside it, or a part of it, are not.

    Args:
        said: The words of the reply.
        right: Those of the item.
    """
    if _core(said) == _core(right):
        return True
    wanted = _parts(right)
    if len(_BETWEEN.split(plain_text(right))) < 2 or any(
        len(part.split()) > _LIST_WORDS for part in wanted
    ):
        return False
    return _parts(said) == wanted


def _parts(text: str) -> frozenset[str]:
    return frozenset(filter(None, (_core(part) for part in _BETWEEN.split(plain_text(text)))))


def _core(text: str) -> str:
    core = _NO_DIFFERENCE.sub("", plain_text(text))
    return "nobody" if core in _NOBODY else core
