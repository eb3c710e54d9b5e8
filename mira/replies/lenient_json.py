"""JSON objects as models write them, and nothing that is not written.

Beside JSON this reads single and typographic quotes, wide colons and commas, comments, Python's
constants, words without quotes, commas before a closing bracket, line breaks in strings, quotes
within strings and brackets that are missing at the end. Keys that are there twice are both kept.
What cannot be read so is no object: no text is skipped to make it one, as programs that repair
JSON do.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from mira.replies.lenient_reader import LenientReader, NoObjectError, Pairs

_MOST_STARTS = 400
"""Places at which an object is tried for."""


class FoundObject(NamedTuple):
    """An object in a text."""

    pairs: Pairs
    """What it holds; a value at which the text ends is a `CutOff`."""
    start: int
    end: int
    is_strict: bool
    """Whether it is JSON as it stands."""
    is_open: bool
    """Whether the text ends before its bracket."""
    is_cut: bool
    """Whether the text ends before a key or a value does."""


def find_objects(text: str) -> list[FoundObject]:
    """All outermost objects of a text that can be read, in their order."""
    found: list[FoundObject] = []
    position = text.find("{")
    for _ in range(_MOST_STARTS):
        if position < 0:
            break
        try:
            one = _strict_object(text, position) or _lenient_object(text, position)
        except RecursionError:
            break
        if one is not None:
            found.append(one)
        position = text.find("{", position + 1 if one is None else one.end)
    return found


def is_strict_json(text: str) -> bool:
    """Whether a text is JSON that every program reads alike."""
    try:
        _require_text(_STRICT.decode(text))
    except (ValueError, RecursionError):
        return False
    return True


def text_of_json(text: str) -> str:
    """What is in a JSON string, where a text as a whole is one; the text itself otherwise."""
    try:
        value = _STRICT.decode(text)
        _require_text(value)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str) else text


def _strict_object(text: str, position: int) -> FoundObject | None:
    try:
        pairs, end = _STRICT.raw_decode(text, position)
        _require_text(pairs)
    except ValueError:
        return None
    return FoundObject(pairs, position, end, is_strict=True, is_open=False, is_cut=False)


def _lenient_object(text: str, position: int) -> FoundObject | None:
    reader = LenientReader(text, position)
    try:
        pairs = reader.read_object(0)
    except NoObjectError:
        return None
    state = {"is_strict": False, "is_open": reader.is_open, "is_cut": reader.is_cut}
    return FoundObject(pairs, position, reader.position, **state)


def _require_text(value: Any) -> None:
    """Raise where a string holds half of a pair of code units, which is no text."""
    json.dumps(value, ensure_ascii=False).encode("utf-8")


def _refuse(name: str) -> None:
    raise ValueError(f"no JSON: {name}")


_STRICT = json.JSONDecoder(object_pairs_hook=Pairs, parse_constant=_refuse)
