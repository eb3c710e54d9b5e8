"""What a shop for bags and hats sells: handbag, backpack, suitcase, hat, cap, scent."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import goods_prints as prints
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, ring, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Rgb,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about
from mira.sim.rooms.things.sections import between, curve, lofted

_OAK = Finish((0.55, 0.38, 0.24), specular=0.2)


def handbag(rng: Generator) -> Item:
    """A leather bag with a flap and clasp in front, a zip behind and two handles."""
    colour = pick_colour(rng, "red", "black", "brown", "turquoise", "yellow", "pink")
    leather = Finish(COLOURS[colour], specular=0.35, shininess=0.5)
    flap = Finish(darker(COLOURS[colour], 0.72), specular=0.35, shininess=0.5)
    lean = about((1, 0, 0), -8)
    body = lofted(
        between(
            [
                (0.008, 0.15, 0.05, 0, 0),
                (0.03, 0.165, 0.064, 0, 0),
                (0.12, 0.16, 0.058, 0, 0),
                (0.215, 0.135, 0.038, 0, 0),
            ],
            steps=3,
        ),
        power=6,
    )
    parts = [
        solid(leather, body),
        box(flap, (0.25, 0.01, 0.12), (0, -0.052, 0.158), lean, name="flap"),
        box(BRASS, (0.045, 0.014, 0.035), (0, -0.066, 0.105), name="clasp"),
        rod(BRASS, (-0.09, 0.051, 0.16), (0.09, 0.051, 0.16), 0.005, name="zip"),
    ]
    grip = arc(0.075, 0, 180) * np.array((1.0, 1.0, 1.75))
    for y in (-0.036, 0.036):
        parts.append(solid(flap, tube(grip, 0.008), (0, y, 0.2), name="handle"))
        for x in (-0.075, 0.075):
            parts.append(cylinder(BRASS, 0.014, 0.012, (x, y, 0.2), UPRIGHT))
    parts += [sphere(BRASS, 0.008, (x, y, 0.008)) for x in (-0.12, 0.12) for y in (-0.04, 0.04)]
    return Item("handbag", f"{colour} handbag", tuple(parts), 0.18)


def backpack(rng: Generator) -> Item:
    """A school backpack with a pocket and zips in front, straps behind."""
    colour = pick_colour(rng, "blue", "green", "orange", "purple")
    cloth, dark = matt(colour), Finish(darker(COLOURS[colour], 0.55), specular=0.05)
    body = lofted(
        between(
            [
                (0.0, 0.14, 0.08, 0, 0),
                (0.03, 0.155, 0.095, 0, 0),
                (0.25, 0.15, 0.09, 0, 0),
                (0.37, 0.125, 0.075, 0, 0.01),
                (0.43, 0.06, 0.045, 0, 0.02),
            ]
        ),
        power=3.5,
    )
    pocket = lofted(
        between(
            [
                (0.02, 0.11, 0.03, 0, -0.09),
                (0.05, 0.12, 0.045, 0, -0.09),
                (0.17, 0.11, 0.04, 0, -0.088),
                (0.2, 0.095, 0.02, 0, -0.08),
            ]
        ),
        power=3.5,
    )
    zip_path = arc(0.115, 12, 168) * np.array((1.0, 1.0, 0.9))
    parts = [
        solid(cloth, body),
        solid(dark, pocket, name="pocket"),
        solid(STEEL, tube(zip_path, 0.006), (0, -0.083, 0.27), name="zip"),
        rod(STEEL, (-0.1, -0.112, 0.19), (0.1, -0.112, 0.19), 0.006, name="zip"),
        solid(dark, tube(arc(0.035, 0, 180), 0.009), (0, 0.03, 0.42), name="loop"),
        box(matt("white"), (0.07, 0.008, 0.035), (0, -0.135, 0.12), name="label"),
    ]
    for side in (-1.0, 1.0):
        strap = curve(
            [
                (side * 0.05, 0.08, 0.39),
                (side * 0.075, 0.125, 0.33),
                (side * 0.085, 0.13, 0.18),
                (side * 0.11, 0.095, 0.05),
            ]
        )
        parts.append(solid(dark, tube(strap, 0.016), name="strap"))
    return Item("backpack", f"{colour} backpack", tuple(parts), 0.2)


def suitcase(rng: Generator) -> Item:
    """A hard trolley case on four wheels, ribbed in front, its handle drawn out."""
    colour = pick_colour(rng, "yellow", "turquoise", "red", "purple", "grey")
    shell = glossy(colour)
    rim = Finish(darker(COLOURS[colour], 0.6), specular=0.4)
    body = [
        (0.06, 0.2, 0.105, 0, 0),
        (0.08, 0.215, 0.12, 0, 0),
        (0.58, 0.215, 0.12, 0, 0),
        (0.6, 0.2, 0.105, 0, 0),
    ]
    parts = [
        solid(shell, lofted(body, power=7)),
        box(matt("black"), (0.435, 0.012, 0.5), (0, 0, 0.33), name="seam"),
        box(matt("white"), (0.07, 0.006, 0.1), (0.1, 0.123, 0.4), name="address tag"),
        solid(matt("black"), tube(arc(0.06, 0, 180), 0.011), (0, 0, 0.59), name="handle"),
    ]
    for x in (-0.13, -0.065, 0.0, 0.065, 0.13):
        parts.append(rod(rim, (x, -0.118, 0.12), (x, -0.118, 0.54), 0.008))
    for side in (-1.0, 1.0):
        parts.append(rod(STEEL, (side * 0.09, 0.07, 0.58), (side * 0.09, 0.07, 0.94), 0.009))
        for y in (-0.075, 0.075):
            parts.append(cylinder(matt("black"), 0.03, 0.026, (side * 0.16, y, 0.03), _SIDEWAYS))
    parts.append(rod(matt("black"), (-0.1, 0.07, 0.95), (0.1, 0.07, 0.95), 0.016))
    return Item("suitcase", f"{colour} suitcase", tuple(parts), 0.27)


def hat_on_stand(rng: Generator) -> Item:
    """A brimmed hat with a ribbon and a bow, on a wooden stand."""
    colour = pick_colour(rng, "beige", "red", "white", "brown", "blue")
    band = pick_colour(rng, *(name for name in ("black", "red", "green") if name != colour))
    felt = Finish(COLOURS[colour], specular=0.03)
    crown = smooth([(0.094, 0.0), (0.092, 0.05), (0.082, 0.1), (0.05, 0.118), (0.0, 0.108)])
    brim = [
        (0.085, 0.0), (0.13, -0.014), (0.175, -0.01), (0.178, -0.004), (0.13, -0.006),
        (0.085, 0.01),
    ]  # fmt: skip
    lift = 0.3
    parts = [
        solid(_OAK, turned([(0, 0), (0.085, 0), (0.08, 0.015), (0.016, 0.03), (0, 0.03)])),
        cylinder(_OAK, 0.012, lift - 0.05, (0, 0, lift / 2)),
        ellipsoid(_OAK, (0.07, 0.07, 0.05), (0, 0, lift)),
        solid(felt, turned(brim), (0, 0, lift)),
        solid(felt, turned(crown), (0, 0, lift)),
        cylinder(matt(band), 0.0955, 0.032, (0, 0, lift + 0.024), name="ribbon"),
    ]
    for side in (-1.0, 1.0):
        spot = (0.022 * side, -0.098, lift + 0.026)
        turn = about((0, 1, 0), -22 * side)
        parts.append(ellipsoid(matt(band), (0.026, 0.009, 0.02), spot, turn, name="bow"))
    return Item("hat", f"{colour} hat on a stand", tuple(parts), 0.185)


def head_with_beanie(rng: Generator) -> Item:
    """A display head with sunglasses and a knitted cap with a bobble."""
    colour = pick_colour(rng, "red", "yellow", "blue", "green", "orange")
    wool, cuff = matt(colour), Finish(darker(COLOURS[colour], 0.7), specular=0.02)
    skin = Finish((0.93, 0.90, 0.86), specular=0.2)
    neck = [(0, 0), *smooth([(0.085, 0.0), (0.08, 0.02), (0.05, 0.06), (0.05, 0.13)]), (0, 0.13)]
    cap = turned(smooth([(0.098, 0.26), (0.096, 0.3), (0.075, 0.36), (0.03, 0.39), (0.0, 0.392)]))
    parts = [
        solid(skin, turned(neck)),
        ellipsoid(skin, (0.078, 0.095, 0.115), (0, 0, 0.225)),
        ellipsoid(skin, (0.013, 0.022, 0.024), (0, -0.096, 0.205), name="nose"),
        ellipsoid(matt("red"), (0.024, 0.01, 0.008), (0, -0.081, 0.165), name="mouth"),
        solid(wool, cap),
        solid(cuff, ring(0.092, 0.019), (0, 0, 0.272)),
        sphere(matt("white"), 0.034, (0, 0, 0.415), name="bobble"),
    ]
    for side in (-1.0, 1.0):
        lens = ellipsoid(
            glossy("black"), (0.034, 0.008, 0.026), (side * 0.038, -0.096, 0.232), name="sunglasses"
        )
        bow = rod(matt("black"), (side * 0.07, -0.09, 0.238), (side * 0.083, 0.0, 0.236), 0.004)
        parts += [lens, bow, ellipsoid(skin, (0.01, 0.02, 0.03), (side * 0.08, 0.012, 0.21))]
    return Item("display head", f"head with {colour} beanie", tuple(parts), 0.12)


def perfume(rng: Generator) -> Item:
    """A large flacon with a golden collar, a cap and a label in front."""
    colour = pick_colour(rng, "pink", "turquoise", "purple", "orange")
    pale: Rgb = tuple(0.4 + 0.6 * value for value in COLOURS[colour])  # type: ignore[assignment]
    glass = Finish(pale, specular=0.8, shininess=0.9)
    body = [(0.0, 0.052, 0.026, 0, 0), (0.012, 0.06, 0.032, 0, 0), (0.11, 0.06, 0.032, 0, 0)]
    body += [(0.13, 0.03, 0.022, 0, 0)]
    paper = Finish(texture=prints.sign(("EAU",), (0.97, 0.95, 0.9), (0.2, 0.16, 0.1)))
    parts = (
        solid(glass, lofted(body, power=5)),
        cylinder(BRASS, 0.018, 0.022, (0, 0, 0.138)),
        cylinder(glossy("black"), 0.023, 0.045, (0, 0, 0.17), name="cap"),
        sphere(BRASS, 0.014, (0, 0, 0.2)),
        box(paper, (0.066, 0.05, 0.004), (0, -0.0325, 0.06), UPRIGHT, name="label"),
    )
    return Item("perfume", f"{colour} perfume bottle", parts, 0.07)


def darker(rgb: Rgb, factor: float) -> Rgb:
    """A colour with less light."""
    return (rgb[0] * factor, rgb[1] * factor, rgb[2] * factor)


_SIDEWAYS = about((0.0, 1.0, 0.0), 90.0)
