"""Figures of the report as places in drawings; the template makes SVG of them.

Diagrams have a fixed size in pixels, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.forms import METRIC_TITLES, NONE, format_number
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.records import MetricName, MosaicScores

WIDTH, HEIGHT = 280.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 26.0, 12.0, 36.0
LABEL_HEIGHT = 13.0
HEAT_MAPS: tuple[MetricName, ...] = ("tas", "gas", "fes", "s")
"""Panels of the paper's figure 3."""
COLOURS = 8
"""Runs with a line of their own colour; later ones begin anew."""


class Axes(NamedTuple):
    """A square of numbers on a diagram."""

    low: float
    high: float
    """Range of y; that of x is 0 to 1."""

    def x(self, value: float) -> float:
        """Place of a number from 0 to 1 along x."""
        return round(LEFT + (WIDTH - LEFT - RIGHT) * value, 1)

    def y(self, value: float) -> float:
        """Place of a number along y."""
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share, 1)

    def ticks(self) -> tuple[tuple[float, float, str, str], ...]:
        """Place along x and y of five lines, and the numbers there."""
        steps = [k / 4 for k in range(5)]
        values = [self.low + (self.high - self.low) * step for step in steps]
        return tuple(
            (self.x(step), self.y(value), f"{step:g}", f"{value:g}")
            for step, value in zip(steps, values, strict=True)
        )


SHARES, SIGNS = Axes(0, 1), Axes(-1, 1)


_APART = 18
"""From a dot to the next, in units of the picture."""


class Dot(NamedTuple):
    """A run on a diagram."""

    x: float
    y: float
    number: int
    """Of the run."""
    kind: str
    """Class of its colour."""
    title: str


class Line(NamedTuple):
    """A run over thresholds."""

    points: str
    """As SVG has them."""
    end: tuple[float, float]
    """Where its number stands."""
    number: int
    colour: int
    title: str


class HeatCell(NamedTuple):
    """A number with a colour."""

    text: str
    strength: int
    """How far it is from 0, in per cent."""
    sign: str
    """`for`, `against`, or `none`."""
    title: str


class HeatMap(NamedTuple):
    """One metric of all runs and conditions."""

    title: str
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]


def bias_kind(bias: float | None, policy: MosaicPolicy) -> str:
    """Class of a positional bias: `low`, `medium`, `high`; `none` where no trial was decided."""
    if bias is None:
        return "none"
    return "high" if bias >= policy.high_bias else "medium" if bias >= policy.medium_bias else "low"


def conformance_dots(scores: MosaicScores) -> list[tuple[str, tuple[Dot, ...]]]:
    """TOCS against uncertainty with bias as colour, a panel a condition (figure 2)."""
    panels = []
    for condition in CONDITIONS:
        dots: list[Dot] = []
        for number, run in enumerate(scores.runs, start=1):
            cell = scores.cell(run.key, condition.id)
            if cell is None or not cell.n:
                continue
            tocs, unsure = cell.metric("tocs").value or 0, cell.metric("uncertainty").value or 0
            bias = cell.metric("bias_decided").value
            title = (
                f"{run.key}: TOCS {tocs:.3f}, uncertainty {unsure:.3f}, "
                f"bias {format_number(bias)}, {cell.n:,} trials"
            )
            kind = bias_kind(bias, scores.policy)
            x, y = _free_place(SHARES.x(unsure), SHARES.y(tocs), dots)
            dots.append(Dot(x, y, number, kind, title))
        panels.append((condition.title, tuple(dots)))
    return panels


def _free_place(x: float, y: float, taken: Sequence[Dot]) -> tuple[float, float]:
    """Where a dot hides none that is there: its own place, or the next one beside it."""
    step = _APART if x < SHARES.x(0.5) else -_APART
    while any(abs(one.x - x) < _APART / 2 and abs(one.y - y) < _APART / 2 for one in taken):
        x += step
    return x, y


def heat_maps(scores: MosaicScores) -> list[HeatMap]:
    """Four metrics by run and condition (figure 3)."""
    return [
        HeatMap(
            METRIC_TITLES[metric],
            tuple((run.key, tuple(_heat(scores, run.key, metric))) for run in scores.runs),
        )
        for metric in HEAT_MAPS
    ]


def _heat(scores: MosaicScores, run: str, metric: MetricName) -> Iterator[HeatCell]:
    for condition in CONDITIONS:
        cell = scores.cell(run, condition.id)
        found = None if cell is None else cell.metric(metric)
        if found is None or found.value is None:
            yield HeatCell(NONE, 0, "none", "not told")
            continue
        sign = "for" if found.value > 0 else "against" if found.value < 0 else "none"
        title = f"{run}, {condition.title}: {found.n:,} trials"
        if found.interval:
            bounds = f"{found.interval.low:.3f} to {found.interval.high:.3f}"
            title += f", {100 * found.interval.level:g} % interval {bounds}"
        text = format_number(found.value, 2)
        yield HeatCell(text, round(100 * abs(found.value)), sign, title)


def sweep_lines(scores: MosaicScores) -> list[tuple[str, tuple[Line, ...]]]:
    """GAS by threshold of gaze, a panel a condition."""
    panels = []
    for condition in CONDITIONS:
        lines = []
        for number, run in enumerate(scores.runs, start=1):
            found = sorted(
                (one.threshold, one.gas)
                for one in scores.sweep
                if (one.run, one.condition) == (run.key, condition.id) and one.gas is not None
            )
            if found:
                lines.append(_line(found, number, run.key))
        panels.append((condition.title, tuple(_apart(lines))))
    return panels


def _apart(lines: Sequence[Line]) -> list[Line]:
    """Lines whose numbers do not stand on each other, those of equal height in their order."""
    lowest = float("-inf")
    placed = {}
    for line in sorted(lines, key=lambda line: (line.end[1], line.number)):
        x, y = line.end
        lowest = max(y, lowest + LABEL_HEIGHT)
        placed[line.number] = line._replace(end=(x, round(lowest, 1)))
    return [placed[line.number] for line in lines]


def _line(found: Sequence[tuple[float, float]], number: int, key: str) -> Line:
    places = [(SIGNS.x(threshold), SIGNS.y(gas)) for threshold, gas in found]
    told = ", ".join(f"{threshold:g}: {gas:.3f}" for threshold, gas in found)
    return Line(
        points=" ".join(f"{x},{y}" for x, y in places),
        end=places[-1],
        number=number,
        colour=(number - 1) % COLOURS,
        title=f"{key}, GAS by threshold. {told}",
    )
