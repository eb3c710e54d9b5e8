"""Each person's mean IoU round by round, as small figures with the same axes.

Units are pixels of a drawing 360 wide and 190 high, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from annotate.agreement_report.figures import Tick
from annotate.agreement_report.records import PersonRound, PersonSummary, Trend
from annotate.agreement_report.words import format_interval, format_iou

WIDTH, HEIGHT = 360.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 14.0, 12.0, 34.0
_MARGIN = 16.0
"""Between the axis and the first and last round."""
_Moment = tuple[datetime | None, str]
"""When a round was scored, and what it is called."""
_ROLE_WORDS = {"annotator": "drew, audited by", "auditor": "audited"}


class DriftDot(NamedTuple):
    """One round of a person."""

    x: float
    y: float
    low_y: float | None
    """Lower end of the interval; None without one."""
    high_y: float | None
    """Upper end."""
    is_auditor: bool
    """Whether the person was the auditor."""
    title: str
    """What it says when one points at it."""


class DriftPanel(NamedTuple):
    """One person's figure."""

    person: str
    """Who."""
    summary: PersonSummary
    """Their numbers."""
    trend: str
    """How the last round as annotator differs from the first, in words; empty where it does not."""
    dots: tuple[DriftDot, ...]
    """By time."""
    line: str
    """Points of the line through the rounds as annotator, as SVG has them; empty below two."""
    dates: tuple[Tick, ...]
    """Days of the first and the last of all rounds."""
    y_ticks: tuple[Tick, ...]


class DriftFigure(NamedTuple):
    """All people's figures."""

    panels: tuple[DriftPanel, ...]
    """By name."""
    lowest: float
    """IoU at the lower end of the axis."""

    def y_of(self, iou: float) -> float:
        """Where an IoU is on the axis."""
        return round(_y_of(iou, self.lowest), 1)


def plot_drift(people: Sequence[PersonSummary]) -> DriftFigure | None:
    """Figures of all people; None where nobody has two rounds with a time and shapes."""
    told = {person.person: [step for step in person.rounds if _is_told(step)] for person in people}
    if max(map(len, told.values()), default=0) < 2:
        return None
    steps = [step for rounds in told.values() for step in rounds]
    ends = [step.interval.low if step.interval else step.mean_iou for step in steps]
    lowest = min(0.9, math.floor(10 * min(end for end in ends if end is not None)) / 10)
    # By order, not by hours: rounds of one afternoon would lie on each other.
    order = sorted({(step.at, step.title) for step in steps if step.at is not None})
    places: dict[_Moment, int] = {moment: k for k, moment in enumerate(order)}
    ticks = tuple(Tick(round(_y_of(share, lowest), 1), f"{share:g}") for share in _shares(lowest))
    dates = tuple(
        Tick(_x_of(k, len(order)), f"{order[k][0]:%Y-%m-%d}") for k in sorted({0, len(order) - 1})
    )
    panels = []
    for person in people:
        dots = [_dot(step, places, lowest) for step in told[person.person]]
        line = [f"{dot.x:g},{dot.y:g}" for dot in dots if not dot.is_auditor]
        panels.append(
            DriftPanel(
                person=person.person,
                summary=person,
                trend=_trend_words(person.trend),
                dots=tuple(dots),
                line=" ".join(line) if len(line) > 1 else "",
                dates=dates,
                y_ticks=ticks,
            )
        )
    return DriftFigure(tuple(panels), lowest)


def _trend_words(trend: Trend | None) -> str:
    if trend is None:
        return ""
    ends = (
        f"{format_iou(step.mean_iou)} with {step.partner}" for step in (trend.first, trend.last)
    )
    return f"{trend.direction} from {' to '.join(ends)}"


def _is_told(step: PersonRound) -> bool:
    return step.at is not None and step.mean_iou is not None


def _dot(step: PersonRound, places: dict[_Moment, int], lowest: float) -> DriftDot:
    assert step.mean_iou is not None
    interval = step.interval
    ends = (interval.low, interval.high) if interval else (None, None)
    low_y, high_y = (None if end is None else round(_y_of(end, lowest), 1) for end in ends)
    number = f"IoU {format_iou(step.mean_iou)}"
    if interval:
        number += f" ({format_interval(interval)})"
    return DriftDot(
        x=_x_of(places[step.at, step.title], len(places)),
        y=round(_y_of(step.mean_iou, lowest), 1),
        low_y=low_y,
        high_y=high_y,
        is_auditor=step.role == "auditor",
        title=f"{step.title}: {_ROLE_WORDS[step.role]} {step.partner}, {number}",
    )


def _x_of(place: int, count: int) -> float:
    start, end = LEFT + _MARGIN, WIDTH - RIGHT - _MARGIN
    return round(start + (end - start) * (place / (count - 1) if count > 1 else 0.5), 1)


def _y_of(iou: float, lowest: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (iou - lowest) / (1 - lowest)


def _shares(lowest: float) -> tuple[float, ...]:
    step = 0.05 if lowest >= 0.8 else 0.1 if lowest >= 0.5 else 0.25
    return tuple(k * step for k in range(round(1 / step) + 1) if k * step >= lowest - step / 100)
