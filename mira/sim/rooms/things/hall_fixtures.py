"""An entrance hall's fixtures, which nobody outlines: console, coat rail, shelf, door, mat."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import office_prints as prints
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, matt, pick_colour
from mira.sim.rooms.things.parts import Finish, Item, Part, box, cylinder, rod, sphere
from mira.sim.rooms.things.rotation import UPRIGHT


def console(width_m: float, depth_m: float, height_m: float, top: Finish, legs: Finish) -> Item:
    """A narrow table with two drawers and a board near the floor, its back on y = 0."""
    y = -depth_m / 2
    parts = [
        box(top, (width_m, depth_m, 0.03), (0, y, height_m - 0.015)),
        box(top, (width_m - 0.08, depth_m - 0.06, 0.13), (0, y, height_m - 0.095)),
        box(top, (width_m - 0.06, depth_m - 0.06, 0.022), (0, y, 0.16)),
    ]
    for side in (-1.0, 1.0):
        wide = (width_m - 0.1) / 2 - 0.015
        x = side * (wide / 2 + 0.008)
        parts.append(
            box(top, (wide, 0.108, 0.018), (x, -depth_m + 0.025, height_m - 0.095), UPRIGHT)
        )
        parts.append(sphere(BRASS, 0.014, (x, -depth_m + 0.006, height_m - 0.095)))
        for leg_y in (-0.045, -depth_m + 0.045):
            at = (side * (width_m / 2 - 0.04), leg_y, (height_m - 0.03) / 2)
            parts.append(box(legs, (0.045, 0.045, height_m - 0.03), at))
    return Item("table", "console table", tuple(parts), width_m / 2, annotated=False)


def coat_rail(width_m: float, hooks: int, board: Finish) -> Item:
    """A board with hooks, its hooks at z = 0 and its back on y = 0."""
    parts: list[Part] = [box(board, (width_m, 0.02, 0.12), (0, -0.01, 0.03))]
    for x in hook_places_m(width_m, hooks):
        parts.append(rod(BRASS, (x, -0.02, 0.005), (x, -0.05, -0.005), 0.007))
        parts.append(rod(BRASS, (x, -0.05, -0.005), (x, -0.06, 0.03), 0.007))
        parts.append(sphere(BRASS, 0.012, (x, -0.061, 0.036)))
    return Item("coat rail", "coat rail", tuple(parts), width_m / 2, annotated=False)


def hook_places_m(width_m: float, hooks: int) -> list[float]:
    """Where the hooks of a coat rail are, along it from its middle."""
    return [float(x) for x in (np.arange(hooks) - (hooks - 1) / 2) * width_m / hooks]


def door_mat(rng: Generator) -> Item:
    """A flat mat before a door, to be read from the front."""
    print_ = Finish(
        texture=prints.door_mat(rng, (0.55, 0.42, 0.27), (0.16, 0.12, 0.1)), specular=0.0
    )
    parts = (box(print_, (0.7, 0.42, 0.012), (0, 0, 0.006)),)
    return Item("door mat", "door mat", parts, 0.41, annotated=False)


def front_door(rng: Generator, *, night: bool) -> Item:
    """A house door with two panes of frosted glass that glow by day, the back on y = 0."""
    tone = COLOURS[pick_colour(rng, "blue", "green", "red", "brown", "white")]
    leaf = Finish((0.85 * tone[0], 0.85 * tone[1], 0.85 * tone[2]), specular=0.25, shininess=0.5)
    frame = matt("white")
    pane = Finish((0.12, 0.15, 0.22)) if night else Finish((0.92, 0.96, 1.0), glow=0.75)
    parts = [
        box(leaf, (0.9, 2.05, 0.04), (0, -0.02, 1.025), UPRIGHT),
        box(frame, (1.06, 0.08, 0.06), (0, -0.03, 2.09), UPRIGHT),
        box(STEEL, (0.24, 0.05, 0.012), (0, -0.046, 0.95), UPRIGHT, name="letter box"),
        rod(BRASS, (0.39, -0.08, 1.0), (0.29, -0.08, 1.0), 0.011),
        cylinder(BRASS, 0.024, 0.012, (0.39, -0.046, 1.0), UPRIGHT),
        rod(BRASS, (0.39, -0.04, 1.0), (0.39, -0.08, 1.0), 0.009),
    ]
    for side in (-1.0, 1.0):
        parts.append(box(frame, (0.08, 2.05, 0.06), (side * 0.49, -0.03, 1.025), UPRIGHT))
        parts.append(box(pane, (0.24, 0.8, 0.01), (side * 0.19, -0.0425, 1.5), UPRIGHT))
        parts.append(box(frame, (0.27, 0.5, 0.01), (side * 0.19, -0.041, 0.5), UPRIGHT))
        parts.append(box(leaf, (0.23, 0.46, 0.012), (side * 0.19, -0.042, 0.5), UPRIGHT))
    return Item("door", "front door", tuple(parts), 0.55, annotated=False)


def wall_hook_shelf(width_m: float, board: Finish) -> Item:
    """A board over a coat rail for hats, its top on z = 0 and its back on y = 0."""
    parts: list[Part] = [box(board, (width_m, 0.26, 0.024), (0, -0.13, -0.012))]
    for side in (-1.0, 1.0):
        x = side * (width_m / 2 - 0.05)
        parts.append(box(board, (0.024, 0.2, 0.1), (x, -0.1, -0.07)))
    return Item("shelf", "hat shelf", tuple(parts), width_m / 2, annotated=False)
