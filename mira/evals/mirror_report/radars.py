"""Radars of the page as places in drawings; the template makes SVG of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from mira.evals.mirror.measuring import METRICS
from mira.evals.mirror.records import Group, PlayerScores
from mira.evals.mirror_report.charts import colour_of
from mira.evals.mirror_report.published import published_value

RADAR = 260.0
"""Width and height."""
_AXES: tuple[tuple[Group, str], ...] = (
    *(("human", metric) for metric in METRICS),
    *(("robot", metric) for metric in reversed(METRICS)),
)


class Spoke(NamedTuple):
    """An axis of a radar."""

    x: float
    y: float
    label: str
    label_x: float
    label_y: float
    anchor: str


class Radar(NamedTuple):
    """A player's numbers around a centre."""

    name: str
    colour: int
    points: str
    random: str
    spokes: tuple[Spoke, ...]
    rings: tuple[str, ...]


def radar_of(player: PlayerScores, place: int) -> Radar:
    """Metrics of humans and robots around a centre; FCR from -1, all else from 0."""
    turns = [2 * math.pi * (k + 0.5) / len(_AXES) - math.pi / 2 for k in range(len(_AXES))]
    own, random = [], []
    for group, metric in _AXES:
        row = player.row(group)
        own.append(_share(metric, getattr(row, metric).value if row else None))
        random.append(_share(metric, published_value("Random", group, metric)))
    labels = [f"{group.capitalize()} {metric.upper()}" for group, metric in _AXES]
    return Radar(
        player.name,
        colour_of(place),
        _around(turns, own),
        _around(turns, random),
        tuple(_spoke(turn, label) for turn, label in zip(turns, labels, strict=True)),
        tuple(_around(turns, [share] * len(_AXES)) for share in (0.25, 0.5, 0.75, 1)),
    )


def _share(metric: str, value: float | None) -> float:
    """How far out a number is, 0 to 1."""
    low = -1.0 if metric == "fcr" else 0.0
    return 0.0 if value is None else min(max((value - low) / (1 - low), 0.0), 1.0)


def _place(turn: float, share: float) -> tuple[float, float]:
    radius = share * (RADAR / 2 - 46)
    return RADAR / 2 + radius * math.cos(turn), RADAR / 2 + radius * math.sin(turn)


def _around(turns: Sequence[float], shares: Sequence[float]) -> str:
    places = (_place(turn, share) for turn, share in zip(turns, shares, strict=True))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _spoke(turn: float, label: str) -> Spoke:
    x, y = _place(turn, 1)
    label_x, label_y = _place(turn, 1.13)
    side = math.cos(turn)
    anchor = "middle" if abs(side) < 0.2 else "start" if side > 0 else "end"
    return Spoke(round(x, 1), round(y, 1), label, round(label_x, 1), round(label_y + 4, 1), anchor)
