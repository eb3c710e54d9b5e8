"""Vessels: cup, bottle, vase, bowl, teapot, candle, soap dispenser, toothbrush cup."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Mesh,
    Part,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import Vector, about, compose, rotate, yaw


def cup(rng: Generator) -> Item:
    """A mug with a handle."""
    colour = pick_colour(rng, "white", "red", "blue", "yellow", "turquoise")
    finish = glossy(colour)
    side = yaw(float(rng.uniform(-50, 50)) + pick_side(rng))
    handle = tube(arc(0.031, 95, -95), 0.0065)
    parts = (
        solid(finish, _hollow(0.043, 0.1, wall_m=0.004)),
        solid(finish, handle, rotate(side, (0.039, 0, 0.051)), side),
        cylinder(Finish((0.24, 0.13, 0.07)), 0.0385, 0.002, (0, 0, 0.08)),
    )
    return Item("cup", f"{colour} cup", parts, 0.085)


def toothbrush_cup(rng: Generator) -> Item:
    """A tumbler with two toothbrushes."""
    colour = pick_colour(rng, "white", "turquoise", "grey")
    parts: list[Part] = [solid(glossy(colour), _hollow(0.037, 0.11, wall_m=0.003))]
    for tone, lean in (("red", 0.03), ("blue", -0.032)):
        top = (lean * 1.25, 0.012, 0.19)
        parts.append(rod(glossy(tone), (-0.5 * lean, 0, 0.01), top, 0.0045))
        head = (top[0] * 1.05, top[1], top[2] + 0.012)
        parts.append(ellipsoid(matt("white"), (0.008, 0.009, 0.016), head))
    return Item("toothbrush cup", "toothbrush cup", tuple(parts), 0.06)


def vase(rng: Generator) -> Item:
    """A bellied vase with a bunch of flowers."""
    colour = pick_colour(rng, "blue", "turquoise", "white", "purple", "orange")
    bloom = pick_colour(rng, *(name for name in ("red", "yellow", "pink") if name != colour))
    outside = smooth([(0.042, 0), (0.075, 0.06), (0.07, 0.12), (0.032, 0.19), (0.043, 0.235)])
    inside = [(0.036, 0.233), (0.026, 0.19), (0.0, 0.17)]
    parts = [solid(glossy(colour), turned([(0, 0), *outside, *inside]))]
    for index in range(7):
        angle = 2 * math.pi * index / 7 + rng.uniform(-0.3, 0.3)
        spread = 0.03 if index == 0 else rng.uniform(0.06, 0.1)
        top = (spread * math.cos(angle), spread * math.sin(angle), rng.uniform(0.33, 0.42))
        parts += _flower(bloom, (top[0] * 0.15, top[1] * 0.15, 0.2), top)
    return Item("vase", f"{colour} vase", tuple(parts), 0.11)


def bottle(rng: Generator) -> Item:
    """A wine bottle with a label."""
    colour = pick_colour(rng, "green", "brown", "blue")
    outside = smooth(
        [
            (0.036, 0.004),
            (0.037, 0.03),
            (0.037, 0.17),
            (0.033, 0.195),
            (0.0155, 0.225),
            (0.0145, 0.285),
        ]
    )
    parts = (
        solid(glossy(colour), turned([(0, 0), *outside, (0, 0.285)])),
        cylinder(Finish((0.93, 0.88, 0.76)), 0.0378, 0.075, (0, 0, 0.1)),
        cylinder(matt("red"), 0.0379, 0.012, (0, 0, 0.118)),
        cylinder(matt("red"), 0.0165, 0.045, (0, 0, 0.275)),
    )
    return Item("bottle", f"{colour} bottle", parts, 0.05)


def soap_dispenser(rng: Generator) -> Item:
    """A pump bottle of liquid soap."""
    colour = pick_colour(rng, "white", "turquoise", "pink", "orange")
    outside = smooth([(0.034, 0.003), (0.036, 0.02), (0.036, 0.11), (0.022, 0.135), (0.014, 0.14)])
    parts = (
        solid(glossy(colour), turned([(0, 0), *outside, (0, 0.14)])),
        cylinder(STEEL, 0.0145, 0.02, (0, 0, 0.148)),
        cylinder(STEEL, 0.004, 0.035, (0, 0, 0.17)),
        rod(STEEL, (0, 0.008, 0.19), (0, -0.042, 0.184), 0.0055),
        cylinder(Finish((0.96, 0.95, 0.92)), 0.0366, 0.045, (0, 0, 0.065)),
    )
    return Item("soap dispenser", f"{colour} soap dispenser", parts, 0.055)


def fruit_bowl(rng: Generator) -> Item:
    """A bowl of oranges and apples."""
    colour = pick_colour(rng, "white", "blue", "turquoise")
    outside = smooth([(0.05, 0.0), (0.055, 0.012), (0.1, 0.045), (0.13, 0.085)])
    inside = [(0.124, 0.085), (0.095, 0.05), (0.0, 0.02)]
    parts = [solid(glossy(colour), turned([(0, 0), *outside, *inside]))]
    kinds = ("orange", "green", "red", "orange", "yellow", "orange")
    for index, tone in enumerate(kinds):
        angle = 2 * math.pi * index / 5
        reach, height = (0.06, 0.085) if index < 5 else (0.0, 0.13)
        spot = (reach * math.cos(angle), reach * math.sin(angle), height)
        parts.append(sphere(Finish(COLOURS[tone], specular=0.25, shininess=0.5), 0.037, spot))
    return Item("fruit bowl", f"{colour} fruit bowl", tuple(parts), 0.14)


def teapot(rng: Generator) -> Item:
    """A round teapot with spout, handle and lid."""
    colour = pick_colour(rng, "red", "green", "white", "turquoise")
    finish = glossy(colour)
    side = yaw(pick_side(rng) + float(rng.uniform(-35, 35)))
    body = smooth([(0.05, 0.0), (0.082, 0.045), (0.08, 0.09), (0.045, 0.125)])
    lid = smooth([(0.05, 0.12), (0.042, 0.132), (0.012, 0.142), (0.0, 0.143)])
    spout = np.add(arc(0.075, 200, 262), (0.128, 0, 0.165))
    handle = arc(0.042, 110, 250)
    parts = (
        solid(finish, turned([(0, 0), *body, (0, 0.125)])),
        solid(finish, turned(lid)),
        sphere(finish, 0.013, (0, 0, 0.152)),
        solid(finish, tube(spout[::-1], 0.014), (0, 0, 0), side),
        solid(finish, tube(handle, 0.008), rotate(side, (-0.078, 0, 0.075)), side),
    )
    return Item("teapot", f"{colour} teapot", parts, 0.15)


def candle(rng: Generator) -> Item:
    """A thick burning candle on a saucer."""
    colour = pick_colour(rng, "white", "red", "purple", "beige")
    saucer = turned(
        [(0, 0), (0.05, 0.0), (0.072, 0.014), (0.068, 0.015), (0.048, 0.006), (0, 0.006)]
    )
    parts = (
        solid(STEEL, saucer),
        cylinder(matt(colour), 0.038, 0.13, (0, 0, 0.07)),
        cylinder(matt("black"), 0.002, 0.014, (0, 0, 0.142)),
        ellipsoid(Finish((1.0, 0.82, 0.35), glow=0.9), (0.008, 0.008, 0.02), (0, 0, 0.163)),
    )
    return Item("candle", f"{colour} candle", parts, 0.08)


def pick_side(rng: Generator) -> float:
    """0 or 180 degrees: whether a handle points right or left."""
    return 180.0 if rng.random() < 0.5 else 0.0


def _hollow(radius_m: float, height_m: float, *, wall_m: float) -> Mesh:
    inner = radius_m - wall_m
    return turned(
        [
            (0, 0), (radius_m * 0.9, 0), (radius_m, 0.008), (radius_m, height_m),
            (inner, height_m), (inner, 0.01), (0, 0.01),
        ]
    )  # fmt: skip


def _flower(bloom: str, root: Vector, top: Vector) -> list[Part]:
    stem = Finish((0.22, 0.42, 0.16))
    parts = [rod(stem, root, top, 0.0028)]
    for petal in range(6):
        turn = compose(yaw(60 * petal), about((0, 1, 0), 25))
        offset = rotate(turn, (0.019, 0, 0.004))
        spot = (top[0] + offset[0], top[1] + offset[1], top[2] + offset[2])
        parts.append(ellipsoid(matt(bloom), (0.02, 0.012, 0.006), spot, turn))
    parts.append(sphere(Finish((0.98, 0.8, 0.2)), 0.011, (top[0], top[1], top[2] + 0.005)))
    return parts
