"""Figures of the page as places in drawings of fixed size; the template makes SVG of them.

Units are pixels of the drawing, y downwards; angles turn clockwise from the top.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.records import TemplateQuality

RING_SIDE = 440.0
"""Side of the square that the ring is drawn in."""
_RADII = {"level": (72.0, 118.0), "subtask": (120.0, 160.0), "template": (162.0, 206.0)}
"""Inner and outer radius of each ring."""
_ROOM = {"level": 34.0, "subtask": 17.0, "template": 10.0}
"""Length of arc that a label needs."""
_WHOLE = 2 * math.pi * 0.99999
"""An arc that ends where it starts is not drawn."""
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 340.0, 150.0, 34.0, 24.0, 10.0
"""Of a histogram."""
_MOST_BARS = 26
_WIDEST_BAR = 30.0
_MOST_TICKS = 4


class Sector(NamedTuple):
    """A part of a ring."""

    kind: str
    """`level`, `subtask` or `template`."""
    level: str
    """Its level, which has the colour."""
    shade: int
    """Its turn in its level."""
    path: str
    """Outline, as SVG has it."""
    title: str
    """What it says when one points at it."""
    label: str
    """What stands in it; empty where there is no room."""
    x: float
    """Where the label stands."""
    y: float
    """Where the label stands."""
    turn_deg: float
    """How it is turned."""


class Bar(NamedTuple):
    """A bar of a histogram."""

    x: float
    y: float
    width: float
    height: float
    title: str
    """What it says when one points at it."""


class Tick(NamedTuple):
    """A mark of an axis."""

    at: float
    """Where, along the axis."""
    text: str
    """What it says."""


class Histogram(NamedTuple):
    """How often each number occurs."""

    bars: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    total: int
    """All that is counted."""
    mean: float | None
    """Mean of the numbers; None where each stands for several."""


def plot_ring(templates: Sequence[TemplateQuality]) -> tuple[Sector, ...]:
    """Questions by level, sub-task and template, from the inside out."""
    total = sum(one.questions for one in templates)
    if not total:
        return ()
    sectors = []
    start = 0
    shades: dict[str, int] = {}
    for one in templates:
        shade = shades[one.level] = shades.get(one.level, -1) + 1
        label = one.template_id
        sectors.append(_sector("template", one.level, shade, start, one.questions, total, label))
        start += one.questions
    for kind in ("subtask", "level"):
        start = 0
        shades.clear()
        for level, name, questions in _groups(templates, kind):
            shade = shades[level] = shades.get(level, -1) + 1
            sectors.append(_sector(kind, level, shade, start, questions, total, name))
            start += questions
    return tuple(sectors)


def plot_spread(spread: Mapping[int, int], noun: str, *, step: int = 1) -> Histogram | None:
    """A histogram of numbers; None without any.

    Args:
        spread: How often each number occurs.
        noun: What is counted, for the words on bars.
        step: Numbers are multiples of it, and stand for those up to the next one.
    """
    if not spread:
        return None
    lowest, highest = min(spread), max(spread)
    width = step * max(1, math.ceil(((highest - lowest) / step + 1) / _MOST_BARS))
    start = lowest - lowest % width
    counts = [0] * ((highest - start) // width + 1)
    for number, count in spread.items():
        counts[(number - start) // width] += count
    y_ticks = round_ticks(max(counts))
    each = (WIDTH - LEFT) / len(counts)
    total = sum(counts)
    return Histogram(
        bars=tuple(
            _bar(k, count, y_ticks[-1], each, _numbers(start + k * width, width, noun, count))
            for k, count in enumerate(counts)
            if count
        ),
        x_ticks=tuple(
            Tick(round(LEFT + (k + 0.5) * each, 1), str(start + k * width))
            for k in range(0, len(counts), max(1, math.ceil(len(counts) / 8)))
        ),
        y_ticks=tuple(Tick(round(_y_of(k / y_ticks[-1]), 1), f"{k:,}") for k in y_ticks),
        total=total,
        mean=sum(number * n for number, n in spread.items()) / total if step == 1 else None,
    )


def round_ticks(most: int) -> tuple[int, ...]:
    """Round numbers from 0 to the first that is not below a count."""
    step = next(
        step
        for power in range(16)
        for step in (10**power, 2 * 10**power, 5 * 10**power)
        if step * _MOST_TICKS >= most
    )
    return tuple(range(0, step * max(1, math.ceil(most / step)) + 1, step))


def _groups(templates: Sequence[TemplateQuality], kind: str) -> list[tuple[str, str, int]]:
    """Level, name and questions of each level or sub-task, in order."""
    found: dict[tuple[str, str], int] = {}
    for one in templates:
        key = one.level, one.subtask if kind == "subtask" else one.level
        found[key] = found.get(key, 0) + one.questions
    return [(level, name, questions) for (level, name), questions in found.items()]


def _sector(
    kind: str, level: str, shade: int, start: int, questions: int, total: int, name: str
) -> Sector:
    low, high = _WHOLE * start / total, _WHOLE * (start + questions) / total
    inner, outer = _RADII[kind]
    middle, radius = (low + high) / 2, (inner + outer) / 2
    has_room = (high - low) * radius >= _ROOM[kind]
    x, y = _point(middle, radius)
    turn = math.degrees(middle) - 90 if kind == "template" else 0.0
    return Sector(
        kind=kind,
        level=level,
        shade=shade,
        path=_outline(low, high, inner, outer),
        title=f"{_name_of(kind, name)}: {questions:,} questions, {questions / total:.1%}",
        label=_label(kind, name, questions / total) if has_room else "",
        x=round(x, 1),
        y=round(y, 1),
        turn_deg=round(turn + 180 if turn > 90 else turn, 1),
    )


def _name_of(kind: str, name: str) -> str:
    if kind == "level":
        return next(level.name for level in taxonomy().levels if level.id == name)
    return taxonomy().subtask(name).name if kind == "subtask" else name


def _label(kind: str, name: str, share: float) -> str:
    if kind == "level":
        return f"{share:.0%}"
    return name.upper() if kind == "subtask" else name


def _outline(low: float, high: float, inner: float, outer: float) -> str:
    large = int(high - low > math.pi)
    (ax, ay), (bx, by) = _point(low, outer), _point(high, outer)
    (cx, cy), (dx, dy) = _point(high, inner), _point(low, inner)
    return (
        f"M{ax:.2f} {ay:.2f}A{outer:g} {outer:g} 0 {large} 1 {bx:.2f} {by:.2f}"
        f"L{cx:.2f} {cy:.2f}A{inner:g} {inner:g} 0 {large} 0 {dx:.2f} {dy:.2f}Z"
    )


def _point(angle: float, radius: float) -> tuple[float, float]:
    middle = RING_SIDE / 2
    return middle + radius * math.sin(angle), middle - radius * math.cos(angle)


def _bar(place: int, count: int, most: int, each: float, title: str) -> Bar:
    top = _y_of(count / most)
    width = min(_WIDEST_BAR, each - min(2.0, each / 5))
    return Bar(
        x=round(LEFT + (place + 0.5) * each - width / 2, 1),
        y=round(top, 1),
        width=round(width, 1),
        height=round(HEIGHT - BOTTOM - top, 1),
        title=title,
    )


def _numbers(start: int, width: int, noun: str, count: int) -> str:
    which = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
    return f"{which}: {count:,} {noun}"


def _y_of(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share
