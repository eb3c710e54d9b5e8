"""Figures of one trial as places in drawings (paper, figure 7); the template makes SVG of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mira.evals.mosaic.trials import Trial
from mira.schema.step import MosaicMove, MosaicStep

SIDE = 330.0
"""Of the floor, in pixels."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 380.0, 230.0, 36.0, 10.0, 10.0, 24.0
"""Of a diagram over rounds."""
_MARGIN_CELLS = 0.8
_MOST_ROUNDS = 10
_TURNS: dict[MosaicMove, str] = {
    "rotate_other": "turn to the other",
    "rotate_box_0": "turn to the dark box",
    "rotate_box_1": "turn to the light box",
}


class Spot(NamedTuple):
    """Where somebody or something is on the drawing."""

    x: float
    y: float
    title: str


class Way(NamedTuple):
    """An agent's way over the floor."""

    role: str
    points: str
    """As SVG has them."""
    spots: tuple[Spot, ...]
    """After each round."""
    facing: tuple[float, float] | None
    """Where it looks at the end; None in logs that do not tell."""


class Floor(NamedTuple):
    """The room from above, the subject's end at the bottom."""

    width: float
    height: float
    boxes: tuple[Spot, Spot]
    ways: tuple[Way, ...]
    cell: float
    """Length of a grid step, in pixels."""


class Curve(NamedTuple):
    """A number from -1 to 1 over rounds."""

    name: str
    kind: str
    """Class of its colour."""
    points: str
    spots: tuple[Spot, ...]


def floor_of(trial: Trial) -> Floor:
    """Both agents' ways, and the boxes."""
    steps = (*trial.subject, *trial.participant)
    places = [*(step.position_cells for step in steps), *trial.details.boxes_cells]
    xs, ys = zip(*places, strict=True)
    low_x, high_x = min(xs) - _MARGIN_CELLS, max(xs) + _MARGIN_CELLS
    low_y, high_y = min(ys) - _MARGIN_CELLS, max(ys) + _MARGIN_CELLS
    scale = SIDE / max(high_x - low_x, high_y - low_y)

    def place(cell: tuple[float, float]) -> tuple[float, float]:
        return round((cell[0] - low_x) * scale, 1), round((high_y - cell[1]) * scale, 1)

    first, second = (
        Spot(*place(cell), f"{name} box")
        for cell, name in zip(trial.details.boxes_cells, ("dark", "light"), strict=True)
    )
    return Floor(
        width=round((high_x - low_x) * scale, 1),
        height=round((high_y - low_y) * scale, 1),
        boxes=(first, second),
        ways=tuple(
            _way(role, turns, place)
            for role, turns in (("subject", trial.subject), ("participant", trial.participant))
            if turns
        ),
        cell=round(scale, 1),
    )


def move_words(move: MosaicMove | None) -> str:
    """What an agent did, for people; a dash where the log does not tell."""
    if move is None:
        return "–"
    return _TURNS.get(move) or move.replace("_", " ")


def _way(
    role: str,
    turns: Sequence[MosaicStep],
    place: Callable[[tuple[float, float]], tuple[float, float]],
) -> Way:
    places = [place(step.position_cells) for step in turns]
    facing = turns[-1].orientation_cells
    return Way(
        role=role,
        points=_points(places),
        spots=tuple(
            Spot(x, y, f"{role}, round {step.round}: {move_words(step.move)}")
            for (x, y), step in zip(places, turns, strict=True)
        ),
        facing=None if facing is None else place(facing),
    )


def expressions_of(trial: Trial) -> list[Curve]:
    """The subject's face, body and feeling."""
    return _curves(
        ("felt, unseen", "felt", [(step.round, step.felt_valence) for step in trial.subject]),
        ("body", "body", [(step.round, step.physiological_valence) for step in trial.subject]),
        ("face", "face", [(step.round, step.facial_valence) for step in trial.subject]),
    )


def preferences_of(turns: Sequence[MosaicStep]) -> list[Curve]:
    """An agent's preference for the other and for the boxes."""
    boxes = [(step.round, step.preference_boxes) for step in turns]
    return _curves(
        ("the other", "other", [(step.round, step.preference_other) for step in turns]),
        ("dark box", "box0", [(k, pair and pair[0]) for k, pair in boxes]),
        ("light box", "box1", [(k, pair and pair[1]) for k, pair in boxes]),
    )


def diagram_x(number: int) -> float:
    """Place of a round along x."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / (_MOST_ROUNDS - 1), 1)


def diagram_y(value: float) -> float:
    """Place of a number from -1 to 1 along y."""
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value) / 2, 1)


def _curves(*told: tuple[str, str, list[tuple[int, float | None]]]) -> list[Curve]:
    """Curves of what is told in any round."""
    curves = []
    for name, kind, values in told:
        known = [(number, value) for number, value in values if value is not None]
        places = [(diagram_x(number), diagram_y(value)) for number, value in known]
        spots = tuple(
            Spot(x, y, f"{name}, round {number}: {value:.2f}")
            for (x, y), (number, value) in zip(places, known, strict=True)
        )
        if spots:
            curves.append(Curve(name, kind, _points(places), spots))
    return curves


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)
