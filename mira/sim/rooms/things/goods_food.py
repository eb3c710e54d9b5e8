"""What a grocer or a gift shop sells: fruit, bread, jam, cake, cheese, bags, flowers."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things import goods_prints as prints
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.goods import darker
from mira.sim.rooms.things.meshes import arc, ring, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Mesh,
    Part,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about, compose, rotate, yaw
from mira.sim.rooms.things.sections import between, curve, cut_out, lofted

_SLAT = Finish((0.70, 0.53, 0.34), specular=0.05)
_CANE = Finish((0.66, 0.46, 0.26), specular=0.05)
_LEAF = Finish((0.20, 0.45, 0.18), specular=0.1)


def fruit_crate(rng: Generator) -> Item:
    """A slatted crate heaped with fruit of one kind."""
    kind = pick_colour(rng, "oranges", "lemons", "red apples", "green apples")
    tone = {"oranges": "orange", "lemons": "yellow", "red apples": "red"}.get(kind, "green")
    skin = Finish(_FRUIT.get(kind, COLOURS[tone]), specular=0.3, shininess=0.5)
    half_x, half_y, high = 0.2, 0.14, 0.15
    parts = [box(_SLAT, (2 * half_x, 2 * half_y, 0.012), (0, 0, 0.012))]
    for level in range(3):
        z = 0.03 + 0.05 * level
        for side in (-1.0, 1.0):
            parts.append(box(_SLAT, (2 * half_x, 0.01, 0.038), (0, side * half_y, z)))
            parts.append(box(_SLAT, (0.01, 2 * half_y, 0.038), (side * half_x, 0, z)))
    for x in (-half_x + 0.015, half_x - 0.015):
        for y in (-half_y + 0.014, half_y - 0.014):
            parts.append(box(_SLAT, (0.025, 0.022, high), (x, y, high / 2)))
    for column in range(5):
        for row in range(3):
            x, y = -0.144 + 0.072 * column, -0.082 + 0.082 * row
            z = 0.125 + 0.018 * float(rng.random()) + (0.02 if row == 1 else 0.0)
            parts.append(_fruit(skin, kind, (x, y, z)))
    for x in (-0.1, -0.03, 0.04, 0.11):
        parts.append(_fruit(skin, kind, (x, 0.015 - 0.03 * (x > 0), 0.198)))
    paper = Finish(texture=prints.wide_sign("FRESH", (0.96, 0.93, 0.84), (0.2, 0.36, 0.18)))
    parts.append(box(paper, (0.16, 0.06, 0.004), (0, -half_y - 0.007, 0.08), UPRIGHT, name="label"))
    return Item("fruit crate", f"crate of {kind}", tuple(parts), 0.25)


def bread_basket(rng: Generator) -> Item:
    """A cane basket with loaves, a long stick and rolls."""
    crust = Finish((0.76, 0.48, 0.22), specular=0.1)
    pale = Finish((0.90, 0.72, 0.45), specular=0.05)
    wall = between([(0.0, 0.17, 0.12, 0, 0), (0.05, 0.19, 0.135, 0, 0), (0.12, 0.21, 0.15, 0, 0)])
    parts: list[Part] = [solid(_CANE, lofted(wall, power=3))]
    for z, x, y in ((0.03, 0.184, 0.13), (0.065, 0.197, 0.14), (0.1, 0.207, 0.148)):
        parts.append(solid(_SLAT, lofted([(z - 0.006, x, y), (z + 0.006, x, y)], power=3)))
    parts.append(ellipsoid(crust, (0.13, 0.065, 0.06), (-0.04, -0.06, 0.145), yaw(12)))
    for x in (-0.11, -0.05, 0.01):
        slash = about((0, 0, 1), 60)
        parts.append(ellipsoid(pale, (0.032, 0.009, 0.008), (x, -0.068, 0.2), slash))
    for lean, y in ((-14.0, 0.07), (-6.0, 0.03)):
        turn = compose(yaw(lean), about((0, 1, 0), 80))
        parts.append(Part("capsule", crust, (0.03, 0.2), (0.01, y, 0.175), turn))
    for x, y in ((0.12, -0.07), (0.15, 0.0), (0.1, 0.005)):
        parts.append(ellipsoid(crust, (0.045, 0.042, 0.034), (x, y - 0.01, 0.145)))
    linen = Finish(texture=prints.checks((0.95, 0.94, 0.9), COLOURS["red"]), tile_m=0.06)
    if rng.random() < 0.5:
        parts.append(box(linen, (0.13, 0.006, 0.12), (-0.02, -0.149, 0.085), about((1, 0, 0), -9)))
    return Item("bread basket", "basket of bread", tuple(parts), 0.25)


def jam_jar(rng: Generator) -> Item:
    """A big jar of jam: a checked cloth over its lid, a paper label in front."""
    kind, tone = _JAMS[int(rng.integers(len(_JAMS)))]
    glass = Finish(COLOURS[tone], specular=0.7, shininess=0.9)
    outside = smooth([(0.05, 0.0), (0.058, 0.012), (0.058, 0.12), (0.048, 0.142), (0.048, 0.155)])
    cap = turned([(0.062, 0.15), (0.058, 0.162), (0.052, 0.182), (0.03, 0.186), (0, 0.187)])
    cloth = Finish(texture=prints.checks((0.96, 0.95, 0.92), COLOURS[tone]), tile_m=0.04)
    paper = Finish(texture=prints.label(kind.upper(), COLOURS[tone]), specular=0.02)
    parts = (
        solid(glass, turned([(0, 0), *outside, (0, 0.155)])),
        solid(cloth, cap, name="cloth"),
        solid(matt("white"), ring(0.053, 0.004), (0, 0, 0.163)),
        box(paper, (0.08, 0.07, 0.012), (0, -0.054, 0.068), UPRIGHT, name="label"),
    )
    return Item("jar", f"jar of {kind} jam", parts, 0.075)


def cheese(rng: Generator) -> Item:
    """A wheel of cheese on a board, one wedge cut and laid beside it."""
    rind = pick_colour(rng, "red", "yellow", "orange")
    skin, paste = matt(rind), Finish((0.97, 0.86, 0.52), specular=0.1)
    angles = np.radians(np.linspace(-60, 240, 28))
    rim = 0.12 * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    wheel = _wedge(rim, 0.09)
    piece = _wedge(0.12 * np.array([(0, -1), (0.26, -0.966), (0.5, -0.866)]), 0.09)
    inset = _wedge(rim * 0.965, 0.003)
    parts = [
        box(Finish((0.5, 0.33, 0.2)), (0.34, 0.3, 0.02), (0, -0.01, 0.01)),
        solid(skin, wheel, (0, 0.02, 0.02)),
        solid(paste, inset, (0, 0.02, 0.109)),
        solid(paste, piece, (0.07, -0.02, 0.02), yaw(20)),
    ]
    cut = 0.116
    for angle in (-60, 240):
        x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        face = box(paste, (cut, 0.004, 0.084), (x * cut / 2, 0.02 + y * cut / 2, 0.065), yaw(angle))
        parts.append(face)
    holes = ((0.03, 0.05), (-0.05, 0.06), (-0.03, 0.1), (0.05, 0.08))
    parts += [cylinder(Finish((0.8, 0.66, 0.3)), 0.011, 0.003, (x, y, 0.112)) for x, y in holes]
    return Item("cheese", f"{rind} cheese", tuple(parts), 0.24)


def cake(rng: Generator) -> Item:
    """A decorated cake on a footed stand, a slice missing at the back."""
    colour = pick_colour(rng, "pink", "white", "brown", "turquoise")
    berry = "red" if colour != "pink" else "purple"
    icing, sponge = matt(colour), Finish((0.93, 0.76, 0.5))
    foot = [(0.075, 0.0), (0.07, 0.01), (0.018, 0.03), (0.018, 0.1), (0.06, 0.118)]
    rim = [(0.16, 0.122), (0.162, 0.13), (0, 0.13)]
    angles = np.radians(np.linspace(115, 425, 30))
    outline = 0.125 * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    parts = [
        solid(glossy("white"), turned([(0, 0), *smooth(foot), *rim])),
        solid(icing, _wedge(outline, 0.1), (0, 0, 0.13)),
    ]
    for angle in (65, 115):
        x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        for z, tone in ((0.16, sponge), (0.2, sponge)):
            side = box(tone, (0.11, 0.004, 0.03), (x * 0.06, y * 0.06, z), yaw(angle))
            parts.append(side)
    for angle in np.radians(np.arange(130, 420, 32)):
        x, y = 0.1 * math.cos(angle), 0.1 * math.sin(angle)
        parts.append(ellipsoid(matt("white"), (0.024, 0.024, 0.014), (x, y, 0.234)))
        parts.append(sphere(glossy(berry), 0.015, (x, y, 0.254)))
    for angle in np.radians(np.arange(115, 426, 15.5)):
        x, y = 0.127 * math.cos(angle), 0.127 * math.sin(angle)
        parts.append(sphere(matt("white"), 0.012, (x, y, 0.142)))
    return Item("cake", f"{colour} cake on a stand", tuple(parts), 0.17)


def pineapple(_: Generator) -> Item:
    """A pineapple with its crown of leaves."""
    skin = Finish((0.80, 0.56, 0.18), specular=0.1)
    bumps = Finish((0.58, 0.40, 0.12), specular=0.1)
    body = smooth([(0.04, 0.0), (0.068, 0.03), (0.074, 0.09), (0.066, 0.15), (0.035, 0.18)])
    parts = [solid(skin, turned([(0, 0), *body, (0, 0.18)]))]
    for level in range(6):
        z = 0.025 + 0.026 * level
        radius = 0.066 + 0.009 * math.sin(math.pi * level / 5)
        for k in range(9):
            angle = 2 * math.pi * (k + 0.5 * (level % 2)) / 9
            spot = (radius * math.cos(angle), radius * math.sin(angle), z)
            parts.append(ellipsoid(bumps, (0.01, 0.01, 0.008), spot))
    for k in range(12):
        turn = compose(yaw(137.5 * k), about((0, 1, 0), 12 + 3.2 * k))
        length = 0.085 - 0.003 * k
        x, y, z = rotate(turn, (0, 0, length))
        parts.append(ellipsoid(_LEAF, (0.014, 0.006, length), (x, y, 0.17 + z), turn))
    return Item("pineapple", "pineapple", tuple(parts), 0.1)


def gift_bag(rng: Generator) -> Item:
    """A paper carrier bag with cord handles, tissue on top and a heart in front."""
    colour = pick_colour(rng, "red", "blue", "purple", "green", "pink", "black")
    heart = "white" if colour in ("red", "pink") else "red"
    paper = Finish(COLOURS[colour], specular=0.25, shininess=0.4)
    fold = Finish(darker(COLOURS[colour], 0.75), specular=0.2)
    width, depth, high = 0.22, 0.1, 0.26
    parts = [
        box(paper, (width, depth, high), (0, 0, high / 2)),
        box(fold, (width + 0.002, 0.004, high), (0, 0, high / 2)),
        cylinder(matt(heart), 0.026, 0.006, (-0.021, -0.052, 0.145), UPRIGHT, name="heart"),
        cylinder(matt(heart), 0.026, 0.006, (0.021, -0.052, 0.145), UPRIGHT, name="heart"),
        box(matt(heart), (0.062, 0.006, 0.062), (0, -0.052, 0.122), about((0, 1, 0), 45)),
        box(matt("white"), (0.08, 0.004, 0.05), (0.04, 0.052, 0.07), name="receipt"),
    ]
    for y in (-0.046, 0.046):
        cord = arc(0.05, 0, 180) * np.array((1.0, 1.0, 1.6))
        parts.append(solid(matt("beige"), tube(cord, 0.005), (0, y, high - 0.005), name="handle"))
    for k in range(5):
        x = -0.08 + 0.04 * k
        turn = about((0, 1, 0), float(rng.uniform(-25, 25)))
        parts.append(box(matt("white"), (0.04, 0.06, 0.05), (x, 0, high), turn, name="tissue"))
    return Item("gift bag", f"{colour} gift bag", tuple(parts), 0.13)


def watering_can(rng: Generator) -> Item:
    """A can with a long spout to the left, a rose and two handles."""
    colour = pick_colour(rng, "green", "red", "blue", "yellow", "turquoise")
    tin = glossy(colour)
    body = [(0.1, 0.0), (0.102, 0.006), (0.092, 0.17), (0.088, 0.17), (0.096, 0.01), (0, 0.01)]
    spout = curve([(-0.08, 0, 0.05), (-0.16, 0, 0.1), (-0.235, 0, 0.21)])
    back = curve([(0.088, 0, 0.15), (0.16, 0, 0.15), (0.17, 0, 0.07), (0.098, 0, 0.035)])
    top = curve([(-0.085, 0, 0.165), (-0.05, 0, 0.25), (0.05, 0, 0.25), (0.085, 0, 0.165)])
    rose = turned([(0.012, 0), (0.034, 0.045), (0, 0.05)])
    parts = (
        solid(tin, turned([(0, 0), *body])),
        solid(tin, tube(spout, 0.014), name="spout"),
        solid(BRASS, rose, (-0.228, 0, 0.2), about((0, 1, 0), -48), name="rose"),
        solid(tin, tube(back, 0.009), name="handle"),
        solid(tin, tube(top, 0.009), name="handle"),
        solid(tin, ring(0.101, 0.006), (0, 0, 0.006)),
        solid(tin, ring(0.092, 0.006), (0, 0, 0.168)),
        box(tin, (0.1, 0.14, 0.006), (-0.045, 0, 0.165)),
        ellipsoid(matt("white"), (0.03, 0.006, 0.03), (0, -0.096, 0.09), name="flower"),
        sphere(matt("yellow"), 0.013, (0, -0.1, 0.09)),
    )
    return Item("watering can", f"{colour} watering can", parts, 0.29)


def flower_bucket(rng: Generator) -> Item:
    """A zinc bucket full of tulips."""
    colour = pick_colour(rng, "red", "yellow", "pink", "orange", "purple")
    wall = [(0, 0), (0.09, 0), (0.125, 0.22), (0.121, 0.22), (0.09, 0.02), (0, 0.02)]
    parts = [
        solid(STEEL, turned(wall)),
        solid(STEEL, ring(0.124, 0.006), (0, 0, 0.218)),
        solid(STEEL, ring(0.107, 0.004), (0, 0, 0.1)),
        cylinder(_LEAF, 0.115, 0.01, (0, 0, 0.19)),
    ]
    for k in range(19):
        angle, reach = 2.4 * k, 0.018 + 0.0085 * k
        x, y = reach * math.cos(angle), reach * math.sin(angle)
        z = 0.44 - 0.006 * k + float(rng.uniform(-0.02, 0.02))
        parts.append(rod(_LEAF, (0.5 * x, 0.5 * y, 0.19), (x, y, z), 0.004))
        parts.append(ellipsoid(matt(colour), (0.02, 0.02, 0.03), (x, y, z + 0.015)))
        if k % 3 == 0:
            turn = compose(yaw(math.degrees(angle)), about((0, 1, 0), 24))
            parts.append(ellipsoid(_LEAF, (0.006, 0.02, 0.09), (x * 0.9, y * 0.9, 0.28), turn))
    return Item("flowers", f"bucket of {colour} tulips", tuple(parts), 0.19)


def tins(rng: Generator) -> Item:
    """A pyramid of six labelled tins."""
    colour = pick_colour(rng, "red", "blue", "green", "yellow")
    parts: list[Part] = []
    for level, count in enumerate((3, 2, 1)):
        for k in range(count):
            x, z = 0.082 * (k - (count - 1) / 2), 0.105 * level
            parts += [
                cylinder(STEEL, 0.039, 0.104, (x, 0, z + 0.0525)),
                cylinder(matt(colour), 0.0396, 0.086, (x, 0, z + 0.0525), name="label"),
                cylinder(matt("white"), 0.04, 0.026, (x, 0, z + 0.06)),
                sphere(matt("white"), 0.014, (x, -0.032, z + 0.025)),
            ]
    return Item("tins", f"pyramid of {colour} tins", tuple(parts), 0.125)


_JAMS = (("plum", "purple"), ("berry", "red"), ("peach", "orange"), ("lemon", "yellow"))
_FRUIT = {"green apples": (0.45, 0.66, 0.18), "lemons": (0.95, 0.82, 0.2)}


def _fruit(skin: Finish, kind: str, at_m: tuple[float, float, float]) -> Part:
    if kind == "lemons":
        return ellipsoid(skin, (0.045, 0.034, 0.034), at_m, yaw(1000 * at_m[0] + 700 * at_m[1]))
    return sphere(skin, 0.038, at_m)


def _wedge(rim_m: NDArray[np.float64], height_m: float) -> Mesh:
    """A piece of a round cake: its tip on the axis, its rim anticlockwise."""
    outline = np.vstack((np.zeros((1, 2)), rim_m))
    return cut_out(outline, height_m, hub=0)
