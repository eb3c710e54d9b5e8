"""Plants in pots."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.things.colours import glossy, pick_colour
from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import Finish, Item, Mesh, Part, cylinder, ellipsoid, rod, solid
from mira.sim.rooms.things.rotation import Vector, about, compose, rotate, yaw

_SOIL = Finish((0.16, 0.10, 0.07), specular=0.0)
_CLAY = Finish((0.72, 0.37, 0.24), specular=0.05)


def house_plant(rng: Generator) -> Item:
    """A small leafy plant in a clay pot."""
    parts = [solid(_CLAY, _pot(0.07, 0.11)), cylinder(_SOIL, 0.062, 0.004, (0, 0, 0.1))]
    for index in range(26):
        lift = 18 + 62 * (index / 26)
        turn = compose(yaw(137.5 * index), about((0, 1, 0), -lift))
        parts += _leaf(rng, turn, (0, 0, 0.11), float(rng.uniform(0.10, 0.15)), 0.028)
    return Item("plant", "green plant", tuple(parts), 0.15)


def cactus(rng: Generator) -> Item:
    """A cactus with two arms."""
    colour = pick_colour(rng, "white", "yellow", "blue")
    skin = Finish((0.22, 0.48, 0.28), specular=0.1)
    parts = (
        solid(glossy(colour), _pot(0.055, 0.085)),
        cylinder(_SOIL, 0.05, 0.004, (0, 0, 0.077)),
        rod(skin, (0, 0, 0.09), (0, 0, 0.24), 0.03),
        rod(skin, (0, 0, 0.14), (0.062, 0, 0.15), 0.015),
        rod(skin, (0.062, 0, 0.15), (0.064, 0, 0.21), 0.015),
        rod(skin, (0, 0, 0.165), (-0.055, 0, 0.172), 0.013),
        rod(skin, (-0.055, 0, 0.172), (-0.057, 0, 0.225), 0.013),
    )
    return Item("cactus", "green cactus", parts, 0.085)


def floor_plant(rng: Generator) -> Item:
    """A waist-high plant with broad leaves in a floor pot."""
    colour = pick_colour(rng, "white", "grey", "blue")
    trunk = Finish((0.36, 0.27, 0.17))
    parts = [
        solid(glossy(colour), _pot(0.17, 0.3)),
        cylinder(_SOIL, 0.155, 0.004, (0, 0, 0.28)),
        rod(trunk, (0, 0, 0.28), (0.02, 0, 0.75), 0.018),
    ]
    for index in range(30):
        level = 0.5 + 0.4 * index / 30
        turn = compose(yaw(137.5 * index), about((0, 1, 0), -float(rng.uniform(5, 55))))
        parts += _leaf(rng, turn, (0.015, 0, level), float(rng.uniform(0.26, 0.36)), 0.075)
    return Item("plant", "large green plant", tuple(parts), 0.34)


def _leaf(
    rng: Generator,
    turn: tuple[float, float, float, float],
    root: Vector,
    length_m: float,
    half_width_m: float,
) -> list[Part]:
    """A stalk and a blade that points along the turned +x axis."""
    shade = float(rng.uniform(0.75, 1.2))
    green = Finish((0.17 * shade, 0.42 * shade, 0.17 * shade), specular=0.2, shininess=0.4)
    middle = rotate(turn, (length_m * 0.66, 0, 0))
    tip = rotate(turn, (length_m * 0.45, 0, 0))
    spot = (root[0] + middle[0], root[1] + middle[1], root[2] + middle[2])
    end = (root[0] + tip[0], root[1] + tip[1], root[2] + tip[2])
    droop = compose(turn, about((0, 1, 0), 14.0))
    blade = (length_m * 0.36, half_width_m, 0.0025 + 0.01 * length_m)
    return [rod(green, root, end, 0.002 + 0.006 * length_m), ellipsoid(green, blade, spot, droop)]


def _pot(radius_m: float, height_m: float) -> Mesh:
    rim = 0.86 * height_m
    return turned(
        [
            (0, 0), (radius_m * 0.68, 0), (radius_m * 0.92, rim), (radius_m, rim),
            (radius_m, height_m), (radius_m * 0.88, height_m),
            (radius_m * 0.82, rim * 0.9), (0, rim * 0.9),
        ]
    )  # fmt: skip
