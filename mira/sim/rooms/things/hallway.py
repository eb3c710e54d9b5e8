"""An entrance hall's things: coat stand, bench, key bowl, dog, parcel, lamp, scooter."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import office_prints as prints
from mira.sim.rooms.things.clothes import hanging_coat
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import ring, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, Vector, about, compose, rotate, yaw
from mira.sim.rooms.things.soft import pillow

_OAK = Finish((0.58, 0.41, 0.26), specular=0.15)
_CARD = Finish((0.72, 0.54, 0.36), specular=0.03)


def coat_stand(rng: Generator) -> Item:
    """A wooden coat stand with a coat on one side and a hat on top."""
    colour = pick_colour(rng, "grey", "blue", "red")
    parts: list[Part] = [
        rod(_OAK, (0, 0, 0.06), (0, 0, 1.72), 0.02),
        sphere(_OAK, 0.034, (0, 0, 1.76)),
        solid(_OAK, ring(0.03, 0.012, around=32), (0, 0, 1.3)),
    ]
    for index in range(4):
        turn = yaw(90.0 * index + 45)
        foot, knee = rotate(turn, (0.27, 0, 0.016)), rotate(turn, (0.12, 0, 0.1))
        parts.append(rod(_OAK, (0, 0, 0.22), knee, 0.015))
        parts.append(rod(_OAK, knee, foot, 0.015))
        tip, bend = (
            rotate(yaw(90.0 * index), (0.16, 0, 1.72)),
            rotate(yaw(90.0 * index), (0.1, 0, 1.63)),
        )
        parts.append(rod(_OAK, (0, 0, 1.6), bend, 0.012))
        parts.append(rod(_OAK, bend, tip, 0.011))
        parts.append(sphere(_OAK, 0.019, tip))
    for part in hanging_coat(colour, 0.98, rng):
        parts.append(_shifted(part, (0.0, -0.03, 1.6)))
    return Item("coat stand", f"coat stand with {colour} coat", tuple(parts), 0.36)


def bench(rng: Generator) -> Item:
    """A hall bench with a cushion and a slatted board for shoes below."""
    colour = pick_colour(rng, "green", "red", "blue", "beige")
    width, depth, high = 0.95, 0.36, 0.42
    parts = [
        box(_OAK, (width, depth, 0.03), (0, 0, high - 0.015)),
        solid(matt(colour), pillow((width - 0.04, depth - 0.02, 0.07), squareness=9),
              (0, 0, high + 0.033), name="cushion"),
    ]  # fmt: skip
    for side in (-1.0, 1.0):
        for y in (-depth / 2 + 0.04, depth / 2 - 0.04):
            at = (side * (width / 2 - 0.04), y, (high - 0.03) / 2)
            parts.append(box(_OAK, (0.045, 0.045, high - 0.03), at))
        parts.append(sphere(matt("white"), 0.012, (side * 0.22, 0, high + 0.064)))
    for y in (-0.11, 0.0, 0.11):
        parts.append(box(_OAK, (width - 0.1, 0.06, 0.015), (0, y, 0.13)))
    return Item("bench", f"bench with {colour} cushion", tuple(parts), 0.52)


def key_bowl(rng: Generator) -> Item:
    """A shallow bowl with keys in it."""
    colour = pick_colour(rng, "turquoise", "red", "white", "yellow")
    outside = smooth([(0.045, 0.0), (0.06, 0.01), (0.1, 0.045), (0.115, 0.065)])
    inside = [(0.11, 0.065), (0.09, 0.042), (0.04, 0.018), (0.0, 0.016)]
    parts = [solid(glossy(colour), turned([(0, 0), *outside, *inside]))]
    for index, metal in enumerate((STEEL, BRASS, STEEL)):
        turn = yaw(110.0 * index + float(rng.uniform(-25, 25)))
        bow = rotate(turn, (0.03, 0, 0.047 + 0.006 * index))
        tip = rotate(turn, (-0.045, 0.01, 0.042 + 0.006 * index))
        parts.append(solid(metal, ring(0.014, 0.004, around=20), bow))
        parts.append(rod(metal, rotate(turn, (0.014, 0, 0.046 + 0.006 * index)), tip, 0.004))
    tag = rotate(yaw(40), (0.05, 0.03, 0.06))
    parts.append(box(glossy("orange"), (0.05, 0.024, 0.006), tag, yaw(30)))
    return Item("key bowl", f"{colour} key bowl", tuple(parts), 0.12)


def dog_statue(rng: Generator) -> Item:
    """A sitting china dog with a collar, two thirds of its real size."""
    colour = pick_colour(rng, "white", "black", "brown")
    fur, dark = glossy(colour), glossy("black")
    marks = dark if colour == "white" else glossy("beige")
    collar = "red" if colour != "brown" else "blue"
    parts = [
        ellipsoid(fur, (0.11, 0.13, 0.12), (0, 0.09, 0.12)),
        ellipsoid(fur, (0.088, 0.085, 0.17), (0, -0.005, 0.24), about((1, 0, 0), 14), name="chest"),
        rod(fur, (0, -0.03, 0.31), (0, -0.06, 0.43), 0.058),
        ellipsoid(fur, (0.072, 0.085, 0.068), (0, -0.075, 0.475)),
        ellipsoid(fur, (0.038, 0.062, 0.034), (0, -0.15, 0.455), name="snout"),
        sphere(dark, 0.016, (0, -0.208, 0.466)),
        solid(matt(collar), ring(0.063, 0.011, around=40), (0, -0.05, 0.385), about((1, 0, 0), 14)),
        sphere(BRASS, 0.016, (0, -0.124, 0.355)),
        ellipsoid(marks, (0.045, 0.02, 0.055), (0.035, 0.205, 0.14)),
        rod(fur, (0.0, 0.2, 0.03), (0.1, 0.245, 0.028), 0.02, name="tail"),
        rod(fur, (0.1, 0.245, 0.028), (0.16, 0.2, 0.03), 0.016, name="tail"),
    ]
    for side in (-1.0, 1.0):
        ear = about((0, 1, 0), side * 16)
        parts += [
            ellipsoid(marks, (0.016, 0.036, 0.06), (side * 0.075, -0.06, 0.46), ear, name="ear"),
            sphere(dark, 0.01, (side * 0.034, -0.145, 0.5)),
            rod(fur, (side * 0.055, -0.055, 0.22), (side * 0.056, -0.095, 0.035), 0.03),
            ellipsoid(fur, (0.034, 0.05, 0.025), (side * 0.057, -0.115, 0.025)),
            ellipsoid(fur, (0.05, 0.1, 0.085), (side * 0.095, 0.06, 0.09)),
            ellipsoid(fur, (0.035, 0.07, 0.026), (side * 0.115, -0.015, 0.026)),
        ]
    return Item("dog statue", f"{colour} dog statue", tuple(parts), 0.25)


def parcel(rng: Generator) -> Item:
    """A cardboard parcel: tape over its top, an address label on its front."""
    width, depth, high = float(rng.uniform(0.34, 0.44)), 0.28, float(rng.uniform(0.22, 0.3))
    tape = Finish((0.86, 0.72, 0.46), specular=0.4, shininess=0.6)
    label = Finish(texture=prints.address_label(), specular=0.1)
    parts = (
        box(_CARD, (width, depth, high), (0, 0, high / 2)),
        box(tape, (width + 0.004, 0.055, high * 0.4), (0, 0, high * 0.8 + 0.002), name="tape"),
        box(label, (0.17, 0.11, 0.003), (width * 0.12, -depth / 2 - 0.0015, high * 0.52), UPRIGHT,
            name="address label"),
        box(matt("red"), (0.05, 0.07, 0.003), (-width * 0.32, depth / 2 + 0.0015, high * 0.6),
            UPRIGHT, name="sticker"),
    )  # fmt: skip
    return Item("parcel", "cardboard parcel", parts, 0.26)


def letters(rng: Generator) -> Item:
    """A small heap of letters."""
    label = Finish(texture=prints.address_label(), specular=0.1)
    tones = ((0.95, 0.95, 0.93), (0.86, 0.80, 0.66), (0.80, 0.86, 0.92))
    parts = []
    for index, tone in enumerate(tones):
        turn = yaw(float(rng.uniform(-24, 24)))
        spot = (float(rng.uniform(-0.012, 0.012)), 0.0, 0.004 + 0.007 * index)
        parts.append(box(Finish(tone), (0.22, 0.11, 0.007), spot, turn))
    parts.append(box(label, (0.2, 0.1, 0.002), (0, 0, 0.0225), yaw(float(rng.uniform(-12, 12)))))
    return Item("letters", "pile of letters", tuple(parts), 0.14)


def pendant_lamp(rng: Generator) -> Item:
    """A lit lamp that hangs from the ceiling at the origin."""
    colour = pick_colour(rng, "white", "black", "red", "turquoise")
    paint = Finish(COLOURS[colour], specular=0.4, shininess=0.6)
    bell = [(0.17, -0.62), (0.15, -0.53), (0.075, -0.46), (0.03, -0.43), (0.0, -0.428)]
    lining = [(0.0, -0.434), (0.028, -0.436), (0.07, -0.468), (0.144, -0.536), (0.165, -0.62)]
    warm = Finish((1.0, 0.92, 0.72), specular=0.0, glow=0.6)
    parts = (
        cylinder(paint, 0.05, 0.02, (0, 0, -0.01)),
        rod(matt("black"), (0, 0, -0.02), (0, 0, -0.43), 0.004),
        solid(paint, turned(bell)),
        solid(warm, turned(lining)),
        sphere(Finish((1.0, 0.95, 0.8), glow=1.0), 0.045, (0, 0, -0.55)),
    )
    return Item("lamp", f"{colour} pendant lamp", parts, 0.18)


def kick_scooter(rng: Generator) -> Item:
    """A kick scooter that stands on its prop, its front wheel to the front."""
    colour = pick_colour(rng, "red", "blue", "green", "orange")
    paint, tyre = glossy(colour), matt("black")
    across = about((0, 1, 0), 90)
    parts = [
        box(paint, (0.1, 0.42, 0.022), (0, 0.1, 0.1)),
        box(matt("black"), (0.085, 0.38, 0.004), (0, 0.1, 0.113)),
        rod(paint, (0, -0.1, 0.1), (0, -0.24, 0.24), 0.017),
        rod(STEEL, (0, -0.29, 0.1), (0, -0.235, 0.86), 0.017),
        rod(STEEL, (-0.2, -0.234, 0.86), (0.2, -0.234, 0.86), 0.012, name="handlebar"),
        ellipsoid(
            paint, (0.02, 0.075, 0.028), (0, 0.36, 0.165), about((1, 0, 0), -20), name="brake"
        ),
        rod(STEEL, (0.02, 0.05, 0.09), (0.09, 0.06, 0.008), 0.007),
        sphere(glossy("white"), 0.024, (0, -0.285, 0.7), name="headlight"),
    ]
    for side in (-1.0, 1.0):
        parts.append(
            rod(matt("black"), (side * 0.14, -0.234, 0.86), (side * 0.22, -0.234, 0.86), 0.017)
        )
        parts.append(rod(STEEL, (side * 0.022, 0.3, 0.1), (side * 0.022, 0.38, 0.085), 0.008))
        parts.append(rod(STEEL, (side * 0.024, -0.285, 0.18), (side * 0.024, -0.295, 0.09), 0.008))
    for y in (-0.295, 0.385):
        parts.append(solid(tyre, ring(0.072, 0.016, around=36), (0, y, 0.088), across))
        parts.append(cylinder(paint, 0.06, 0.018, (0, y, 0.088), across))
    return Item("scooter", f"{colour} kick scooter", tuple(parts), 0.45)


def cycle_helmet(rng: Generator) -> Item:
    """A cycling helmet with vents, its front to the front."""
    colour = pick_colour(rng, "white", "red", "blue", "yellow")
    shell, dark = glossy(colour), matt("black")
    dome = smooth([(0.108, 0.03), (0.106, 0.07), (0.075, 0.125), (0.03, 0.145), (0.0, 0.147)])
    squeezed = turned([(0, 0.03), *dome])
    body = np.array(squeezed.vertices_m) * np.array((0.92, 1.22, 1.0))
    parts: list[Part] = [solid(shell, type(squeezed)(body, squeezed.faces))]
    for across_deg in (-52.0, -26.0, 0.0, 26.0, 52.0):
        for along_deg in (-38.0, 8.0, 46.0):
            a, b = math.radians(across_deg), math.radians(along_deg)
            out = (math.sin(a) * math.cos(b), math.sin(b), math.cos(a) * math.cos(b))
            spot = (0.102 * out[0], 0.135 * out[1], 0.03 + 0.121 * out[2])
            turn = compose(about((0, 1, 0), across_deg), about((1, 0, 0), -along_deg))
            parts.append(ellipsoid(dark, (0.009, 0.03, 0.008), spot, turn))
    strap = np.array(
        [(-0.085, 0, 0.04), (-0.06, 0, 0.012), (0, 0, 0.006), (0.06, 0, 0.012), (0.085, 0, 0.04)]
    )
    parts.append(solid(dark, tube(strap, 0.006), name="chin strap"))
    parts.append(
        ellipsoid(glossy("red"), (0.025, 0.012, 0.014), (0, 0.122, 0.075), name="rear light")
    )
    return Item("helmet", f"{colour} cycle helmet", tuple(parts), 0.14)


def _shifted(part: Part, by_m: Vector) -> Part:
    x, y, z = part.at_m
    return replace(part, at_m=(x + by_m[0], y + by_m[1], z + by_m[2]))
