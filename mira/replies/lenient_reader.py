"""Reads an object that is nearly JSON, letter by letter."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_DEEPEST = 40
"""Objects within objects; more is no reply."""
_MOST_DIGITS = 18
"""A longer number stays text."""
_CLOSING = {'"': '"', "'": "'", "“": '”"', "‘": "’'"}
"""Quotes that may end a string, by the one that began it."""
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?(?=[\s,，}\]]|\Z)")
_COLONS, _COMMAS = ":：", ",，"
_BARE = re.compile(r"[^\s\"'“”‘’{}\[\],，:：][^\"“”{}\[\],，:：\n]*")
_ENDS_STRING = re.compile(_SPACE.pattern + r"(?:[,，:：}\]]|\Z)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}


class Pairs(list[tuple[str, Any]]):
    """An object: its keys and values in their order, keys that are there twice included."""


class CutOff(NamedTuple):
    """A value at which the text ends, so that nobody knows how it goes on."""

    began: str
    """What is there of it."""


class NoObjectError(ValueError):
    """The text goes on as no object does."""


class LenientReader:
    """Reads on from a place in a text.

    Attributes:
        position: Where it has come to.
        is_open: Whether the text ended within brackets.
        is_cut: Whether it ended where a key or value was to come, or within one.
    """

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.is_open = False
        self.is_cut = False

    def read_object(self, depth: int) -> Pairs:
        """The object that begins here."""
        pairs = Pairs()
        self.position += 1
        while not self._ends("}"):
            key = self._read_value(depth)
            if isinstance(key, CutOff) or self._is_at_end():
                self._cut()
                break
            if not isinstance(key, str) or self.text[self.position] not in _COLONS:
                raise NoObjectError
            self.position += 1
            if self._is_at_end():
                pairs.append((key, CutOff("")))
                self._cut()
                break
            pairs.append((key, self._read_value(depth)))
            self._skip_comma("}")
        return pairs

    def _read_array(self, depth: int) -> list[Any]:
        values: list[Any] = []
        self.position += 1
        while not self._ends("]"):
            values.append(self._read_value(depth))
            self._skip_comma("]")
        if self.is_open:
            values.append(CutOff(""))
        return values

    def _read_value(self, depth: int) -> Any:
        start = self.text[self.position]
        if start in "{[" and depth >= _DEEPEST:
            raise NoObjectError
        value: Any
        if start == "{":
            value = self.read_object(depth + 1)
        elif start == "[":
            value = self._read_array(depth + 1)
        elif start in _CLOSING:
            value = self._read_string(_CLOSING[start])
        else:
            value = self._read_bare()
        self._is_at_end()
        return value

    def _read_string(self, closing: str) -> str | CutOff:
        letters: list[str] = []
        start = place = self.position + 1
        stops = re.compile(f"[{closing}\\\\]")
        while stop := stops.search(self.text, place):
            letters.append(self.text[place : stop.start()])
            place = stop.end()
            if stop[0] == "\\":
                letter, place = self._read_escape(place)
                letters.append(letter)
            elif _ENDS_STRING.match(self.text, place):
                self.position = place
                return "".join(letters)
            else:
                letters.append(stop[0])
        self.position = len(self.text)
        self._cut()
        return CutOff(self.text[start:])

    def _read_escape(self, place: int) -> tuple[str, int]:
        """The letter that is meant behind a backslash, and where the text goes on."""
        code = self.text[place + 1 : place + 5]
        if self.text[place : place + 1] == "u" and re.fullmatch("[0-9a-fA-F]{4}", code):
            return chr(int(code, 16)), place + 5
        letter = self.text[place : place + 1]
        return _ESCAPES.get(letter, letter), place + 1

    def _read_bare(self) -> Any:
        """A number, a constant, or words without quotes."""
        match = _NUMBER.match(self.text, self.position) or _BARE.match(self.text, self.position)
        if match is None:
            raise NoObjectError
        self.position = match.end()
        words = match[0].strip()
        if self.position == len(self.text):
            return CutOff(words)
        if match.re is _NUMBER:
            whole = words.removeprefix("-").isdecimal()
            if whole:
                return int(words) if len(words) <= _MOST_DIGITS else words
            return float(words)
        return _CONSTANTS.get(words.casefold(), words)

    def _ends(self, bracket: str) -> bool:
        """Whether the text, or what the bracket ends, ends here; takes the bracket."""
        if self._is_at_end():
            self.is_open = True
            return True
        if self.text[self.position] == bracket:
            self.position += 1
            return True
        return False

    def _skip_comma(self, bracket: str) -> None:
        if self._is_at_end():
            return
        if self.text[self.position] in _COMMAS:
            self.position += 1
            if self._is_at_end():
                self._cut()
        elif self.text[self.position] != bracket:
            raise NoObjectError

    def _is_at_end(self) -> bool:
        """Skip white space; whether nothing is left."""
        match = _SPACE.match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        return self.position == len(self.text)

    def _cut(self) -> None:
        self.is_open = self.is_cut = True
