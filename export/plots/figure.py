"""A figure of bars and strips as places in a drawing; the template makes SVG of them.

Units are pixels of the drawing, y downwards. Widths of text are estimated, for the reader's font is
not known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

WIDTH = 880.0
_MARGIN = 28.0
_FIRST = 74.0
"""Where the first line under title and subtitle is."""
_LABEL_X, _BAR_END = 232.0, 724.0
"""Where labels of grouped rows begin, and where the longest bar ends."""
_BAR_X = {True: 330.0, False: 226.0}
"""Where bars begin, with groups and without."""
_ROW, _BAR, _GROUP_GAP = 25.0, 17.0, 9.0
_STRIP, _STRIP_LABEL, _STRIP_GAP = 24.0, 24.0, 30.0
_KEY_ROW, _KEY_SIGN, _KEY_GAP = 22.0, 17.0, 22.0
_LETTER = 7.0
"""Width of a letter of the size that labels have, with room to spare."""
_LONGEST = 27


class Part(NamedTuple):
    """A share of a bar or strip."""

    name: str
    times: int
    color: str
    """As CSS has it."""


class Row(NamedTuple):
    """A bar of a chart."""

    label: str
    parts: tuple[Part, ...]
    group: str = ""
    """Rows of one group stand together, with its name beside the first."""

    @property
    def times(self) -> int:
        """The whole bar."""
        return sum(part.times for part in self.parts)


class Strip(NamedTuple):
    """Shares of one whole, as long as the drawing is wide."""

    title: str
    parts: tuple[Part, ...]


class Box(NamedTuple):
    """A coloured area."""

    x: float
    y: float
    width: float
    height: float
    color: str
    title: str
    """What it says when one points at it."""


class Text(NamedTuple):
    """A word at a place; `y` is its base line."""

    x: float
    y: float
    words: str
    look: str
    """Class of the style sheet."""


class Figure(NamedTuple):
    """All that is drawn."""

    height: float
    boxes: tuple[Box, ...]
    texts: tuple[Text, ...]


def draw(
    title: str,
    subtitle: str,
    *,
    rows: Sequence[Row] = (),
    key: Sequence[Part] = (),
    strips: Sequence[Strip] = (),
) -> Figure:
    """Lay out bars, what their colours mean, and strips below.

    Args:
        title: What is counted.
        subtitle: Of how many.
        rows: Bars from the top down.
        key: Colours of the bars; their counts are not shown.
        strips: Wholes with their shares.
    """
    items: list[Box | Text] = [
        Text(_MARGIN, 38, title, "title"),
        Text(_MARGIN, 59, subtitle, "soft"),
    ]
    y = _FIRST
    if key:
        y = _add_key(items, y + 8, [(part.name, part.color) for part in key]) + 8
    if rows:
        y = _add_rows(items, y, rows)
    for strip in strips:
        y = _add_strip(items, y + (_STRIP_GAP if y > _FIRST else 12), strip)
    return Figure(
        height=y + _MARGIN,
        boxes=tuple(item for item in items if isinstance(item, Box)),
        texts=tuple(item for item in items if isinstance(item, Text)),
    )


def _add_rows(items: list[Box | Text], y: float, rows: Sequence[Row]) -> float:
    most = max(row.times for row in rows)
    whole = sum(row.times for row in rows)
    grouped = any(row.group for row in rows)
    start = _BAR_X[grouped]
    before = rows[0].group
    for place, row in enumerate(rows):
        if row.group != before:
            y += _GROUP_GAP
        base = y + _BAR - 4
        if row.group and (place == 0 or row.group != before):
            items.append(Text(_MARGIN, base, row.group, "group"))
        items.append(Text(_LABEL_X if grouped else _MARGIN, base, _short(row.label), "label"))
        end = start
        for part in row.parts:
            width = (_BAR_END - start) * part.times / most
            said = f"{row.label}, {part.name}: {part.times:,}"
            items.append(Box(_round(end), _round(y), _round(width), _BAR, part.color, said))
            end += width
        items.append(Text(_round(end + 8), base, f"{row.times:,}", "number"))
        items.append(Text(WIDTH - _MARGIN, base, _percent(row.times, whole), "percent"))
        before = row.group
        y += _ROW
    return y


def _add_strip(items: list[Box | Text], y: float, strip: Strip) -> float:
    total = sum(part.times for part in strip.parts)
    items.append(Text(_MARGIN, y + 8, strip.title, "group"))
    items.append(Text(WIDTH - _MARGIN, y + 8, f"{total:,}", "percent"))
    y += _STRIP_LABEL - 6
    x = _MARGIN
    for part in strip.parts:
        width = (WIDTH - 2 * _MARGIN) * part.times / total
        said = f"{part.name}: {part.times:,}, {_percent(part.times, total)}"
        items.append(Box(_round(x), _round(y), _round(width), _STRIP, part.color, said))
        x += width
    entries = [
        (f"{part.name}: {part.times:,} ({_percent(part.times, total)})", part.color)
        for part in strip.parts
    ]
    return _add_key(items, y + _STRIP + 12, entries)


def _add_key(items: list[Box | Text], y: float, entries: Sequence[tuple[str, str]]) -> float:
    for x, below, words, color in _flowing(entries):
        items.append(Box(x, y + below, 11, 11, color, words))
        items.append(Text(x + _KEY_SIGN, y + below + 10, words, "label"))
    lines = 1 + int(max(below for _, below, _, _ in _flowing(entries)) / _KEY_ROW)
    return y + lines * _KEY_ROW


def _flowing(entries: Sequence[tuple[str, str]]) -> Iterator[tuple[float, float, str, str]]:
    """Places of entries side by side, in as many lines as they need."""
    x, below = _MARGIN, 0.0
    for words, color in entries:
        width = _KEY_SIGN + _LETTER * len(words)
        if x > _MARGIN and x + width > WIDTH - _MARGIN:
            x, below = _MARGIN, below + _KEY_ROW
        yield _round(x), below, words, color
        x += width + _KEY_GAP


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _percent(count: int, total: int) -> str:
    return f"{count / total:.1%}".replace("%", " %")


def _round(place: float) -> float:
    return round(place, 2)
