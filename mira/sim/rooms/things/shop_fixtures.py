"""What a shop has: shelves, tables, counters, plinths, till, basket, signs, a fitted case."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import goods_prints as prints
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, tube
from mira.sim.rooms.things.parts import Finish, Item, Rgb, box, cylinder, rod, solid
from mira.sim.rooms.things.rotation import UPRIGHT, about, compose, yaw

SHELF_DEPTH_M = 0.36
LOWER_BOARD_M = 0.1725


def shelf_unit(width_m: float, levels_m: tuple[float, ...], wood: Finish, back: Finish) -> Item:
    """Wall shelving with boards whose tops are at the given heights, its back on y = 0."""
    top, depth = levels_m[-1] + 0.42, SHELF_DEPTH_M
    parts = [box(back, (width_m, 0.02, top), (0, -0.01, top / 2))]
    for side in (-1.0, 1.0):
        x = side * (width_m / 2 - 0.015)
        parts.append(box(wood, (0.03, depth, top), (x, -depth / 2, top / 2)))
    for level in (*levels_m, top):
        parts.append(box(wood, (width_m, depth, 0.03), (0, -depth / 2, level - 0.015)))
    parts.append(box(wood, (width_m, 0.02, 0.08), (0, -depth + 0.02, 0.04)))
    return Item("shelf", "shelves", tuple(parts), width_m / 2, annotated=False)


def display_table(
    width_m: float, depth_m: float, height_m: float, top: Finish, legs: Finish
) -> Item:
    """A table around the origin with a lower board, its top at LOWER_BOARD_M."""
    parts = [
        box(top, (width_m, depth_m, 0.04), (0, 0, height_m - 0.02)),
        box(top, (width_m - 0.1, depth_m - 0.1, 0.025), (0, 0, 0.16)),
    ]
    for x in (-width_m / 2 + 0.035, width_m / 2 - 0.035):
        for y in (-depth_m / 2 + 0.035, depth_m / 2 - 0.035):
            parts.append(box(legs, (0.05, 0.05, height_m - 0.04), (x, y, (height_m - 0.04) / 2)))
    return Item("table", "display table", tuple(parts), width_m / 2, annotated=False)


def counter(width_m: float, depth_m: float, height_m: float, top: Finish, front: Finish) -> Item:
    """A shop counter around the origin, panelled towards the customers (-y)."""
    body = height_m - 0.04
    parts = [
        box(top, (width_m, depth_m, 0.04), (0, 0, height_m - 0.02)),
        box(front, (width_m - 0.06, depth_m - 0.08, body - 0.08), (0, 0, 0.08 + (body - 0.08) / 2)),
        box(matt("black"), (width_m - 0.1, depth_m - 0.14, 0.08), (0, 0, 0.04)),
    ]
    panels = max(2, round(width_m / 0.5))
    wide = (width_m - 0.1) / panels
    for k in range(panels):
        x = -width_m / 2 + 0.05 + wide * (k + 0.5)
        size = (wide - 0.05, body - 0.24, 0.014)
        parts.append(box(front, size, (x, -depth_m / 2 + 0.035, 0.08 + body / 2 - 0.04), UPRIGHT))
    return Item("counter", "counter", tuple(parts), width_m / 2, annotated=False)


def wall_board(width_m: float, finish: Finish) -> Item:
    """A board on two brackets, its top on z = 0 and its back on y = 0."""
    depth = 0.3
    parts = [box(finish, (width_m, depth, 0.025), (0, -depth / 2, -0.0125))]
    for x in (-width_m / 2 + 0.06, width_m / 2 - 0.06):
        parts.append(box(BRASS, (0.015, depth - 0.04, 0.015), (x, -depth / 2 + 0.02, -0.033)))
    return Item("shelf", "wall board", tuple(parts), width_m / 2, annotated=False)


def till(rng: Generator) -> Item:
    """A cash register: keys and drawer for the clerk in front, a display for customers behind."""
    colour = pick_colour(rng, "red", "grey", "green", "blue")
    coat = glossy(colour)
    price = f"{int(rng.integers(2, 60))}.{int(rng.integers(10, 99))}"
    lit = Finish(texture=prints.screen(price), glow=0.5)
    slope = about((1, 0, 0), 24)
    parts = [
        box(coat, (0.36, 0.36, 0.11), (0, 0, 0.055)),
        box(STEEL, (0.32, 0.006, 0.07), (0, -0.182, 0.055), name="drawer"),
        box(matt("black"), (0.08, 0.02, 0.014), (0, -0.19, 0.055), name="drawer handle"),
        box(coat, (0.36, 0.16, 0.2), (0, 0.1, 0.19)),
        box(coat, (0.34, 0.22, 0.05), (0, -0.055, 0.145), slope),
        box(coat, (0.24, 0.07, 0.1), (0, 0.13, 0.34)),
        box(lit, (0.2, 0.07, 0.006), (0, 0.093, 0.345), UPRIGHT, name="screen"),
        box(lit, (0.2, 0.07, 0.006), (0, 0.167, 0.345), compose(yaw(180), UPRIGHT)),
        box(matt("white"), (0.07, 0.006, 0.12), (0.1, 0.075, 0.34), about((1, 0, 0), -12)),
    ]
    keys = ("white", "white", "white", "red", "yellow")
    for row in range(4):
        for column, tone in enumerate(keys):
            y, z = -0.125 + 0.045 * row, 0.142 + 0.02 * row
            spot = (-0.11 + 0.055 * column, y, z)
            parts.append(box(glossy(tone), (0.036, 0.03, 0.022), spot, slope))
    return Item("till", f"{colour} cash register", tuple(parts), 0.26)


def shopping_basket(rng: Generator) -> Item:
    """A plastic basket with slits, two handles and a packet and a bottle in it."""
    colour = pick_colour(rng, "red", "blue", "green", "black")
    coat = glossy(colour)
    half_x, half_y, high = 0.21, 0.14, 0.21
    parts = [box(coat, (2 * half_x - 0.03, 2 * half_y - 0.03, 0.01), (0, 0, 0.005))]
    for level, spread in ((0.03, -0.012), (0.075, -0.008), (0.12, -0.004), (0.195, 0.0)):
        tall = 0.03 if level < 0.19 else 0.035
        for side in (-1.0, 1.0):
            x, y = half_x + spread, half_y + spread
            parts.append(box(coat, (2 * x, 0.008, tall), (0, side * y, level)))
            parts.append(box(coat, (0.008, 2 * y, tall), (side * x, 0, level)))
    for x in np.linspace(-half_x + 0.02, half_x - 0.02, 9).tolist():
        for side in (-1.0, 1.0):
            spot = (x, side * (half_y - 0.006), high / 2)
            parts.append(box(coat, (0.014, 0.007, high), spot))
    for y in np.linspace(-half_y + 0.02, half_y - 0.02, 6).tolist():
        for side in (-1.0, 1.0):
            parts.append(box(coat, (0.007, 0.014, high), (side * (half_x - 0.006), y, high / 2)))
    for y, lean in ((-0.03, 38.0), (0.03, -38.0)):
        bow = arc(0.2, 0, 180) * np.array((1.0, 1.0, 0.75))
        turn = about((1, 0, 0), lean)
        parts.append(solid(matt("black"), tube(bow, 0.009), (0, y, high), turn, name="handle"))
    parts += [
        box(matt("yellow"), (0.12, 0.07, 0.24), (-0.08, 0, 0.13)),
        cylinder(glossy("green" if colour != "green" else "red"), 0.04, 0.2, (0.06, 0.02, 0.11)),
        cylinder(matt("white"), 0.02, 0.06, (0.06, 0.02, 0.24)),
    ]
    return Item("shopping basket", f"{colour} shopping basket", tuple(parts), 0.27)


def price_stand(rng: Generator) -> Item:
    """A small board with a price on a foot; its back is plain."""
    colour = pick_colour(rng, "red", "yellow", "green", "blue")
    price = f"{int(rng.integers(1, 40))}.{('50', '90', '95')[int(rng.integers(3))]}"
    ink: Rgb = (0.1, 0.1, 0.1) if colour == "yellow" else (0.98, 0.97, 0.94)
    face = Finish(texture=prints.sign(("ONLY", price), COLOURS[colour], ink), specular=0.05)
    parts = (
        cylinder(STEEL, 0.06, 0.012, (0, 0, 0.006)),
        rod(STEEL, (0, 0, 0.012), (0, 0, 0.16), 0.007),
        box(matt("white"), (0.18, 0.012, 0.18), (0, 0.004, 0.24)),
        box(face, (0.18, 0.18, 0.006), (0, -0.005, 0.24), UPRIGHT, name="price"),
    )
    return Item("price sign", f"{colour} price sign", parts, 0.095)


def chalk_board(rng: Generator) -> Item:
    """A folding board with chalk writing in front, bare wood behind."""
    lists = (("OPEN", "seven", "days"), ("SALE", "this", "week"), ("NEW", "just", "in"))
    wood = Finish((0.52, 0.35, 0.2), specular=0.15)
    words = lists[int(rng.integers(len(lists)))]
    face = Finish(texture=prints.chalk_board(words), specular=0.02)
    lean = about((1, 0, 0), -9)
    back = about((1, 0, 0), 9)
    parts = [
        box(face, (0.46, 0.66, 0.012), (0, -0.1, 0.49), _tilted(-9)),
        box(wood, (0.46, 0.02, 0.66), (0, -0.085, 0.492), lean, name="back"),
        box(wood, (0.46, 0.02, 0.66), (0, 0.085, 0.492), back, name="back"),
    ]
    for side in (-1.0, 1.0):
        for turn, y in ((lean, -0.092), (back, 0.092)):
            parts.append(box(wood, (0.035, 0.03, 0.9), (side * 0.245, y, 0.4465), turn))
    return Item("board", "chalk board", tuple(parts), 0.33)


def wall_poster(rng: Generator, word: str) -> Item:
    """A framed advertisement that hangs on a wall."""
    colour = pick_colour(rng, "red", "turquoise", "purple", "green")
    face = Finish(texture=prints.poster(rng, word, COLOURS[colour]), specular=0.05)
    frame = box(matt("black"), (0.58, 0.78, 0.02), (0, -0.011, 0), UPRIGHT)
    part = box(face, (0.54, 0.74, 0.01), (0, -0.02, 0), UPRIGHT)
    return Item("poster", f"{colour} poster", (frame, part), 0.3)


def spot_rail(length_m: float, count: int) -> Item:
    """A ceiling track with spotlights that shine down and forward; its top is at z = 0."""
    parts = [box(matt("black"), (length_m, 0.035, 0.03), (0, 0, -0.015))]
    bulb = Finish((1.0, 0.92, 0.72), glow=1.0)
    for x in np.linspace(-length_m / 2 + 0.15, length_m / 2 - 0.15, count).tolist():
        parts.append(rod(matt("black"), (x, 0, -0.04), (x, 0, -0.08), 0.008))
        turn = about((1, 0, 0), 25)
        parts.append(cylinder(matt("black"), 0.042, 0.12, (x, 0, -0.13), turn))
        parts.append(cylinder(bulb, 0.035, 0.006, (x, 0.0265, -0.187), turn))
    return Item("spotlights", "spotlights", tuple(parts), length_m / 2, annotated=False)


def _tilted(angle_deg: float) -> tuple[float, float, float, float]:
    return about((1.0, 0.0, 0.0), 90.0 + angle_deg)
