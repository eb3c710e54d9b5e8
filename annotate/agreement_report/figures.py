"""Figures of the report as places in a drawing of fixed size; the template makes SVG of them.

Units are pixels of a drawing 560 wide, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from annotate.agreement.comparison import Role, ShapePair
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.words import format_iou

WIDTH, LEFT, RIGHT, TOP = 560.0, 52.0, 12.0, 14.0
HEIGHT, BOTTOM = 250.0, 46.0
ROLES: tuple[Role, ...] = ("surface", "instance")
_BINS = 20
_MOST_TICKS = 4
_ALONE_WIDTH = 74.0
"""Room left of a histogram for shapes without a partner."""


class Tick(NamedTuple):
    """A mark of an axis."""

    at: float
    """Where, along the axis."""
    text: str
    """What it says."""


class Bar(NamedTuple):
    """A bar of a histogram."""

    x: float
    y: float
    width: float
    height: float
    title: str
    """What it says when one points at it."""
    is_alone: bool
    """Whether it counts shapes without a partner."""


class Histogram(NamedTuple):
    """How often each IoU occurs."""

    role: Role
    """Kind of shape."""
    n: int
    """Shapes."""
    bars: tuple[Bar, ...]
    """Those that count something."""
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


class Dot(NamedTuple):
    """A shape of a scatter."""

    x: float
    y: float
    role: Role
    """Kind of shape."""
    is_near: bool
    """Whether it is a near miss."""
    title: str
    """What it says when one points at it."""


class Scatter(NamedTuple):
    """IoU by area."""

    dots: tuple[Dot, ...]
    """Shapes, near misses last and so on top."""
    n_left_out: int
    """Shapes that are not shown."""
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def plot_histograms(pairs: Sequence[ShapePair]) -> tuple[Histogram, ...]:
    """A histogram of IoU for each role that occurs; shapes without a partner have a bar apart."""
    by_role = ((role, [pair for pair in pairs if pair.role == role]) for role in ROLES)
    return tuple(_histogram(role, found) for role, found in by_role if found)


def plot_scatter(pairs: Sequence[ShapePair], *, policy: ReportPolicy) -> Scatter | None:
    """IoU of shapes by their area, on a logarithmic axis; None without shapes."""
    near = [pair for pair in pairs if pair.iou < policy.agreement.near_miss_iou]
    others = [pair for pair in pairs if pair.iou >= policy.agreement.near_miss_iou]
    others = _thinned(others, max(0, policy.points_per_plot - len(near)))
    shown = [*others, *_thinned(near, policy.points_per_plot)]
    if not shown:
        return None
    areas = [max(1.0, pair.area_px) for pair in shown]
    low = math.floor(math.log10(min(areas)))
    high = max(low + 1, math.ceil(math.log10(max(areas))))

    def x_of(area: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(area) - low) / (high - low)

    return Scatter(
        dots=tuple(
            Dot(
                round(x_of(area), 1),
                round(y_of_share(pair.iou), 1),
                pair.role,
                pair.iou < policy.agreement.near_miss_iou,
                f"{pair.image_id}, {pair.role} {pair.label.replace('_', ' ')}: "
                f"IoU {format_iou(pair.iou)}, {pair.area_px:,.0f} px²",
            )
            for pair, area in zip(shown, areas, strict=True)
        ),
        n_left_out=len(pairs) - len(shown),
        x_ticks=tuple(Tick(round(x_of(10.0**k), 1), f"{10**k:,}") for k in range(low, high + 1)),
        y_ticks=share_ticks(),
    )


def x_of_share(share: float) -> float:
    """Where a share from 0 to 1 is on the horizontal axis of histograms."""
    start = LEFT + _ALONE_WIDTH
    return start + (WIDTH - RIGHT - start) * share


def y_of_share(share: float) -> float:
    """Where a share from 0 to 1 is on the vertical axis."""
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share


def share_ticks() -> tuple[Tick, ...]:
    """Marks of a vertical axis of shares."""
    return tuple(Tick(round(y_of_share(k / 4), 1), f"{k / 4:g}") for k in range(5))


def count_ticks(most: int) -> tuple[int, ...]:
    """Round numbers from 0 to the first that is not below a count."""
    step = next(
        step
        for power in range(16)
        for step in (10**power, 2 * 10**power, 5 * 10**power)
        if step * _MOST_TICKS >= most
    )
    return tuple(range(0, step * max(1, math.ceil(most / step)) + 1, step))


def _histogram(role: Role, pairs: Sequence[ShapePair]) -> Histogram:
    matched = [pair for pair in pairs if pair.is_matched]
    counts = [0] * _BINS
    for pair in matched:
        counts[min(_BINS - 1, int(pair.iou * _BINS))] += 1
    n_alone = len(pairs) - len(matched)
    ticks = count_ticks(max(n_alone, *counts))

    def bar(left: float, right: float, count: int, title: str, *, is_alone: bool) -> Bar:
        top = y_of_share(count / ticks[-1])
        return Bar(
            round(left + 1, 1),
            round(top, 1),
            round(right - left - 2, 1),
            round(HEIGHT - BOTTOM - top, 1),
            title,
            is_alone,
        )

    bars = [
        bar(
            x_of_share(k / _BINS),
            x_of_share((k + 1) / _BINS),
            count,
            f"IoU {k / _BINS:.2f} to {(k + 1) / _BINS:.2f}: {count:,}",
            is_alone=False,
        )
        for k, count in enumerate(counts)
        if count
    ]
    if n_alone:
        right = LEFT + _ALONE_WIDTH * 0.72
        bars.append(bar(LEFT + 4, right, n_alone, f"unmatched: {n_alone:,}", is_alone=True))
    return Histogram(
        role=role,
        n=len(pairs),
        bars=tuple(bars),
        x_ticks=tuple(Tick(round(x_of_share(k / 5), 1), f"{k / 5:g}") for k in range(6)),
        y_ticks=tuple(Tick(round(y_of_share(k / ticks[-1]), 1), f"{k:,}") for k in ticks),
    )


def _thinned(pairs: Sequence[ShapePair], most: int) -> list[ShapePair]:
    """Evenly many of some shapes, whatever their number."""
    if len(pairs) <= most:
        return list(pairs)
    return [pairs[k * len(pairs) // most] for k in range(most)]
