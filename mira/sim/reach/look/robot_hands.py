"""Hands of robots: a gripper, one of three fingers, one of five; fingers up, on a forearm."""

from __future__ import annotations

import math

from mira.sim.reach.look.modelling import Look
from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import Finish, Part, Rgb, box, cylinder, rod, solid, sphere
from mira.sim.rooms.things.rotation import Vector

_STEEL = Finish((0.80, 0.82, 0.84), specular=0.6, shininess=0.6)
_RUBBER = Finish((0.13, 0.13, 0.15), specular=0.15)
_FOREARM = ((0.0005, -0.215), (0.036, -0.213), (0.043, -0.2), (0.043, -0.125), (0.035, -0.1))
"""Radius and height of its outline."""
_COLOURS: dict[str, Rgb] = {
    "gripper": (0.05, 0.45, 0.90),
    "three_finger": (0.20, 0.70, 0.10),
    "five_finger": (0.62, 0.20, 0.85),
}
ROBOT_HANDS = tuple(_COLOURS)
"""Names of all looks."""


def robot_hand(name: str, *, left: bool) -> Look:
    """A hand of a robot.

    Args:
        name: Its look, one of `ROBOT_HANDS`.
        left: Whether it is the left hand, its thumb to +y.
    """
    paint = Finish(_COLOURS[name], specular=0.35, shininess=0.5, glow=0.05)
    fingers = {"gripper": _jaws, "three_finger": _three, "five_finger": _five}[name]
    side = 1 if left else -1
    return Look((*_forearm(paint), *fingers(paint, side)))


def _forearm(paint: Finish) -> list[Part]:
    return [
        solid(_STEEL, turned(_FOREARM)),
        cylinder(paint, 0.0445, 0.02, (0, 0, -0.165)),
        cylinder(_RUBBER, 0.026, 0.03, (0, 0, -0.09)),
    ]


def _jaws(paint: Finish, side: int) -> list[Part]:
    """Two flat jaws, open, on a wide body."""
    del side
    parts = [
        box(paint, (0.075, 0.125, 0.075), (0, 0, -0.038)),
        box(_RUBBER, (0.05, 0.135, 0.016), (0, 0, 0.006)),
    ]
    for y in (-0.048, 0.048):
        inwards = -math.copysign(0.012, y)
        parts += [
            box(_STEEL, (0.045, 0.022, 0.045), (0, y, 0.034)),
            box(paint, (0.04, 0.018, 0.07), (0, y, 0.088)),
            box(_RUBBER, (0.042, 0.008, 0.06), (0, y + inwards, 0.09)),
        ]
    return parts


def _three(paint: Finish, side: int) -> list[Part]:
    """Three thick fingers around a round palm."""
    del side
    parts = [
        cylinder(paint, 0.048, 0.06, (0, 0, -0.042)),
        cylinder(_STEEL, 0.05, 0.012, (0, 0, -0.012)),
    ]
    for turn in (90, 210, 330):
        away = (math.cos(math.radians(turn)) * 0.6, math.sin(math.radians(turn)))
        parts += _finger(paint, away, (0.036, 0.072, 0.05), 0.014)
    return parts


def _five(paint: Finish, side: int) -> list[Part]:
    """Four fingers and a thumb on a flat palm, as people have."""
    parts = [
        box(paint, (0.036, 0.088, 0.095), (0, 0, -0.03)),
        box(_STEEL, (0.042, 0.094, 0.016), (0, 0, 0.014)),
    ]
    for number, length in enumerate((0.082, 0.095, 0.088, 0.068)):
        y = side * (0.035 - 0.0235 * number)
        lean = y * 0.35
        knuckle, middle = (0.0, y, 0.025), (-0.004, y + lean * 0.5, 0.025 + length * 0.5)
        tip = (-0.016, y + lean, 0.025 + length)
        parts += _bones(paint, (knuckle, middle, tip), 0.0095)
    thumb = (
        (-0.01, side * 0.045, -0.045),
        (-0.02, side * 0.075, -0.01),
        (-0.03, side * 0.085, 0.025),
    )
    return parts + _bones(paint, thumb, 0.011)


def _finger(
    paint: Finish, away: tuple[float, float], reach_m: tuple[float, float, float], radius_m: float
) -> list[Part]:
    """A finger that leaves the palm sideways and closes above it."""
    root, middle, tip = reach_m
    points = (
        (away[0] * root, away[1] * root, -0.01),
        (away[0] * middle, away[1] * middle, 0.045),
        (away[0] * tip, away[1] * tip, 0.105),
    )
    return _bones(paint, points, radius_m)


def _bones(paint: Finish, points: tuple[Vector, Vector, Vector], radius_m: float) -> list[Part]:
    """Two links with joints of steel and a tip of rubber."""
    root, middle, tip = points
    return [
        rod(paint, root, middle, radius_m),
        rod(_STEEL, middle, tip, radius_m * 0.9),
        sphere(_STEEL, radius_m * 1.15, root),
        sphere(_RUBBER, radius_m * 1.12, middle),
        sphere(_RUBBER, radius_m * 1.1, tip),
    ]
