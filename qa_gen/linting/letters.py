"""Spaces and letters that are not what they seem."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_WORD = re.compile(r"[^\W\d_]+")
_FIXED_SPACES = "\u00a0\u202f"
_ODD_SPACE = re.compile(rf"[^\S {_FIXED_SPACES}]")
_MIXED_UP_WITH_LATIN = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_LOOK_LATIN = frozenset("аеорсухіјѕԁһкмтвнАВЕКМНОРСТХУІЈЅοανιρτυχκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
"""Cyrillic and Greek letters that are drawn like Latin ones."""


def check_spaces(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Two spaces in a row, and spaces that are none."""
    text = reading.text
    for match in re.finditer(r" {2,}", text):
        start, end = match.span()
        found = f"{end - start} at {reading.around(start, end)}"
        yield Fault("space-doubled", start, end, f"expected one space, found {found}")
    for match in _ODD_SPACE.finditer(text):
        yield _odd_space(reading, match.start())


def check_fixed_spaces(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Spaces that keep a line from breaking, which some languages put before marks."""
    for k, letter in enumerate(reading.text):
        if letter in _FIXED_SPACES:
            yield _odd_space(reading, k)


def check_letters(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Signs that nobody sees, and letters of another alphabet that look Latin."""
    unseen = () if reading.text.isprintable() else enumerate(reading.text)
    for k, letter in unseen:
        if not letter.isprintable() and not letter.isspace():
            name = unicodedata.name(letter, "without a name").lower()
            message = f"expected letters to be seen, found U+{ord(letter):04X} ({name})"
            yield Fault("letter-unprintable", k, k + 1, message)
    if reading.text.isascii():
        return
    words = list(_WORD.finditer(reading.text))
    scripts = Counter(_script(letter) for match in words for letter in match.group())
    mostly_latin = scripts["LATIN"] * 2 >= scripts.total()
    for match in words:
        if letters := _confusable(match.group(), mostly_latin=mostly_latin):
            named = ", ".join(
                f"{letter} ({unicodedata.name(letter, 'without a name').lower()})"
                for letter in letters
            )
            message = f"expected letters of one alphabet, found {named} in {match.group()!r}"
            yield Fault("letter-confusable", *match.span(), message)


def _odd_space(reading: Reading, k: int) -> Fault:
    found = f"U+{ord(reading.text[k]):04X} at {reading.around(k, k + 1)}"
    return Fault("space-odd", k, k + 1, f"expected plain spaces, found {found}")


def _confusable(word: str, *, mostly_latin: bool) -> list[str]:
    """Letters of a word that pass for others, each once and in their order."""
    found = [letter for letter in word if _is_styled_latin(letter)]
    foreign = [letter for letter in word if _script(letter) in _MIXED_UP_WITH_LATIN]
    mixed = bool(foreign) and any(_script(letter) == "LATIN" for letter in word)
    if mixed or (mostly_latin and set(word) <= _LOOK_LATIN):
        found += foreign
    return list(dict.fromkeys(found))


def _is_styled_latin(letter: str) -> bool:
    """Whether a letter is a full-width, bold or joined form of plain ones."""
    if letter.isascii():
        return False
    plain = unicodedata.normalize("NFKC", letter)
    return plain.isascii() and plain.isalpha()


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
