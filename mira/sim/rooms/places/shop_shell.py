"""Walls, floor and wood of a shop, and places given from somewhere in it."""

from __future__ import annotations

import math

from numpy.random import Generator

from mira.sim.rooms.places.shell import Shell, Wall
from mira.sim.rooms.things import textures
from mira.sim.rooms.things.colours import matt
from mira.sim.rooms.things.parts import Finish, Rgb
from mira.sim.rooms.things.rotation import Vector


def shop_shell(rng: Generator, height_m: float) -> Shell:
    """A shop: one wall in a strong colour, sometimes two, the others pale."""
    pale = one_of(rng, ((0.90, 0.86, 0.78), (0.86, 0.88, 0.84), (0.92, 0.88, 0.86)))
    strong = one_of(
        rng,
        ((0.30, 0.48, 0.50), (0.72, 0.42, 0.32), (0.44, 0.50, 0.36), (0.58, 0.40, 0.50),
         (0.80, 0.66, 0.36)),
    )  # fmt: skip
    wall = Finish(texture=textures.plaster(rng, pale), tile_m=1.6, specular=0.03)
    accent = Finish(texture=textures.plaster(rng, strong), tile_m=1.6, specular=0.03)
    sides: dict[Wall, Finish] = {"front": accent, "right": wall, "back": wall, "left": wall}
    if rng.random() < 0.5:
        sides["left" if rng.random() < 0.5 else "right"] = accent
    return Shell(
        width_m=float(rng.uniform(4.6, 5.2)),
        depth_m=float(rng.uniform(5.0, 5.6)),
        height_m=height_m,
        walls=sides,
        floor=_floor(rng),
        ceiling=matt("white"),
    )


def wood(rng: Generator) -> Finish:
    """Wood of shelves and counters."""
    tone = one_of(rng, ((0.62, 0.43, 0.27), (0.44, 0.29, 0.18), (0.76, 0.61, 0.42)))
    return Finish(tone, textures.wood(rng, (1.0, 1.0, 1.0)), tile_m=1.2, specular=0.15)


def one_of(rng: Generator, tones: tuple[Rgb, ...]) -> Rgb:
    """One of several colours, drawn evenly."""
    return tones[int(rng.integers(len(tones)))]


def beside(at_m: Vector, yaw_deg: float, x_m: float, y_m: float) -> Vector:
    """A point given in the frame of something that stands at a place and is turned."""
    angle = math.radians(yaw_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    return (at_m[0] + cos * x_m - sin * y_m, at_m[1] + sin * x_m + cos * y_m, at_m[2])


def ahead_of(corner_m: Vector, bearing_deg: float, reach_m: float) -> Vector:
    """A point of the floor in a direction, degrees anticlockwise from +x."""
    angle = math.radians(bearing_deg)
    return (corner_m[0] + reach_m * math.cos(angle), corner_m[1] + reach_m * math.sin(angle), 0.0)


def _floor(rng: Generator) -> Finish:
    if rng.random() < 0.6:
        tone = one_of(rng, ((0.66, 0.48, 0.32), (0.52, 0.36, 0.24), (0.76, 0.62, 0.46)))
        planks = textures.wood(rng, tone, planks=8)
        return Finish(texture=planks, tile_m=1.5, specular=0.2, shininess=0.5)
    tone = one_of(rng, ((0.72, 0.68, 0.62), (0.50, 0.50, 0.52), (0.78, 0.62, 0.50)))
    tiled = textures.tiles(rng, tone, (0.45, 0.43, 0.40), columns=2, rows=2, variation=0.04)
    return Finish(texture=tiled, tile_m=1.0, specular=0.25, shininess=0.6)
