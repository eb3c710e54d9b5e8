"""Bags: backpack, briefcase, handbag, suitcase."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import BRASS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, tube
from mira.sim.rooms.things.parts import Finish, Item, box, cylinder, rod, solid
from mira.sim.rooms.things.rotation import about
from mira.sim.rooms.things.soft import outline, pillow, skin

_LEATHER = (0.42, 0.24, 0.12)


def backpack(rng: Generator) -> Item:
    """A backpack that stands: pockets and zips in front, straps at its back."""
    colour = pick_colour(rng, "blue", "red", "green", "orange", "purple")
    other = pick_colour(rng, "grey", "black", "yellow")
    cloth, trim = matt(colour), matt(other)
    body = skin(
        [
            outline(half_x, half_y, z, squareness=4, centre_m=(0, 0.005))
            for half_x, half_y, z in (
                (0.13, 0.08, 0.0), (0.152, 0.1, 0.02), (0.158, 0.105, 0.15), (0.15, 0.098, 0.32),
                (0.135, 0.085, 0.4), (0.105, 0.062, 0.445), (0.05, 0.03, 0.462),
            )
        ]
    )  # fmt: skip
    arch = np.array([(0, 0, 0.0)]) + arc(0.118, 0, 180, count=20)
    zip_line = np.stack((arch[:, 0], np.full(20, -0.099), 0.29 + arch[:, 2] * 0.95), axis=-1)
    parts = [
        solid(cloth, body),
        solid(
            trim, pillow((0.23, 0.09, 0.2), squareness=5), (0, -0.105, 0.13), name="front pocket"
        ),
        rod(STEEL, (-0.085, -0.149, 0.185), (0.085, -0.149, 0.185), 0.003, name="zip"),
        rod(STEEL, (0.085, -0.15, 0.185), (0.088, -0.153, 0.15), 0.004),
        solid(trim, tube(zip_line[2:-2], 0.0045), (0, 0, -0.03), name="zip"),
        solid(trim, tube(np.add(arc(0.045, 0, 180), (0, 0.03, 0.445)), 0.007)),
    ]
    for side in (-1.0, 1.0):
        strap = np.array(
            [(0.06, 0.075, 0.415), (0.075, 0.125, 0.36), (0.09, 0.145, 0.25), (0.1, 0.125, 0.13),
             (0.11, 0.1, 0.05)]
        ) * np.array((side, 1, 1))  # fmt: skip
        parts.append(solid(trim, tube(strap, 0.016), name="shoulder strap"))
        pocket = pillow((0.05, 0.12, 0.17), squareness=3)
        parts.append(solid(trim, pocket, (side * 0.15, 0.0, 0.11)))
    return Item("backpack", f"{colour} backpack", tuple(parts), 0.2)


def briefcase(rng: Generator) -> Item:
    """A leather briefcase that stands: clasps in front."""
    colour = pick_colour(rng, "brown", "black")
    leather = Finish(_LEATHER if colour == "brown" else (0.1, 0.1, 0.11), specular=0.3)
    dark = Finish(tuple(0.65 * value for value in leather.rgb), specular=0.3)  # type: ignore[arg-type]
    handle = np.stack(
        (0.075 * np.cos(np.linspace(0, np.pi, 18)), np.zeros(18),
         0.3 + 0.055 * np.sin(np.linspace(0, np.pi, 18)) ** 0.5), axis=-1)  # fmt: skip
    parts = [
        solid(leather, pillow((0.42, 0.11, 0.31), squareness=10, edge=10), (0, 0, 0.155)),
        box(dark, (0.385, 0.006, 0.16), (0, -0.056, 0.22), name="flap"),
        solid(dark, tube(handle, 0.011), name="handle"),
        box(dark, (0.426, 0.112, 0.012), (0, 0, 0.04)),
    ]
    for side in (-1.0, 1.0):
        x = side * 0.12
        parts.append(box(dark, (0.03, 0.01, 0.2), (x, -0.058, 0.2)))
        parts.append(box(BRASS, (0.036, 0.01, 0.045), (x, -0.063, 0.12), name="clasp"))
    return Item("briefcase", f"{colour} briefcase", tuple(parts), 0.22)


def handbag(rng: Generator) -> Item:
    """A handbag with two handles, a clasp in front and a pocket behind."""
    colour = pick_colour(rng, "red", "green", "beige", "turquoise", "black")
    leather = Finish(glossy(colour).rgb, specular=0.35, shininess=0.5)
    dark = Finish(tuple(0.62 * value for value in leather.rgb), specular=0.3)  # type: ignore[arg-type]
    body = skin(
        [
            outline(half_x, half_y, z, squareness=4)
            for half_x, half_y, z in (
                (0.15, 0.06, 0.0), (0.168, 0.072, 0.02), (0.16, 0.062, 0.12), (0.135, 0.038, 0.22),
                (0.12, 0.02, 0.235),
            )
        ]
    )  # fmt: skip
    grip = np.array([(-0.075, 0, 0.2), (-0.07, 0, 0.28), (-0.045, 0, 0.33), (0, 0, 0.345),
                     (0.045, 0, 0.33), (0.07, 0, 0.28), (0.075, 0, 0.2)])  # fmt: skip
    parts = [
        solid(leather, body),
        solid(dark, pillow((0.13, 0.012, 0.11), squareness=3), (0, -0.056, 0.165),
              about((1, 0, 0), -13), name="flap"),
        cylinder(BRASS, 0.013, 0.012, (0, -0.068, 0.128), about((1, 0, 0), 90), name="clasp"),
        solid(dark, pillow((0.2, 0.012, 0.09), squareness=8), (0, 0.065, 0.085),
              about((1, 0, 0), 5), name="back pocket"),
    ]  # fmt: skip
    for y in (-0.034, 0.034):
        parts.append(solid(dark, tube(grip + np.array((0, y, 0)), 0.007), name="handle"))
        for side in (-1.0, 1.0):
            parts.append(box(BRASS, (0.02, 0.012, 0.02), (side * 0.075, y * 1.2, 0.205)))
    return Item("handbag", f"{colour} handbag", tuple(parts), 0.19)


def suitcase(rng: Generator) -> Item:
    """A hard suitcase on wheels, its handle drawn out behind; ribs in front."""
    colour = pick_colour(rng, "red", "yellow", "turquoise", "blue", "purple")
    shell = glossy(colour)
    dark = Finish((0.12, 0.12, 0.13), specular=0.3)
    parts = [
        solid(shell, pillow((0.43, 0.26, 0.62), squareness=6, edge=8), (0, 0, 0.36)),
        solid(dark, pillow((0.436, 0.014, 0.626), squareness=12, edge=8), (0, 0, 0.36), name="zip"),
        box(dark, (0.2, 0.02, 0.03), (0, 0.14, 0.6), name="handle base"),
        rod(dark, (-0.09, 0.1, 0.985), (0.09, 0.1, 0.985), 0.014, name="pull handle"),
        rod(dark, (-0.06, -0.03, 0.685), (0.06, -0.03, 0.685), 0.011),
        box(matt("white"), (0.07, 0.004, 0.11), (0.1, 0.132, 0.42), about((0, 1, 0), 14),
            name="name tag"),
    ]  # fmt: skip
    for x in (-0.14, -0.07, 0.0, 0.07, 0.14):
        parts.append(rod(shell, (x, -0.127, 0.14), (x, -0.127, 0.58), 0.011, name="rib"))
    for side in (-1.0, 1.0):
        parts.append(rod(STEEL, (side * 0.085, 0.1, 0.6), (side * 0.085, 0.1, 0.975), 0.008))
        for y in (-0.09, 0.09):
            wheel = (side * 0.17, y, 0.03)
            parts.append(cylinder(dark, 0.03, 0.026, wheel, about((0, 1, 0), 90)))
            parts.append(cylinder(dark, 0.016, 0.03, (wheel[0], y, 0.05)))
    return Item("suitcase", f"{colour} suitcase", tuple(parts), 0.27)
