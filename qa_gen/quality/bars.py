"""Bars and tables of the page as plain values; the template gives them their look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.records import Positions

_MOST_COLUMNS = 40
"""Numbers up to here have a column each, whether they occur or not."""


class Part(NamedTuple):
    """A part of a bar."""

    name: str
    times: int
    percent: float
    shade: int
    """Its turn."""


class LetterBar(NamedTuple):
    """How often a letter is right."""

    letter: str
    times: int
    height: float
    """In per cent of the highest."""
    expected: float
    """Where it should end, in per cent."""


class Heat(NamedTuple):
    """A table of counts that is coloured by their share of the row."""

    title: str
    columns: tuple[str, ...]
    """Words."""
    rows: tuple[tuple[str, tuple[tuple[int, float], ...]], ...]
    """Name, and for each word how often it occurs and its share."""


def parts_of(
    counts: Mapping[str, int],
    *,
    names: Mapping[str, str] | None = None,
    order: Sequence[str] = (),
) -> tuple[Part, ...]:
    """A bar of all counts, in their order.

    Args:
        counts: How often each word occurs.
        names: What words are called on the page.
        order: Words that have the same shade in every bar; those of `names` by default.
    """
    total = sum(counts.values())
    known = names or {}
    shades = {word: shade for shade, word in enumerate(dict.fromkeys((*order, *known, *counts)))}
    return tuple(
        Part(
            known.get(word, word.replace("_", " ")),
            count,
            round(100 * count / total, 2),
            shades[word],
        )
        for word, count in counts.items()
        if total
    )


def letter_bars(places: Positions) -> list[LetterBar]:
    """A bar for each letter, with where it should end."""
    most = 1.15 * max(*places.counts.values(), *places.expected.values())
    return [
        LetterBar(
            letter,
            count,
            round(100 * count / most, 1),
            round(100 * places.expected[letter] / most, 1),
        )
        for letter, count in places.counts.items()
    ]


def heats_of(axes: Mapping[str, Mapping[str, Mapping[str, int]]]) -> list[Heat]:
    """For each axis, its words by template."""
    words = taxonomy().option_sets["axes"]
    assert isinstance(words, dict)
    return [
        heat_of(
            axis,
            {
                name: {word: of[axis].get(word, 0) for word in words[axis]}
                for name, of in axes.items()
            },
        )
        for axis in words
        if axes
    ]


def heat_of(title: str, rows: Mapping[str, Mapping[str, int]]) -> Heat:
    """Words as columns; a row a template or direction."""
    columns = _columns([word for row in rows.values() for word in row])
    cells = {}
    for name, row in rows.items():
        total = max(1, sum(row.values()))
        cells[name] = tuple((row.get(word, 0), row.get(word, 0) / total) for word in columns)
    return Heat(title, tuple(columns), tuple(cells.items()))


def _columns(words: Sequence[str]) -> list[str]:
    """Each word once: numbers by their size and without gaps, others as they come."""
    if words and all(word.isdecimal() for word in words):
        highest = max(map(int, words))
        every = [str(number) for number in range(highest + 1)]
        return every if highest <= _MOST_COLUMNS else sorted(set(words), key=int)
    return list(dict.fromkeys(words))
