"""Figures of the page as places in drawings; the template makes SVG of them.

Tracks are as wide as their cell, in per cent. Diagrams have a fixed size in pixels, y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mira.evals.run_report.records import Calibration
from mira.schema.evaluation import Interval

SIDE, LEFT, BOTTOM, TOP, RIGHT = 300.0, 40.0, 38.0, 12.0, 12.0
"""Of a reliability diagram."""


class Track(NamedTuple):
    """A number from 0 to 1 with its interval, in per cent of the width."""

    at: float
    low: float
    high: float
    mark: float | None
    """Where chance is."""
    title: str


class Bar(NamedTuple):
    """A bin of a reliability diagram."""

    x: float
    y: float
    width: float
    height: float
    strength: float
    """Share of the answers that are in the bin, 0 to 1, on a scale for the eye."""
    title: str


class Dot(NamedTuple):
    """Mean confidence and accuracy of a bin."""

    x: float
    y: float


class Reliability(NamedTuple):
    """How often a model is right, by how sure it says it is."""

    bars: tuple[Bar, ...]
    dots: tuple[Dot, ...]
    ticks: tuple[tuple[float, float, str], ...]
    """Place along x, place along y, and what stands there."""


def track_of(
    value: float | None, interval: Interval | None, *, chance: float | None, title: str
) -> Track | None:
    """A number as a track; None without one."""
    if value is None:
        return None
    low, high = (value, value) if interval is None else (interval.low, interval.high)
    told = f"{title}: {100 * value:.1f} %"
    if interval is not None:
        told += f", {100 * interval.level:g} % interval {100 * low:.1f} to {100 * high:.1f}"
    if chance is not None:
        told += f", chance {100 * chance:.1f}"
    mark = None if chance is None else round(100 * chance, 2)
    return Track(round(100 * value, 2), round(100 * low, 2), round(100 * high, 2), mark, told)


def reliability_of(calibration: Calibration) -> Reliability:
    """The reliability diagram of a run."""
    most = max(one.n for one in calibration.bins)
    bars = [
        Bar(
            x=round(_x(one.low) + 0.5, 1),
            y=round(_y(one.accuracy), 1),
            width=round(_x(one.high) - _x(one.low) - 1, 1),
            height=round(_y(0) - _y(one.accuracy), 1),
            strength=round(0.25 + 0.75 * one.n / most, 3),
            title=(
                f"confidence {one.low:.2f} to {one.high:.2f}: {one.n:,} answers, "
                f"{100 * one.accuracy:.1f} % right, {100 * one.mean_confidence:.1f} % sure"
            ),
        )
        for one in calibration.bins
    ]
    dots = [
        Dot(round(_x(one.mean_confidence), 1), round(_y(one.accuracy), 1))
        for one in calibration.bins
    ]
    ticks = ((round(_x(k / 4), 1), round(_y(k / 4), 1), f"{25 * k}") for k in range(5))
    return Reliability(tuple(bars), tuple(dots), tuple(ticks))


class Part(NamedTuple):
    """A share of a bar."""

    name: str
    times: int
    percent: float


def parts_of(counts: dict[str, int]) -> Sequence[Part]:
    """The parts of a bar that are not empty, in their order."""
    total = sum(counts.values())
    return [
        Part(name, count, round(100 * count / total, 2)) for name, count in counts.items() if count
    ]


def _x(share: float) -> float:
    return LEFT + (SIDE - LEFT - RIGHT) * share


def _y(share: float) -> float:
    return SIDE - BOTTOM - (SIDE - BOTTOM - TOP) * share
