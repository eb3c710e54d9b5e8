"""Paper and what holds it: pens in a mug, letter trays, binders, a stapler, a waste bin."""

from __future__ import annotations

import math

from numpy.random import Generator

from mira.sim.rooms.things.colours import STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, ring, tube, turned
from mira.sim.rooms.things.parts import Finish, Item, Part, box, cylinder, rod, solid
from mira.sim.rooms.things.rotation import UPRIGHT, about, yaw
from mira.sim.rooms.things.soft import outline, pillow, skin

_PAPER = Finish((0.95, 0.95, 0.93), specular=0.03)


def pen_mug(rng: Generator) -> Item:
    """A mug full of pens, with a ruler."""
    colour = pick_colour(rng, "green", "purple", "orange", "white")
    wall = turned(
        [(0, 0), (0.04, 0), (0.044, 0.008), (0.044, 0.1), (0.04, 0.1), (0.04, 0.012), (0, 0.012)]
    )
    handle = tube(arc(0.03, 95, -95), 0.006)
    parts = [
        solid(glossy(colour), wall),
        solid(glossy(colour), handle, (0.04, 0, 0.052), name="handle"),
        box(Finish((0.86, 0.68, 0.36)), (0.026, 0.003, 0.2), (-0.012, 0.022, 0.118)),
    ]
    tones = ("red", "blue", "yellow", "black", "green")
    for index, tone in enumerate(tones):
        angle = 2 * math.pi * index / len(tones) + float(rng.uniform(-0.2, 0.2))
        x, y = math.cos(angle), math.sin(angle)
        top = float(rng.uniform(0.15, 0.19))
        parts.append(
            rod(glossy(tone), (0.01 * x, 0.01 * y, 0.018), (0.042 * x, 0.036 * y, top), 0.0045)
        )
    return Item("pen mug", f"{colour} mug with pens", tuple(parts), 0.085)


def paper_tray(rng: Generator) -> Item:
    """Three letter trays on top of each other with paper in them, open to the front."""
    colour = pick_colour(rng, "blue", "red", "black", "turquoise")
    plastic = glossy(colour)
    parts: list[Part] = []
    for level in range(3):
        z = 0.004 + 0.075 * level
        thick = float(rng.uniform(0.006, 0.028))
        parts += [
            box(plastic, (0.26, 0.33, 0.005), (0, 0, z)),
            box(plastic, (0.26, 0.005, 0.05), (0, 0.163, z + 0.025), name="tray back"),
            box(
                _PAPER,
                (0.21, 0.29, thick),
                (float(rng.uniform(-0.015, 0.015)), 0, z + 0.0025 + thick / 2),
            ),
        ]
        for side in (-1.0, 1.0):
            parts.append(box(plastic, (0.005, 0.33, 0.05), (side * 0.128, 0, z + 0.025)))
            if level < 2:
                parts.append(box(plastic, (0.012, 0.03, 0.075), (side * 0.128, 0.13, z + 0.0375)))
                parts.append(box(plastic, (0.012, 0.03, 0.075), (side * 0.128, -0.12, z + 0.0375)))
    parts.append(box(Finish((0.96, 0.84, 0.3)), (0.07, 0.07, 0.003), (0.03, -0.08, 0.19), yaw(14)))
    return Item("letter tray", f"{colour} letter tray", tuple(parts), 0.22)


def binders(rng: Generator) -> Item:
    """A few ring binders side by side: labelled spines in front, paper behind."""
    tones = [str(tone) for tone in rng.permutation(["red", "blue", "green", "black", "yellow"])]
    count = int(rng.integers(3, 5))
    thick = 0.068
    parts: list[Part] = []
    for index, tone in enumerate(tones[:count]):
        x = (index - (count - 1) / 2) * (thick + 0.003)
        cover = matt(tone)
        parts += [
            box(cover, (thick, 0.006, 0.315), (x, -0.137, 0.1575), name="spine"),
            box(cover, (0.004, 0.28, 0.315), (x - thick / 2 + 0.002, 0, 0.1575)),
            box(cover, (0.004, 0.28, 0.315), (x + thick / 2 - 0.002, 0, 0.1575)),
            box(_PAPER, (thick - 0.014, 0.23, 0.295), (x, 0.018, 0.15), name="paper edges"),
            box(_PAPER, (0.045, 0.003, 0.13), (x, -0.1405, 0.215), name="label"),
            solid(STEEL, ring(0.012, 0.003, around=20), (x, -0.1405, 0.06), UPRIGHT),
            cylinder(matt("black"), 0.011, 0.002, (x, -0.1402, 0.06), UPRIGHT),
        ]
    return Item("binders", "row of binders", tuple(parts), 0.2)


def stapler(rng: Generator) -> Item:
    """A stapler, its mouth to the front."""
    colour = pick_colour(rng, "red", "black", "blue")
    lean = about((1, 0, 0), -9)
    parts = (
        solid(matt("black"), pillow((0.042, 0.165, 0.016), squareness=5), (0, 0, 0.008)),
        solid(glossy(colour), pillow((0.036, 0.16, 0.026), squareness=4), (0, 0.004, 0.046), lean),
        box(STEEL, (0.02, 0.15, 0.012), (0, 0, 0.031), lean),
        cylinder(STEEL, 0.012, 0.044, (0, 0.062, 0.026), about((0, 1, 0), 90)),
    )
    return Item("stapler", f"{colour} stapler", parts, 0.09)


def paper_bin(rng: Generator) -> Item:
    """A waste-paper bin with crumpled paper in it."""
    colour = pick_colour(rng, "black", "blue", "grey", "green")
    plastic = matt(colour)
    wall = turned(
        [(0, 0), (0.11, 0), (0.145, 0.3), (0.15, 0.31), (0.138, 0.31), (0.105, 0.01), (0, 0.01)]
    )
    parts = [solid(plastic, wall)]
    for height in (0.06, 0.12, 0.18, 0.24):
        parts.append(solid(plastic, ring(0.113 + 0.115 * height, 0.005, around=28), (0, 0, height)))
    for index in range(7):
        angle = 2 * math.pi * index / 6
        reach = 0.075 if index < 6 else 0.0
        spot = (reach * math.cos(angle), reach * math.sin(angle), 0.25 + 0.04 * (index == 6))
        rings = [
            outline(0.045 * width, 0.042 * width, 0.04 * height, folds=5, fold_depth=0.16)
            for width, height in ((0.5, -0.9), (0.9, -0.4), (1.0, 0.1), (0.75, 0.6), (0.3, 0.95))
        ]
        parts.append(solid(_PAPER, skin(rings), spot, about((1, 0, 0), 40.0 * index)))
    return Item("waste bin", f"{colour} waste bin", tuple(parts), 0.16)
