"""Charts of the page as places in drawings; the template makes SVG of them. y goes downwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mira.evals.mirror.records import Group, MirrorValue, PlayerScores
from mira.evals.mirror.stability import LEVELS
from mira.evals.mirror_report.published import published_value
from mira.evals.mirror_report.scales import Scale, rounded_range

WIDTH, HEIGHT = 360.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 16.0, 12.0, 34.0
REFERENCES = ("Random", "Gemini-2.5-Pro-API")
_COLOURS = 8


class Dot(NamedTuple):
    """A number with its interval in a chart."""

    x: float
    y: float
    low: float
    high: float
    title: str


class Curve(NamedTuple):
    """A player's numbers by level."""

    name: str
    colour: int
    points: str
    band: str
    dots: tuple[Dot, ...]


class LevelChart(NamedTuple):
    """Scores by level, of one group of bodies."""

    title: str
    curves: tuple[Curve, ...]
    references: tuple[tuple[str, str], ...]
    """Name and points of published rows."""
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]


class Cross(NamedTuple):
    """A player in the plane of performance and stability."""

    name: str
    colour: int
    x: float
    y: float
    x_span: tuple[float, float]
    y_span: tuple[float, float]
    title: str
    ends: bool
    """Whether its name stands to the left of it."""


class StabilityChart(NamedTuple):
    """Stability against performance."""

    crosses: tuple[Cross, ...]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    random_x: float
    zero_y: float


def colour_of(place: int) -> int:
    """Number of a player's colour."""
    return place % _COLOURS + 1


def level_chart(players: Sequence[PlayerScores], group: Group, title: str) -> LevelChart:
    """Mean scores by level with their intervals, and those of published rows."""
    rows = [[player.row(group, level) for level in LEVELS] for player in players]
    spans = [_span(row.avg) for of in rows for row in of if row and row.avg.value is not None]
    published = {
        name: [published_value(name, group, "avg", level) for level in LEVELS]
        for name in REFERENCES
    }
    # Published random play is of all levels together.
    random = published_value("Random", group, "avg")
    published["Random"] = [random] * len(LEVELS)
    known = [value for values in published.values() for value in values if value is not None]
    low, high = rounded_range(
        [*(end for span in spans for end in span), *known], step=0.2, least=(0.0, 1.0)
    )
    x = Scale(0, 3, LEFT + 14, WIDTH - RIGHT - 14)
    y = Scale(low, high, HEIGHT - BOTTOM, TOP)
    curves = []
    for place, (player, of) in enumerate(zip(players, rows, strict=True)):
        dots = tuple(
            _dot(x, y, level, row.avg, f"{player.name}, level {level}")
            for level, row in zip(LEVELS, of, strict=True)
            if row is not None and row.avg.value is not None
        )
        band = [f"{dot.x},{dot.high}" for dot in dots]
        band += [f"{dot.x},{dot.low}" for dot in reversed(dots)]
        points = " ".join(f"{dot.x},{dot.y}" for dot in dots)
        curves.append(Curve(player.name, colour_of(place), points, " ".join(band), dots))
    references = tuple(
        (
            name,
            " ".join(
                f"{x.at(level)},{y.at(value)}"
                for level, value in zip(LEVELS, values, strict=True)
                if value is not None
            ),
        )
        for name, values in published.items()
    )
    return LevelChart(
        title,
        tuple(curves),
        references,
        [(x.at(level), str(level)) for level in LEVELS],
        y.ticks(0.2 if high - low <= 2 else 0.4),
    )


def stability_chart(players: Sequence[PlayerScores]) -> StabilityChart | None:
    """Cognitive Stability against the mean score; None where no player has it."""
    found = [
        (place, player, player.row("overall"), player.stability[0])
        for place, player in enumerate(players)
        if player.stability
    ]
    if not found:
        return None
    spans = [_span(row.avg) for _, _, row, _ in found if row]
    falls = [_span(one.value) for *_, one in found]
    low, high = rounded_range([end for span in spans for end in span], step=0.2, least=(0.0, 1.0))
    least, most = rounded_range([end for span in falls for end in span], step=0.5, least=(-0.5, 1))
    x = Scale(low, high, LEFT, WIDTH - RIGHT)
    y = Scale(least, most, HEIGHT - BOTTOM, TOP)
    crosses = []
    for place, player, row, one in found:
        if row is None or row.avg.value is None or one.value.value is None:
            continue
        (left, right), (bottom, top) = _span(row.avg), _span(one.value)
        crosses.append(
            Cross(
                player.name,
                colour_of(place),
                x.at(row.avg.value),
                y.at(one.value.value),
                (x.at(left), x.at(right)),
                (y.at(bottom), y.at(top)),
                f"{player.name}: AVG {_told(row.avg)}, stability {_told(one.value)}",
                x.at(row.avg.value) > WIDTH * 0.6,
            )
        )
    random = published_value("Random", "overall", "avg") or 0.0
    return StabilityChart(tuple(crosses), x.ticks(0.2), y.ticks(0.5), x.at(random), y.at(0))


def _dot(x: Scale, y: Scale, level: int, value: MirrorValue, title: str) -> Dot:
    low, high = _span(value)
    told = f"{title}: {_told(value)}"
    return Dot(x.at(level), y.at(value.value or 0), y.at(low), y.at(high), told)


def _span(value: MirrorValue) -> tuple[float, float]:
    """The ends of the interval; the number itself where there is none."""
    if value.interval is not None:
        return value.interval.low, value.interval.high
    return value.value or 0.0, value.value or 0.0


def _told(value: MirrorValue) -> str:
    if value.value is None:
        return "–"
    text = f"{value.value:.3f}"
    if value.interval is not None:
        text += f" ({value.interval.low:.3f} to {value.interval.high:.3f})"
    return text.replace("-", "−")
