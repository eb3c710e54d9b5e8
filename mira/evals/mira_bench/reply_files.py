"""Files of raw replies, each with what may be answered: one JSON object a line."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import orjson

from mira.errors import PredictionError
from mira.evals.mira_bench.predictions import numbered_lines
from mira.evals.mira_bench.questions import axis_words
from mira.replies.bare_answers import AnswerForm, Choice
from mira.replies.reading import ReadReply, read_reply
from mira.schema.record import Json
from mira.taxonomy.catalogue import AnswerFormat

_SHORT_FORMATS = {"choice": "single_choice", "axes": "spatial_3d_axes"}
_WITH_CHOICES = ("single_choice", "single_choice_plus_text")
_LABELLED = re.compile(r"([A-Z])[.):]?\s+(.+)", re.DOTALL)


def read_reply_file(path: Path) -> Iterator[Json]:
    """What each reply of a file says, in its order.

    A line has `id`, `format`, `raw` (null where the call failed) and, where the format has any,
    `choices`: texts in their order, texts by label, or options with `label`, `value` and `text`.

    Args:
        path: UTF-8 JSON lines; blank lines are skipped.

    Yields:
        `id`, `parsed`, `class`, `layer` and `confidence`, for each line.

    Raises:
        PredictionError: The file cannot be read, or a line is none of these.
    """
    for number, line in numbered_lines(path):
        fields = _fields(line, where=f"{path}:{number}")
        form = _form(fields, where=f"{path}:{number}")
        read = read_reply(fields["raw"], form)
        yield {"id": fields["id"], **describe_reply(read, form)}


def describe_reply(read: ReadReply, form: AnswerForm) -> Json:
    """A reply that was read, for programs.

    `parsed` is a word, a label, a whole number, or the words of the three axes: horizontal, depth,
    vertical.
    """
    parsed: Any = read.answer
    if read.answer is not None and form.format == "count":
        parsed = int(read.answer)
    elif read.answer is not None and form.format == "spatial_3d_axes":
        horizontal, vertical, depth = read.answer.split(",")
        parsed = [horizontal, depth, vertical]
    return {
        "parsed": parsed,
        "class": read.kind,
        "layer": read.layer,
        "confidence": read.confidence,
    }


def _fields(line: bytes, *, where: str) -> Json:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise PredictionError(where, f"expected one JSON object, found a fault: {error}") from None
    if not isinstance(fields, dict):
        raise PredictionError(where, f"expected one JSON object, found {fields!r:.60}")
    for name in ("id", "format", "raw"):
        if name not in fields:
            raise PredictionError(f"{where}: {name}", "expected it, found nothing")
    if not isinstance(fields["id"], (str, int)):
        raise PredictionError(f"{where}: id", f"expected text, found {fields['id']!r:.60}")
    if not isinstance(fields["raw"], str | None):
        raise PredictionError(
            f"{where}: raw", f"expected text or null, found {fields['raw']!r:.60}"
        )
    return fields


def _form(fields: Mapping[str, Any], *, where: str) -> AnswerForm:
    given = fields["format"]
    known = get_args(AnswerFormat)
    name = _SHORT_FORMATS.get(given, given) if isinstance(given, str) else ""
    if name not in known:
        expected = ", ".join((*known, *_SHORT_FORMATS))
        raise PredictionError(f"{where}: format", f"expected one of {expected}, found {given!r}")
    choices = _choices(fields.get("choices"), name, where=f"{where}: choices")
    if name in _WITH_CHOICES and not choices:
        raise PredictionError(f"{where}: choices", "expected at least one, found none")
    return AnswerForm(name, choices, axis_words())


def _choices(given: Any, format: str, *, where: str) -> tuple[Choice, ...]:
    if given is None or given == [] or given == {}:
        words = ("yes", "no") if format == "yes_no" else ()
        return tuple(Choice(word, word, word) for word in words)
    if isinstance(given, dict) and all(isinstance(text, str) for text in given.values()):
        return tuple(_choice(label, text, format) for label, text in given.items())
    if isinstance(given, list) and all(isinstance(text, str) for text in given):
        if format == "yes_no":
            return tuple(_choice(word, word, format) for word in given)
        texts = _without_labels(given)
        if len(texts) <= len(string.ascii_uppercase):
            labels = string.ascii_uppercase
            return tuple(Choice(a, a, text) for a, text in zip(labels, texts, strict=False))
    if isinstance(given, list) and all(isinstance(one, dict) and "label" in one for one in given):
        return tuple(
            Choice(*(str(one.get(name) or one["label"]) for name in ("label", "value", "text")))
            for one in given
        )
    raise PredictionError(where, f"expected texts or options with a label, found {given!r:.60}")


def _choice(label: str, text: str, format: str) -> Choice:
    value = "_".join(text.casefold().split()) if format == "yes_no" else label
    return Choice(label, value, text)


def _without_labels(texts: list[str]) -> list[str]:
    """Texts without `A.`, `B.`, … in front, where all of them have it."""
    found = [_LABELLED.fullmatch(text.strip()) for text in texts]
    labels = [match[1] for match in found if match]
    if labels != list(string.ascii_uppercase[: len(texts)]):
        return texts
    return [match[2] for match in found if match]
