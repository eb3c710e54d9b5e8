"""Figures of the page as places in drawings; the template makes SVG of them.

Curves have a fixed size in pixels, y downwards; dumbbells are as wide as their cell, in per cent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mira.evals.tom.records import RowGroup, TomGap, TomRow
from mira.evals.tom.report.records import TomSummary

WIDTH, HEIGHT = 440.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 14.0, 12.0, 40.0
COLORS = 8
"""Colours that tell models apart; further ones take them again."""
_DODGE_PX = 7.0


class Point(NamedTuple):
    """Accuracy at an order."""

    x: float
    y: float
    low: float | None
    """Lower end of the interval, as y; None without one."""
    high: float | None
    title: str


class Line(NamedTuple):
    """A model's accuracy by order."""

    color: int
    """1 to `COLORS`."""
    key: str
    path: str
    """Points of the polyline."""
    points: tuple[Point, ...]


class Curve(NamedTuple):
    """Accuracy by order of the belief, of one source."""

    title: str
    lines: tuple[Line, ...]
    chance: str
    """Points of the polyline of uniform guessing; empty where nobody can guess."""
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


class Dumbbell(NamedTuple):
    """Told and applied, in per cent of the width."""

    told: float
    used: float
    left: float
    right: float
    title: str


def curve_of(
    replies: Sequence[TomSummary], source: str, group: RowGroup, title: str
) -> Curve | None:
    """Accuracy by order; None where a source has fewer than two orders.

    Args:
        replies: The models.
        source: The data set.
        group: `order` or `order_jointly`.
        title: Above the drawing.
    """
    rows = [
        [row for row in one.scores.rows if row.source == source and row.group == group]
        for one in replies
    ]
    orders = sorted({row.name for mine in rows for row in mine}, key=int)
    if len(orders) < 2:
        return None
    places = {order: _x(k, len(orders)) for k, order in enumerate(orders)}
    lines = []
    for number, (one, mine) in enumerate(zip(replies, rows, strict=True)):
        shift = _DODGE_PX * (number - (len(replies) - 1) / 2)
        points = tuple(
            _point(row, row.value, places[row.name] + shift, one.key)
            for row in mine
            if row.value is not None
        )
        path = " ".join(f"{point.x},{point.y}" for point in points)
        lines.append(Line(number % COLORS + 1, one.key, path, points))
    chances = {row.name: row.chance for mine in rows for row in mine if row.chance is not None}
    told = all(order in chances for order in orders)
    return Curve(
        title=title,
        lines=tuple(lines),
        chance=" ".join(f"{places[o]},{_y(chances[o])}" for o in orders) if told else "",
        x_ticks=tuple((places[order], order) for order in orders),
        y_ticks=tuple((_y(k / 4), str(25 * k)) for k in range(5)),
    )


def dumbbell_of(gap: TomGap, key: str) -> Dumbbell:
    """Told and applied of a model."""
    told, used = round(100 * gap.explicit, 2), round(100 * gap.used, 2)
    title = f"{key}: told {told:.1f} %, applied {used:.1f} %, {gap.n_pairs:,} stories"
    return Dumbbell(told, used, min(told, used), max(told, used), title)


def _point(row: TomRow, value: float, x: float, key: str) -> Point:
    title = f"{key}, order {row.name}: {100 * value:.1f} % of {row.n_units:,}"
    low = high = None
    if row.interval is not None:
        low, high = _y(row.interval.low), _y(row.interval.high)
        title += f", interval {100 * row.interval.low:.1f} to {100 * row.interval.high:.1f}"
    return Point(round(x, 1), _y(value), low, high, title)


def _x(place: int, count: int) -> float:
    width = WIDTH - LEFT - RIGHT
    return round(LEFT + width * (place + 0.5) / count, 1)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share, 1)
