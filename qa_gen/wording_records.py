"""What stands in a wording file."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from mira.schema.record import Record

_WORD = re.compile(r"[^\W\d_]+")


def split_words(text: str) -> list[str]:
    """The words of a text, letters only, with case and compatibility forms folded."""
    return _WORD.findall(_fold(text))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _one_word(text: str) -> str:
    words = split_words(text)
    if words != [_fold(text)]:
        raise ValueError(f"expected one word of letters, found {text!r}")
    return words[0]


def _as_texts(value: object) -> object:
    if isinstance(value, str) and value.strip():
        return (value,)
    if isinstance(value, list | tuple) and value:
        return value
    found = "none" if isinstance(value, str | list | tuple) else type(value).__name__
    if value is None:
        found = "nothing"
    raise ValueError(f"expected a text or a list of texts, found {found}")


Words = Annotated[str, Field(pattern=r"\S")]
Texts = Annotated[tuple[Words, ...], BeforeValidator(_as_texts)]
Letters = Annotated[str, AfterValidator(_one_word)]


class QuestionText(Record):
    """The question of a template."""

    question: Texts
    """Jinja; a slot's name stands for the phrase that points at its object. The first is the
    standard text, the others are its paraphrases; a single text needs no list."""
    describe: frozenset[str]
    """Slots that the protocols with a description put into words."""


class Phrases(Record):
    """How a protocol points. Jinja throughout."""

    preamble: str
    """Said once before the question; knows `width` and `height`."""
    one: Words
    """Where a single object is marked; knows `label`, `x1`, `y1`, `x2`, `y2`."""
    many: Words
    """Where several are; knows the same."""
    candidate: Words
    """An object to choose; knows the same."""
    described: str
    """Follows the phrase of a slot that is put into words; knows `description`."""


class WordList(Record):
    """Words for the taxonomy's values."""

    options: dict[str, Words]
    """For each value of an option set."""
    directions: dict[str, dict[str, Words]]
    """For each list of directions and each value of it."""
    revealing_words: tuple[Letters, ...]
    """Whole words that tell how an object is seen."""
    revealing_stems: tuple[Letters, ...]
    """Beginnings of words that do."""
