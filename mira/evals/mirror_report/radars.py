"""Radars of the page as places in drawings; the template makes SVG of them."""

from __future__ import annotations

from typing import NamedTuple

from mira.evals.mirror.measuring import METRICS
from mira.evals.mirror.records import Group, PlayerScores
from mira.evals.mirror_report.charts import colour_of
from mira.evals.mirror_report.published import published_value
from mira.report.radar_web import RadarWeb, Spoke

RADAR, _REACH = 260.0, 84.0
"""Width and height, and length of an axis, in pixels."""
_AXES: tuple[tuple[Group, str], ...] = (
    *(("human", metric) for metric in METRICS),
    *(("robot", metric) for metric in reversed(METRICS)),
)


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
    web = RadarWeb(RADAR, _REACH, len(_AXES), turned=0.5)
    own, random = [], []
    for group, metric in _AXES:
        row = player.row(group)
        own.append(_share(metric, getattr(row, metric).value if row else None))
        random.append(_share(metric, published_value("Random", group, metric)))
    labels = [f"{group.capitalize()} {metric.upper()}" for group, metric in _AXES]
    return Radar(
        player.name,
        colour_of(place),
        web.shape(own),
        web.shape(random),
        web.spokes(labels, labels_at=1.13),
        web.rings(),
    )


def _share(metric: str, value: float | None) -> float:
    """How far out a number is, 0 to 1."""
    low = -1.0 if metric == "fcr" else 0.0
    return 0.0 if value is None else min(max((value - low) / (1 - low), 0.0), 1.0)
