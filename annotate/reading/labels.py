"""What a label means: our five words, their synonyms, or a category."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from annotate.findings import Refused, brief
from annotate.reading.near_misses import meant_label

Role = Literal["surface", "direct", "reflected", "hole", "ignore"]

_ROLES: dict[str, Role] = {
    "surface": "surface",
    "object": "direct",
    "object_reflection": "reflected",
    "hole": "hole",
    "ignore": "ignore",
}
_SYNONYMS = {
    "mirror": "surface",
    "reflection": "object_reflection",
    "_reflection": "object_reflection",
}
_REFLECTION = "_reflection"
NEAR_MISS = "label-near-miss"
_LATIN_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝɡмнткв" + "οαρνυικτχ" + "ıӏ",
    "aeopcyxijshdqwgmhtkb" + "oapvuiktx" + "il",
)
"""Cyrillic and Greek small letters, and a few others, that look like Latin ones."""


class Note(NamedTuple):
    """Something to say about a label."""

    code: str
    message: str


class Label(NamedTuple):
    """The meaning of a label."""

    role: Role
    category: str | None
    """Class name; absent for our own words."""
    text: str
    """The label as our convention writes it."""
    notes: tuple[Note, ...] = ()
    """What was not as our convention writes it."""

    @property
    def may_be_reflection(self) -> bool:
        """Whether it is, or looks like, a reflection's."""
        return self.role == "reflected" or any(note.code == NEAR_MISS for note in self.notes)


def parse_label(value: Any, where: str) -> Label:
    """The meaning of a shape's label.

    Args:
        value: The label as read.
        where: Its field, for the refusal.

    Raises:
        Refused: It is no text, or empty.
    """
    if not isinstance(value, str):
        raise Refused("label-invalid", where, f"expected text, found {brief(value)}")
    label = _parse_text(value)
    if label is None:
        raise Refused("label-invalid", where, f"expected a word, found {brief(value)}")
    return label


def role_of(value: Any) -> Role | None:
    """What a label says that a shape is; None where it says nothing."""
    try:
        return parse_label(value, "").role
    except Refused:
        return None


@lru_cache(maxsize=4096)
def _parse_text(raw: str) -> Label | None:
    plain = _plain(raw)
    if not plain:
        return None
    notes = []
    latin = _as_latin(plain)
    if latin != plain:
        pairs = zip(plain, latin, strict=True)
        found = ", ".join(sorted({unicodedata.name(a, a) for a, b in pairs if a != b}))
        message = f"label {brief(raw)} holds {found}; read as {brief(latin)}"
        notes.append(Note("label-confusable", message))
    elif plain != raw:
        notes.append(Note("label-normalised", f"expected {brief(plain)}, found {brief(raw)}"))
    text = _SYNONYMS.get(latin, latin)
    if text != latin:
        notes.append(Note("label-alias", f"label {latin!r} is read as {text!r}"))
    return _meaning(text, tuple(notes))


def _meaning(text: str, notes: tuple[Note, ...]) -> Label:
    if text in _ROLES:
        return Label(role=_ROLES[text], category=None, text=text, notes=notes)
    reflected = text.endswith(_REFLECTION)
    category = text.removesuffix(_REFLECTION)
    meant = meant_label(category, reflected=reflected)
    if meant is not None:
        way = "seen in a surface" if reflected else "seen directly"
        message = f"label {text!r} is taken as a category {way}; is {meant!r} meant?"
        notes = (*notes, Note(NEAR_MISS, message))
    role: Role = "reflected" if reflected else "direct"
    return Label(role=role, category=category, text=text, notes=notes)


def _plain(raw: str) -> str:
    """A label in small letters, one form a letter, without invisible characters."""
    text = unicodedata.normalize("NFKC", raw).casefold()
    text = "".join(letter for letter in text if unicodedata.category(letter) not in {"Cf", "Cc"})
    text = " ".join(text.split())
    joined = text.replace(" ", "_").replace("-", "_")
    if joined in _ROLES or joined in _SYNONYMS:
        return joined
    if joined.endswith(_REFLECTION):
        return f"{text[: -len(_REFLECTION)].rstrip(' -')}{_REFLECTION}"
    return text


def _as_latin(plain: str) -> str:
    """A label with its look-alikes as Latin letters, where it is meant to be Latin.

    A word wholly in another script stays, unless it would look like one of ours.
    """
    if plain.isascii():
        return plain
    latin = plain.translate(_LATIN_LOOKALIKES)
    if not latin.isascii():
        return plain
    ours = latin in _ROLES or latin in _SYNONYMS or latin.endswith(_REFLECTION)
    mixed = any(letter.isascii() and letter.isalpha() for letter in plain)
    return latin if ours or mixed else plain
