"""A radar of runs: an axis a sub-task, a shape a run; the template makes SVG of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mira.report.radar_web import RadarWeb, Spoke

SIZE, REACH = 380.0, 150.0
"""Width and height, and length of an axis, in pixels."""
MOST_RUNS = 6
"""More shapes over each other cannot be told apart."""


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
    web = RadarWeb(SIZE, REACH, len(known))
    return Radar(
        middle=SIZE / 2,
        spokes=web.spokes([label for _, label in known], labels_at=1.1),
        rings=web.rings(),
        shapes=tuple(
            Shape(title, web.shape([values[name] or 0.0 for name, _ in known]))
            for title, values in chosen.items()
        ),
    )
