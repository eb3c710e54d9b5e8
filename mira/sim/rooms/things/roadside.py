"""Things that somebody put down on the pavement or in a car park."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.lettering import sign
from mira.sim.rooms.things.meshes import arc, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    box,
    cylinder,
    rod,
    solid,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about, along, compose, yaw

_CARD = Finish((0.66, 0.49, 0.31), specular=0.03, shininess=0.1)
_TAPE = Finish((0.80, 0.68, 0.46), specular=0.3, shininess=0.5)
_RUBBER = Finish((0.06, 0.06, 0.065), specular=0.1, shininess=0.2)


def cardboard_boxes(rng: Generator) -> Item:
    """Two or three parcels on top of each other, labelled at the front."""
    label = Finish(texture=sign("FRAGILE\nTHIS SIDE UP", (0.95, 0.93, 0.90), (0.75, 0.1, 0.1),
                                (256, 128)))  # fmt: skip
    parts: list[Part] = []
    height = 0.0
    sizes = ((0.52, 0.42, 0.36), (0.44, 0.36, 0.30), (0.32, 0.28, 0.22))
    for width, depth, tall in sizes[: int(rng.integers(2, 4))]:
        turn = yaw(float(rng.uniform(-9, 9)))
        middle = height + tall / 2
        parts.append(box(_CARD, (width, depth, tall), (0, 0, middle), turn))
        parts.append(box(_TAPE, (width + 0.003, 0.055, tall + 0.003), (0, 0, middle + 0.002), turn))
        front = compose(turn, UPRIGHT)
        away = (
            (depth / 2 + 0.002) * math.sin(_angle(turn)),
            -(depth / 2 + 0.002) * math.cos(_angle(turn)),
        )
        parts.append(box(label, (0.5 * width, 0.3 * tall, 0.004), (*away, middle), front,
                         name="fragile label"))  # fmt: skip
        height += tall
    return Item("cardboard boxes", "stack of cardboard boxes", tuple(parts), 0.35)


def parcel(rng: Generator) -> Item:
    """One cardboard box with a coloured band."""
    colour = pick_colour(rng, "red", "blue", "green")
    parts = (
        box(_CARD, (0.46, 0.34, 0.30), (0, 0, 0.15)),
        box(matt(colour), (0.10, 0.344, 0.302), (-0.08, 0, 0.151)),
        box(Finish(texture=sign("BOOKS", (0.66, 0.49, 0.31), (0.15, 0.1, 0.08), (192, 96))),
            (0.2, 0.1, 0.004), (0.11, -0.171, 0.17), UPRIGHT, name="books lettering"),
    )  # fmt: skip
    return Item("parcel", f"cardboard box with a {colour} band", parts, 0.30)


def bottle_crate(rng: Generator) -> Item:
    """A plastic crate with twelve bottles, a word at its front."""
    colour = pick_colour(rng, "red", "blue", "yellow", "green")
    skin = glossy(colour)
    dark = colour in ("red", "blue", "green")
    ink = (0.95, 0.95, 0.92) if dark else (0.2, 0.1, 0.1)
    word = Finish(texture=sign("SODA", COLOURS[colour], ink, (192, 80)))
    glass = Finish(
        (0.16, 0.34, 0.16) if rng.random() < 0.5 else (0.30, 0.15, 0.06),
        specular=0.8,
        shininess=0.9,
    )
    parts = [box(skin, (0.40, 0.30, 0.02), (0, 0, 0.01))]
    for side in (-1.0, 1.0):
        for low, high in ((0.0, 0.13), (0.20, 0.25)):
            middle, tall = (low + high) / 2, high - low
            parts.append(box(skin, (0.40, 0.014, tall), (0, side * 0.143, middle)))
            parts.append(box(skin, (0.014, 0.30, tall), (side * 0.193, 0, middle)))
        for y in (-1.0, 1.0):
            parts.append(box(skin, (0.05, 0.014, 0.25), (side * 0.175, y * 0.143, 0.125)))
            parts.append(box(skin, (0.014, 0.05, 0.25), (side * 0.193, y * 0.125, 0.125)))
    parts.append(box(word, (0.2, 0.085, 0.004), (0, -0.152, 0.066), UPRIGHT, name="soda lettering"))
    bottle = turned([(0, 0.02), (0.034, 0.02), (0.036, 0.16), *smooth(
        [(0.036, 0.165), (0.028, 0.22), (0.014, 0.25), (0.013, 0.285)], steps=3), (0, 0.29)],
        around=16)  # fmt: skip
    for x in (-0.138, -0.046, 0.046, 0.138):
        for y in (-0.09, 0.0, 0.09):
            parts.append(solid(glass, bottle, (x, y, 0)))
            parts.append(cylinder(STEEL, 0.015, 0.012, (x, y, 0.291)))
    return Item("crate", f"{colour} crate of bottles", tuple(parts), 0.26)


def umbrella_stand(rng: Generator) -> Item:
    """A round stand with three furled umbrellas."""
    colour = pick_colour(rng, "white", "black", "turquoise")
    tub = turned([(0, 0), (0.12, 0), (0.135, 0.50), (0.14, 0.52), (0.128, 0.52), (0.115, 0.03),
                  (0, 0.03)])  # fmt: skip
    parts = [solid(glossy(colour), tub)]
    tones = rng.permutation(["red", "blue", "green", "yellow", "purple"])[:3]
    for tone, (x, y) in zip(tones, ((-0.05, 0.03), (0.06, 0.02), (0.0, -0.06)), strict=True):
        low, high = np.array((0.5 * x, 0.5 * y, 0.05)), np.array((1.9 * x, 1.9 * y, 0.80))
        furled = [(0, 0.0), (0.012, 0.0), (0.034, 0.55), (0.03, 0.60), (0.012, 0.64), (0, 0.64)]
        cloth = turned(furled, around=10)
        turn = along(high - low)
        foot = low + 0.1 * (high - low)
        parts.append(
            solid(matt(str(tone)), cloth, (float(foot[0]), float(foot[1]), float(foot[2])), turn)
        )
        tip = (float(high[0]), float(high[1]), float(high[2]))
        parts.append(rod(matt("brown"), (float(low[0]), float(low[1]), 0.06), tip, 0.008))
        hook = np.add(arc(0.035, 180, -20, count=10), (tip[0] + 0.035, tip[1], tip[2] + 0.02))
        parts.append(solid(matt("brown"), tube(np.vstack(([tip], hook)), 0.010)))
    return Item("umbrella stand", f"{colour} umbrella stand", tuple(parts), 0.22)


def chalk_stand(rng: Generator) -> Item:
    """A folding board that says what is on offer, different at the back."""
    lines = ("SOUP\nOF THE\nDAY", "FRESH\nCOFFEE", "CAKE &\nTEA", "SALE\nTODAY")[
        int(rng.integers(4))
    ]
    colour = pick_colour(rng, "brown", "red", "green")
    frame = Finish(COLOURS[colour], specular=0.15)
    front = Finish(texture=sign(lines, (0.09, 0.10, 0.10), (0.95, 0.93, 0.82), (256, 384)))
    back = Finish(texture=sign("OPEN\n9 - 18", (0.09, 0.10, 0.10), (0.98, 0.82, 0.35), (256, 384)))
    parts = []
    for side, picture, name in ((-1.0, front, "menu"), (1.0, back, "opening hours")):
        turn = compose(yaw(0.0 if side < 0 else 180.0), compose(UPRIGHT, about((1, 0, 0), -13.0)))
        y = side * 0.125
        parts.append(box(frame, (0.60, 0.98, 0.025), (0, y, 0.4803), turn))
        parts.append(
            box(picture, (0.52, 0.80, 0.006), (0, y + side * 0.0145, 0.515), turn, name=name)
        )
    return Item("sandwich board", f"{colour} sandwich board", tuple(parts), 0.42)


def toolbox(rng: Generator) -> Item:
    """A plastic toolbox with a tray lid and a handle, catches at the front."""
    colour = pick_colour(rng, "red", "blue", "yellow", "orange")
    skin, dark = glossy(colour), matt("black")
    parts = [
        box(dark, (0.46, 0.23, 0.13), (0, 0, 0.065)),
        box(skin, (0.47, 0.24, 0.09), (0, 0, 0.175)),
        box(dark, (0.40, 0.17, 0.025), (0, 0, 0.232)),
        rod(skin, (-0.13, 0, 0.30), (0.13, 0, 0.30), 0.016, name="handle"),
    ]
    for side in (-1.0, 1.0):
        parts.append(rod(skin, (side * 0.13, 0, 0.24), (side * 0.13, 0, 0.30), 0.014))
        parts.append(box(STEEL, (0.05, 0.012, 0.08), (side * 0.14, -0.124, 0.14), name="catch"))
    return Item("toolbox", f"{colour} toolbox", tuple(parts), 0.28)


def bucket(rng: Generator) -> Item:
    """A bucket with a wire handle and a cloth over its rim."""
    colour = pick_colour(rng, "blue", "red", "green", "yellow")
    cloth = pick_colour(rng, *(c for c in ("white", "orange", "pink") if c != colour))
    wall = turned([(0, 0), (0.11, 0), (0.15, 0.27), (0.158, 0.285), (0.145, 0.285), (0.105, 0.02),
                   (0, 0.02)])  # fmt: skip
    handle = tube(np.add(arc(0.155, 20, 160), (0, 0, 0.27)), 0.006)
    parts = (
        solid(glossy(colour), wall),
        solid(STEEL, handle, (0, 0, 0), about((1.0, 0.0, 0.0), 0.0)),
        box(matt(cloth), (0.14, 0.012, 0.15), (0.01, -0.152, 0.22), about((1.0, 0.0, 0.0), 8.0)),
        cylinder(Finish((0.55, 0.66, 0.70), specular=0.6), 0.135, 0.004, (0, 0, 0.2)),
    )
    return Item("bucket", f"{colour} bucket", parts, 0.17)


def jerrycan(rng: Generator) -> Item:
    """A petrol can with a spout on one side."""
    colour = pick_colour(rng, "red", "green", "black")
    skin = glossy(colour)
    parts = (
        box(skin, (0.30, 0.15, 0.34), (0, 0, 0.17)),
        box(skin, (0.24, 0.13, 0.03), (0, 0, 0.352)),
        box(matt("black"), (0.20, 0.156, 0.02), (0, 0, 0.17), about((0.0, 1.0, 0.0), 48.0)),
        box(matt("black"), (0.20, 0.156, 0.02), (0, 0, 0.17), about((0.0, 1.0, 0.0), -48.0)),
        rod(skin, (-0.08, 0, 0.41), (0.08, 0, 0.41), 0.014, name="handle"),
        rod(skin, (-0.08, 0, 0.36), (-0.08, 0, 0.41), 0.014),
        rod(skin, (0.08, 0, 0.36), (0.08, 0, 0.41), 0.014),
        cylinder(STEEL, 0.03, 0.05, (0.125, 0, 0.37), about((0.0, 1.0, 0.0), 30.0), name="spout"),
    )
    return Item("petrol can", f"{colour} petrol can", parts, 0.2)


def tyre_stack(rng: Generator) -> Item:
    """Three or four tyres on top of each other."""
    count = int(rng.integers(3, 5))
    tyre = turned(
        [(0.20, 0.0), (0.28, 0.0), (0.31, 0.03), (0.315, 0.10), (0.31, 0.17), (0.28, 0.2),
         (0.20, 0.2), (0.19, 0.17), (0.19, 0.03), (0.20, 0.0)]
    )  # fmt: skip
    groove = turned([(0.312, 0.07), (0.318, 0.075), (0.318, 0.125), (0.312, 0.13)])
    parts = []
    for k in range(count):
        at = (float(rng.uniform(-0.01, 0.01)), float(rng.uniform(-0.01, 0.01)), 0.2 * k)
        parts.append(solid(_RUBBER, tyre, at))
        parts.append(solid(Finish((0.11, 0.11, 0.12), specular=0.0), groove, at))
    return Item("tyres", "stack of tyres", tuple(parts), 0.34)


def _angle(turn: tuple[float, float, float, float]) -> float:
    return 2 * math.atan2(turn[3], turn[0])
