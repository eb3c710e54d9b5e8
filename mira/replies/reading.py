"""Whole replies: which one answer they give, how that was found, and why there is none.

A reply is read in layers, each only where the one before finds nothing: the whole of it is JSON; an
object stands in its text; an object that is nearly JSON; a bare answer is all there is. Two answers
that differ are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from mira.replies.bare_answers import OWN_WORDS, AnswerForm
from mira.replies.lenient_json import FoundObject, find_objects, is_strict_json, text_of_json
from mira.replies.lenient_reader import CutOff, Pairs
from mira.replies.phrases import is_abstention, is_refusal
from mira.replies.spoken import announces_answer, read_spoken_answer
from mira.replies.values import answer_of_value, confidence_of_value

ReplyClass = Literal[
    "parsed", "repaired", "truncated", "refused", "abstained", "unparsable", "failed"
]
"""What a reply is. Only the first three may have an answer."""
ReplyLayer = Literal["json", "object", "repair", "bare"]
"""How an answer was found."""

_THOUGHT_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


class ReadReply(NamedTuple):
    """What a reply says."""

    answer: str | None
    """The canonical answer; None where there is none, or more than one."""
    kind: ReplyClass
    """What the reply is."""
    layer: ReplyLayer | None
    """How the answer was found; None without one."""
    confidence: float | None
    """The model's own, 0 to 1, where it gave one."""


class _Statement(NamedTuple):
    """One place at which a reply says what its answer is."""

    value: Any
    confidence: Any


def read_reply(text: str | None, form: AnswerForm) -> ReadReply:
    """The one answer of a reply.

    Args:
        text: The reply as it came; None where the call failed.
        form: What may be answered.
    """
    if text is None:
        return _without_answer("failed")
    text = text_of_json(text)
    body = text if is_strict_json(text) else without_thoughts(text)
    if body is None:
        return _without_answer("truncated")
    found = find_objects(body)
    rest = _outside(body, found)
    statements = [said for one in found for said in _statements(one.pairs, form.key)]
    if statements:
        return _read_statements(statements, found, body=body, rest=rest, form=form)
    if _is_unfinished(found, rest, form.key):
        return _without_answer("truncated" if _is_open(found) else "unparsable")
    answer = None if found else _bare_answer(body, form)
    if answer is not None:
        return ReadReply(answer, "parsed", "bare", None)
    return _without_answer(_kind_of_silence(body))


def _read_statements(
    statements: Sequence[_Statement],
    found: Sequence[FoundObject],
    *,
    body: str,
    rest: str,
    form: AnswerForm,
) -> ReadReply:
    answers = {answer_of_value(said.value, form) for said in statements}
    answers |= _other_answers(rest, form)
    answer = answers.pop() if len(answers) == 1 else None
    if answer is None or _holds_key(rest, form.key):
        return _without_answer(_kind_of_statements(statements, found))
    confidences = {confidence_of_value(said.confidence) for said in statements}
    confidence = confidences.pop() if len(confidences) == 1 else None
    if is_strict_json(body):
        return ReadReply(answer, "parsed", "json", confidence)
    if all(one.is_strict for one in found):
        return ReadReply(answer, "parsed", "object", confidence)
    cut = any(one.is_cut for one in found)
    return ReadReply(answer, "truncated" if cut else "repaired", "repair", confidence)


def _statements(value: Any, key_of_answer: str) -> Iterator[_Statement]:
    """All statements of an answer within a value, at any depth."""
    if isinstance(value, Pairs):
        certain = [inner for key, inner in value if _is_key(key, "confidence")]
        for key, inner in value:
            if _is_key(key, key_of_answer):
                yield _Statement(inner, certain[0] if len(certain) == 1 else None)
            yield from _statements(inner, key_of_answer)
    elif isinstance(value, list):
        for inner in value:
            yield from _statements(inner, key_of_answer)


def _is_key(key: str, wanted: str) -> bool:
    return re.sub("[^a-z]", "", key.casefold()) == wanted.replace("_", "")


def _holds_key(text: str, key: str) -> bool:
    """Whether a key stands in a text that is in no object."""
    words = r"[\s_-]*".join(key.split("_"))
    return bool(re.search(rf"[\"'“‘]\s*{words}\s*[\"'”’]\s*:", text, re.IGNORECASE))


def _outside(body: str, found: Sequence[FoundObject]) -> str:
    """What stands around the objects of a text."""
    parts, place = [], 0
    for one in found:
        parts.append(body[place : one.start])
        place = one.end
    return "\n".join([*parts, body[place:]])


def _bare_answer(body: str, form: AnswerForm) -> str | None:
    """The answer of a text without an object.

    In one's own words any text is an answer. It is one where it is a single line that neither
    declines nor says that nobody can know, or the one line of several that announces an answer.
    """
    if form.format != OWN_WORDS:
        return read_spoken_answer(body, form)
    lines = [line for line in body.splitlines() if line.strip()]
    if len(lines) > 1:
        lines = [line for line in lines if announces_answer(line)]
    if len(lines) != 1 or _kind_of_silence(lines[0]) != "unparsable":
        return None
    return read_spoken_answer(lines[0], form)


def _other_answers(rest: str, form: AnswerForm) -> set[str | None]:
    """Answers that the text around an object gives in so many words."""
    lines = [line for line in rest.splitlines() if announces_answer(line)]
    whole = () if form.format == OWN_WORDS else (rest,)
    answers = {read_spoken_answer(line, form) for line in (*lines, *whole)}
    return answers - {None}


def without_thoughts(text: str) -> str | None:
    """A reply without what the model thought before it; None where it never came to an end."""
    kept: list[str] = []
    place, thinks = 0, False
    for tag in _THOUGHT_TAG.finditer(text):
        if not tag[1]:
            if not thinks:
                kept.append(text[place : tag.start()])
            thinks = True
            continue
        if not thinks:
            # The tag that began this thought was part of what the model was given.
            kept.clear()
        place, thinks = tag.end(), False
    return None if thinks else "".join([*kept, text[place:]])


def _is_unfinished(found: Sequence[FoundObject], rest: str, key: str) -> bool:
    """Whether an answer was begun that cannot be read."""
    return _is_open(found) or _holds_key(rest, key)


def _is_open(found: Sequence[FoundObject]) -> bool:
    return any(one.is_open for one in found)


def _kind_of_statements(
    statements: Sequence[_Statement], found: Sequence[FoundObject]
) -> ReplyClass:
    """Why statements give no answer."""
    if len(statements) > 1:
        return "unparsable"
    (said,) = statements
    if isinstance(said.value, CutOff) or (
        isinstance(said.value, (list, Pairs)) and _is_open(found)
    ):
        return "truncated"
    if said.value is None:
        return "abstained"
    return _kind_of_silence(said.value) if isinstance(said.value, str) else "unparsable"


def _kind_of_silence(text: str) -> ReplyClass:
    if is_refusal(text):
        return "refused"
    return "abstained" if is_abstention(text) else "unparsable"


def _without_answer(kind: ReplyClass) -> ReadReply:
    return ReadReply(None, kind, None, None)
