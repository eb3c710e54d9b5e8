"""Furniture and fixtures: what small things stand on, and what a room has along its walls."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, ring, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    Texture,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about
from mira.sim.rooms.things.textures import book_spines, sky


def cabinet(width_m: float, depth_m: float, height_m: float, top: Finish, front: Finish) -> Item:
    """A closed counter with doors, its back on y = 0; things stand on z = `height_m`."""
    body = height_m - 0.13
    middle = -depth_m / 2
    parts = [
        box(top, (width_m, depth_m, 0.04), (0, middle, height_m - 0.02)),
        box(front, (width_m - 0.04, depth_m - 0.04, body), (0, middle + 0.02, 0.09 + body / 2)),
        box(matt("black"), (width_m - 0.08, depth_m - 0.12, 0.09), (0, middle + 0.05, 0.045)),
    ]
    doors = max(2, round(width_m / 0.5))
    door_width = (width_m - 0.06) / doors
    for index in range(doors):
        x = -width_m / 2 + 0.03 + door_width * (index + 0.5)
        face = (door_width - 0.012, body - 0.03, 0.02)
        parts.append(box(front, face, (x, -depth_m + 0.012, 0.09 + body / 2), UPRIGHT))
        grip = x + (door_width / 2 - 0.05) * (1 if index % 2 == 0 else -1)
        high = 0.09 + body * 0.72
        parts.append(
            rod(STEEL, (grip, -depth_m - 0.016, high), (grip, -depth_m - 0.016, high - 0.12), 0.006)
        )
    return Item("cabinet", "cabinet", tuple(parts), width_m / 2, annotated=False)


def table(width_m: float, depth_m: float, height_m: float, top: Finish) -> Item:
    """A console table on four legs with an apron, its back on y = 0."""
    parts = [
        box(top, (width_m, depth_m, 0.035), (0, -depth_m / 2, height_m - 0.0175)),
        box(top, (width_m - 0.1, depth_m - 0.08, 0.09), (0, -depth_m / 2, height_m - 0.08)),
    ]
    for side in (-1.0, 1.0):
        for y in (-0.05, -depth_m + 0.05):
            parts.append(
                box(
                    top,
                    (0.05, 0.05, height_m - 0.03),
                    (side * (width_m / 2 - 0.05), y, (height_m - 0.03) / 2),
                )
            )
    return Item("table", "table", tuple(parts), width_m / 2, annotated=False)


def washbasin() -> Item:
    """A round basin that stands on a counter, with its tap."""
    china = glossy("white")
    outside = smooth([(0.12, 0.0), (0.16, 0.03), (0.2, 0.12)])
    inside = [(0.188, 0.122), (0.15, 0.05), (0.05, 0.025), (0, 0.024)]
    neck = np.add(arc(0.06, 180, 10), (0.06, 0, 0.24))
    spout = tube(neck, 0.011)
    parts = (
        solid(china, turned([(0, 0), *outside, *inside], around=56)),
        cylinder(STEEL, 0.02, 0.004, (0, 0, 0.026)),
        cylinder(STEEL, 0.024, 0.02, (0, 0.235, 0.01)),
        cylinder(STEEL, 0.012, 0.24, (0, 0.235, 0.12)),
        solid(STEEL, spout, (0, 0.235, 0), about((0, 0, 1), -90)),
        rod(STEEL, (0.012, 0.235, 0.1), (0.055, 0.22, 0.125), 0.006),
    )
    return Item("washbasin", "white washbasin", parts, 0.27)


def chair(rng: Generator) -> Item:
    """A wooden chair with a cushion."""
    colour = pick_colour(rng, "red", "blue", "green", "yellow")
    oak = Finish((0.62, 0.44, 0.27), specular=0.15)
    parts = [
        box(oak, (0.42, 0.42, 0.03), (0, 0, 0.44)),
        ellipsoid(matt(colour), (0.2, 0.2, 0.035), (0, 0, 0.462)),
        box(oak, (0.4, 0.022, 0.09), (0, 0.2, 0.86)),
        box(oak, (0.4, 0.02, 0.05), (0, 0.2, 0.56)),
    ]
    for side in (-1.0, 1.0):
        parts.append(rod(oak, (side * 0.19, -0.19, 0.015), (side * 0.19, -0.19, 0.43), 0.018))
        parts.append(rod(oak, (side * 0.19, 0.2, 0.015), (side * 0.19, 0.2, 0.9), 0.018))
    for x in (-0.1, 0.0, 0.1):
        parts.append(rod(oak, (x, 0.2, 0.57), (x, 0.2, 0.83), 0.01))
    return Item("chair", f"{colour} chair", tuple(parts), 0.32)


def stool(rng: Generator) -> Item:
    """A round stool on three legs."""
    colour = pick_colour(rng, "orange", "turquoise", "white", "red")
    parts = [
        solid(
            glossy(colour),
            turned([(0, 0.42), (0.15, 0.42), (0.17, 0.435), (0.165, 0.455), (0, 0.46)]),
        )
    ]
    for x, y in ((0.15, 0.0), (-0.075, 0.13), (-0.075, -0.13)):
        parts.append(rod(STEEL, (0.7 * x, 0.7 * y, 0.42), (x, y, 0.012), 0.012))
    return Item("stool", f"{colour} stool", tuple(parts), 0.2)


def armchair(rng: Generator) -> Item:
    """An upholstered armchair with a loose pillow."""
    colour = pick_colour(rng, "turquoise", "grey", "green", "red")
    cloth = matt(colour)
    pillow = pick_colour(rng, *(name for name in ("yellow", "white", "orange") if name != colour))
    parts = [
        box(cloth, (0.52, 0.62, 0.2), (0, 0.0, 0.28)),
        ellipsoid(cloth, (0.27, 0.3, 0.06), (0, -0.02, 0.4)),
        box(cloth, (0.72, 0.16, 0.72), (0, 0.34, 0.5)),
        ellipsoid(matt(pillow), (0.19, 0.07, 0.15), (0.02, 0.19, 0.55), about((1, 0, 0), -18)),
    ]
    for side in (-1.0, 1.0):
        parts.append(box(cloth, (0.12, 0.7, 0.42), (side * 0.31, 0.02, 0.36)))
        parts.append(Part("cylinder", cloth, (0.06, 0.35), (side * 0.31, 0.02, 0.57), UPRIGHT))
        for y in (-0.28, 0.36):
            parts.append(cylinder(matt("brown"), 0.022, 0.16, (side * 0.28, y, 0.08)))
    return Item("armchair", f"{colour} armchair", tuple(parts), 0.5)


def floor_lamp(rng: Generator) -> Item:
    """A standing lamp with a drum shade, lit."""
    metal = BRASS if rng.random() < 0.5 else STEEL
    shade = turned([(0.19, 1.32), (0.15, 1.58), (0.147, 1.58), (0.187, 1.32), (0.19, 1.32)])
    parts = (
        cylinder(metal, 0.14, 0.02, (0, 0, 0.01)),
        rod(metal, (0, 0, 0.02), (0, 0, 1.5), 0.011),
        solid(Finish((1.0, 0.92, 0.76), specular=0.0, glow=0.5), shade),
        sphere(Finish((1, 0.95, 0.8), glow=1.0), 0.045, (0, 0, 1.45)),
    )
    return Item("floor lamp", "floor lamp", parts, 0.2)


def laundry_basket(rng: Generator) -> Item:
    """A wicker basket with a towel over its rim."""
    cane = Finish((0.72, 0.53, 0.33), specular=0.05)
    colour = pick_colour(rng, "white", "blue", "pink")
    wall = turned([(0, 0), (0.17, 0), (0.21, 0.42), (0.2, 0.42), (0.16, 0.03), (0, 0.03)])
    hoops = [
        solid(cane, ring(0.172 + 0.008 * k, 0.011), (0, 0, 0.03 + 0.075 * k)) for k in range(6)
    ]
    towel = (
        ellipsoid(matt(colour), (0.17, 0.16, 0.07), (0, 0, 0.42)),
        box(matt(colour), (0.15, 0.02, 0.22), (0.02, -0.212, 0.33), about((1, 0, 0), 5)),
    )
    return Item("basket", "laundry basket", (solid(cane, wall), *hoops, *towel), 0.24)


def bed(blanket: Finish) -> Item:
    """A double bed with its head on y = 0."""
    oak = Finish((0.45, 0.31, 0.2), specular=0.1)
    parts = (
        box(oak, (1.5, 0.06, 0.95), (0, -0.03, 0.475)),
        box(oak, (1.46, 1.5, 0.2), (0, -0.8, 0.2)),
        box(matt("white"), (1.42, 1.46, 0.18), (0, -0.8, 0.38)),
        box(blanket, (1.46, 1.1, 0.06), (0, -1.0, 0.48)),
        ellipsoid(matt("white"), (0.3, 0.2, 0.085), (-0.36, -0.26, 0.52)),
        ellipsoid(matt("white"), (0.3, 0.2, 0.085), (0.36, -0.26, 0.52)),
    )
    return Item("bed", "bed", parts, 1.0, annotated=False)


def bookcase(rng: Generator) -> Item:
    """Shelves full of books, the back on y = 0."""
    oak = Finish((0.55, 0.39, 0.25), specular=0.1)
    width, height, depth = 0.8, 1.7, 0.28
    parts = [box(oak, (width, 0.02, height), (0, -0.01, height / 2))]
    for side in (-1.0, 1.0):
        parts.append(box(oak, (0.025, depth, height), (side * width / 2, -depth / 2, height / 2)))
    for level in range(6):
        z = 0.06 + level * 0.325
        parts.append(box(oak, (width, depth, 0.024), (0, -depth / 2, z)))
        if level < 5:
            spines = Finish(texture=book_spines(rng, int(rng.integers(11, 17))), specular=0.05)
            filled = float(rng.uniform(0.6, 0.98)) * (width - 0.04)
            x = (width - 0.04 - filled) / 2 * (1 if level % 2 else -1)
            parts.append(box(spines, (filled, 0.24, 0.16), (x, -0.1, z + 0.132), UPRIGHT))
    return Item("bookcase", "bookcase", tuple(parts), 0.45, annotated=False)


def window(*, night: bool) -> Item:
    """A window that glows by day, hanging with its back on y = 0."""
    glass = Finish(texture=sky(night=night), glow=0.35 if night else 0.85, specular=0.1)
    rail = matt("white")
    parts = [box(glass, (1.1, 1.1, 0.01), (0, -0.006, 0), UPRIGHT)]
    for offset in (-0.56, 0.0, 0.56):
        width = 0.05 if offset == 0.0 else 0.07
        parts.append(box(rail, (width, 1.19, 0.05), (offset, -0.025, 0), UPRIGHT))
        parts.append(box(rail, (1.19, width, 0.05), (0, -0.025, offset), UPRIGHT))
    parts.append(box(rail, (1.3, 0.16, 0.03), (0, -0.08, -0.6)))
    return Item("window", "window", tuple(parts), 0.65, annotated=False)


def door() -> Item:
    """A panelled door in its frame, the back on y = 0."""
    leaf = Finish((0.88, 0.86, 0.82), specular=0.15)
    groove = Finish((0.76, 0.74, 0.7), specular=0.1)
    parts = [box(leaf, (0.82, 2.0, 0.04), (0, -0.02, 1.0), UPRIGHT)]
    for side in (-1.0, 1.0):
        parts.append(box(groove, (0.07, 2.08, 0.06), (side * 0.445, -0.03, 1.04), UPRIGHT))
        for low, high in ((0.18, 0.85), (1.0, 1.85)):
            panel = (0.28, high - low, 0.02)
            parts.append(box(groove, panel, (side * 0.19, -0.038, (low + high) / 2), UPRIGHT))
    parts.append(box(groove, (0.96, 0.07, 0.06), (0, -0.03, 2.04), UPRIGHT))
    parts.append(rod(BRASS, (0.34, -0.075, 0.98), (0.24, -0.075, 0.98), 0.011))
    return Item("door", "door", tuple(parts), 0.5, annotated=False)


def towel_rail(rng: Generator) -> Item:
    """A rail with a hanging towel, the back on y = 0."""
    colour = pick_colour(rng, "blue", "orange", "green", "pink")
    stripe = box(matt("white"), (0.462, 0.05, 0.035), (0, -0.07, -0.46))
    parts = (
        rod(STEEL, (-0.33, -0.07, 0), (0.33, -0.07, 0), 0.011),
        rod(STEEL, (-0.33, 0, 0), (-0.33, -0.07, 0), 0.009),
        rod(STEEL, (0.33, 0, 0), (0.33, -0.07, 0), 0.009),
        box(matt(colour), (0.46, 0.045, 0.58), (0, -0.07, -0.27)),
        stripe,
    )
    return Item("towel", f"{colour} towel", parts, 0.36)


def shelf(width_m: float, finish: Finish) -> Item:
    """A wall board 0.2 m deep, its top on z = 0 and its back on y = 0."""
    parts = (
        box(finish, (width_m, 0.2, 0.025), (0, -0.1, -0.0125)),
        box(STEEL, (0.02, 0.16, 0.02), (-width_m / 2 + 0.08, -0.08, -0.035)),
        box(STEEL, (0.02, 0.16, 0.02), (width_m / 2 - 0.08, -0.08, -0.035)),
    )
    return Item("shelf", "shelf", parts, width_m / 2, annotated=False)


def stretched(texture: Texture) -> Finish:
    """A picture drawn once over a whole part, without highlights."""
    return Finish(texture=texture, specular=0.02)


def cloth(colour: str, texture: Texture) -> Finish:
    """Woven stuff in a named colour."""
    return Finish(COLOURS[colour], texture=texture, tile_m=0.5, specular=0.02)
