"""A radar of runs: an axis a sub-task, a shape a run; the template makes SVG of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SIZE, REACH = 380.0, 150.0
"""Width and height, and length of an axis, in pixels."""
MOST_RUNS = 6
"""More shapes over each other cannot be told apart."""


class Spoke(NamedTuple):
    """An axis from the middle, 0, to its end, 1."""

    x: float
    y: float
    label: str
    label_x: float
    label_y: float
    anchor: str
    """Where the label begins: `start`, `middle` or `end`."""


class Shape(NamedTuple):
    """A run."""

    title: str
    points: str
    """As SVG takes them."""


class Radar(NamedTuple):
    """The figure."""

    middle: float
    spokes: tuple[Spoke, ...]
    rings: tuple[str, ...]
    """Shapes of a quarter, a half, three quarters, and all."""
    shapes: tuple[Shape, ...]


def radar_of(
    axes: Sequence[tuple[str, str]], runs: Mapping[str, Mapping[str, float | None]]
) -> Radar | None:
    """Runs over each other; None with fewer than three axes that all of them have.

    Args:
        axes: Name and label of each row that may be an axis.
        runs: Accuracies by row, by run; the first `MOST_RUNS` are drawn.
    """
    chosen = dict(list(runs.items())[:MOST_RUNS])
    known = [
        (name, label)
        for name, label in axes
        if chosen and all(values.get(name) is not None for values in chosen.values())
    ]
    if len(known) < 3:
        return None
    turns = [2 * math.pi * k / len(known) - math.pi / 2 for k in range(len(known))]
    return Radar(
        middle=SIZE / 2,
        spokes=tuple(_spoke(turn, label) for turn, (_, label) in zip(turns, known, strict=True)),
        rings=tuple(_points(turns, [k / 4] * len(known)) for k in range(1, 5)),
        shapes=tuple(
            Shape(title, _points(turns, [values[name] or 0.0 for name, _ in known]))
            for title, values in chosen.items()
        ),
    )


def _spoke(turn: float, label: str) -> Spoke:
    across = math.cos(turn)
    anchor = "middle" if abs(across) < 0.2 else "start" if across > 0 else "end"
    x, y = _at(turn, 1.0)
    label_x, label_y = _at(turn, 1.1)
    return Spoke(x, y, label, label_x, round(label_y + 4, 1), anchor)


def _points(turns: Sequence[float], values: Sequence[float]) -> str:
    places = (_at(turn, value) for turn, value in zip(turns, values, strict=True))
    return " ".join(f"{x},{y}" for x, y in places)


def _at(turn: float, share: float) -> tuple[float, float]:
    reach = REACH * share
    return round(SIZE / 2 + reach * math.cos(turn), 1), round(SIZE / 2 + reach * math.sin(turn), 1)
