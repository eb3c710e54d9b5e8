"""What a toy shop sells: robot, train, lorry, rocking horse, drum, stacking rings."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.goods_play import darker_glossy
from mira.sim.rooms.things.meshes import arc, ring, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import (
    UPRIGHT,
    about,
)
from mira.sim.rooms.things.sections import between, curve, cut_out, lofted

_SIDEWAYS = about((0.0, 1.0, 0.0), 90.0)
_OAK = Finish((0.62, 0.43, 0.26), specular=0.2)
_WEDGE = np.array([(0.0, 0.0), (0.05, 0.0), (0.05, 0.035), (0.03, 0.03)])
_LOAD = (("blue", 0.03), ("red", 0.075), ("green", 0.12))


def toy_robot(rng: Generator) -> Item:
    """A tin robot: eyes and dials in front, a winding key and a hatch behind."""
    colour = pick_colour(rng, "red", "blue", "turquoise", "orange")
    tin, trim = glossy(colour), STEEL
    parts = [
        box(tin, (0.16, 0.1, 0.16), (0, 0, 0.2)),
        box(trim, (0.11, 0.09, 0.1), (0, 0, 0.34)),
        box(matt("black"), (0.12, 0.004, 0.085), (0, -0.0515, 0.215), name="panel"),
        box(darker_glossy(colour), (0.1, 0.006, 0.1), (0, 0.052, 0.2), name="hatch"),
        cylinder(trim, 0.03, 0.02, (0, 0, 0.285)),
        rod(trim, (0, 0, 0.39), (0, 0, 0.43), 0.005),
        sphere(glossy("red"), 0.013, (0, 0, 0.44)),
        box(matt("black"), (0.06, 0.006, 0.014), (0, -0.047, 0.312), name="mouth"),
        rod(BRASS, (0, 0.05, 0.21), (0, 0.085, 0.21), 0.007),
        cylinder(BRASS, 0.02, 0.008, (-0.022, 0.09, 0.21), _SIDEWAYS, name="key"),
        cylinder(BRASS, 0.02, 0.008, (0.022, 0.09, 0.21), _SIDEWAYS, name="key"),
    ]
    for side, dial in ((-1.0, "yellow"), (1.0, "green")):
        parts += [
            sphere(Finish((1, 0.95, 0.6), glow=0.4), 0.019, (side * 0.027, -0.045, 0.355)),
            cylinder(matt("black"), 0.009, 0.012, (side * 0.027, -0.06, 0.355), UPRIGHT),
            cylinder(glossy(dial), 0.017, 0.01, (side * 0.03, -0.054, 0.225), UPRIGHT, name="dial"),
            cylinder(trim, 0.012, 0.03, (side * 0.065, 0, 0.34), _SIDEWAYS),
            rod(trim, (side * 0.09, 0, 0.255), (side * 0.12, -0.01, 0.2), 0.016),
            rod(trim, (side * 0.12, -0.01, 0.2), (side * 0.12, -0.06, 0.16), 0.015),
            sphere(glossy("red"), 0.021, (side * 0.12, -0.065, 0.155)),
            cylinder(trim, 0.024, 0.1, (side * 0.042, 0, 0.08)),
            box(tin, (0.07, 0.12, 0.035), (side * 0.042, -0.012, 0.0175)),
        ]
    return Item("robot", f"{colour} toy robot", tuple(parts), 0.16)


def toy_train(rng: Generator) -> Item:
    """A wooden engine with a tender and a carriage, seen from its side."""
    colour = pick_colour(rng, "red", "green", "blue", "yellow")
    second = pick_colour(rng, *(n for n in ("yellow", "orange", "turquoise") if n != colour))
    coat, black = glossy(colour), matt("black")
    parts = [
        box(coat, (0.2, 0.08, 0.025), (-0.13, 0, 0.045)),
        cylinder(coat, 0.036, 0.12, (-0.16, 0, 0.092), _SIDEWAYS),
        cylinder(BRASS, 0.037, 0.012, (-0.19, 0, 0.092), _SIDEWAYS),
        cylinder(black, 0.034, 0.012, (-0.224, 0, 0.092), _SIDEWAYS),
        sphere(Finish((1, 0.95, 0.7), glow=0.5), 0.013, (-0.232, 0, 0.1)),
        box(glossy(second), (0.065, 0.085, 0.1), (-0.065, 0, 0.107)),
        box(black, (0.09, 0.1, 0.012), (-0.065, 0, 0.163)),
        box(Finish((0.6, 0.8, 0.9)), (0.036, 0.087, 0.036), (-0.065, 0, 0.118)),
        solid(black, turned([(0, 0), (0.011, 0), (0.012, 0.03), (0.021, 0.055), (0, 0.055)]),
              (-0.2, 0, 0.122)),
        ellipsoid(BRASS, (0.015, 0.015, 0.018), (-0.15, 0, 0.128)),
        solid(black, cut_out(_WEDGE, 0.07), (-0.25, 0.035, 0.012), UPRIGHT),
        rod(black, (-0.03, 0, 0.04), (0.0, 0, 0.04), 0.006),
        box(glossy(second), (0.15, 0.08, 0.025), (0.075, 0, 0.045)),
        box(coat, (0.15, 0.075, 0.045), (0.075, 0, 0.08)),
        rod(black, (0.15, 0, 0.04), (0.17, 0, 0.04), 0.006),
    ]  # fmt: skip
    parts += [sphere(glossy(n), 0.026, (x, 0, 0.115)) for n, x in _LOAD]
    for x, radius in ((-0.2, 0.024), (-0.14, 0.024), (-0.065, 0.034), (0.03, 0.024), (0.12, 0.024)):
        for y in (-0.048, 0.048):
            parts.append(cylinder(glossy("red"), radius, 0.014, (x, y, radius), UPRIGHT))
            parts.append(cylinder(BRASS, 0.008, 0.02, (x, y, radius), UPRIGHT))
    return Item("train", f"{colour} toy train", tuple(parts), 0.255)


def toy_lorry(rng: Generator) -> Item:
    """A tipper with a load of blocks; headlights in front, tail-lights behind."""
    colour = pick_colour(rng, "yellow", "red", "blue", "green")
    bed = pick_colour(rng, *(n for n in ("orange", "grey", "turquoise") if n != colour))
    pane = Finish((0.25, 0.4, 0.5), specular=0.6, shininess=0.8)
    parts = [
        box(matt("black"), (0.3, 0.1, 0.025), (0, 0, 0.05)),
        box(glossy(colour), (0.1, 0.13, 0.075), (-0.11, 0, 0.1)),
        box(glossy(colour), (0.075, 0.13, 0.06), (-0.095, 0, 0.165)),
        box(pane, (0.04, 0.134, 0.042), (-0.09, 0, 0.163), name="side window"),
        box(pane, (0.006, 0.11, 0.042), (-0.134, 0, 0.163), name="windscreen"),
        box(glossy(bed), (0.19, 0.14, 0.012), (0.06, 0, 0.08)),
        box(glossy(bed), (0.012, 0.14, 0.08), (-0.036, 0, 0.12)),
        box(glossy(bed), (0.012, 0.14, 0.06), (0.15, 0, 0.11), name="tailboard"),
    ]
    for side in (-1.0, 1.0):
        parts.append(box(glossy(bed), (0.19, 0.01, 0.06), (0.06, side * 0.066, 0.11)))
        parts.append(
            cylinder(Finish((1, 1, 0.8), glow=0.4), 0.014, 0.012, (-0.162, side * 0.042, 0.1),
                     _SIDEWAYS, name="headlight")
        )  # fmt: skip
        parts.append(box(glossy("red"), (0.008, 0.02, 0.014), (0.158, side * 0.05, 0.1)))
        for x in (-0.1, 0.03, 0.11):
            parts.append(cylinder(matt("black"), 0.04, 0.03, (x, side * 0.068, 0.04), UPRIGHT))
            parts.append(cylinder(STEEL, 0.018, 0.034, (x, side * 0.068, 0.04), UPRIGHT))
    for name, x, y in (("red", 0.0, 0.02), ("blue", 0.05, -0.025), ("yellow", 0.1, 0.025)):
        parts.append(box(glossy(name), (0.045, 0.045, 0.06), (x, y, 0.115)))
    return Item("lorry", f"{colour} toy lorry", tuple(parts), 0.18)


def rocking_horse(rng: Generator) -> Item:
    """A wooden horse on rockers with mane, saddle and tail, its head to the left."""
    colour = pick_colour(rng, "white", "brown", "beige")
    seat = pick_colour(rng, "red", "blue", "green")
    coat = Finish(COLOURS[colour], specular=0.2)
    mane = matt("black") if colour != "beige" else matt("brown")
    body = between([(-0.21, 0.05, 0.06, 0, 0), (-0.15, 0.09, 0.1, 0, 0), (0.0, 0.085, 0.09, 0, 0),
                    (0.14, 0.09, 0.1, 0, 0), (0.2, 0.05, 0.06, 0, 0)])  # fmt: skip
    neck = curve([(-0.15, 0, 0.5), (-0.21, 0, 0.6), (-0.24, 0, 0.7)])
    parts = [
        solid(coat, lofted(body), (0, 0, 0.46), _SIDEWAYS),
        solid(coat, tube(neck, 0.062)),
        ellipsoid(coat, (0.105, 0.05, 0.055), (-0.29, 0, 0.72), about((0, 1, 0), -28)),
        solid(matt(seat), lofted([(-0.09, 0.1, 0.105), (0.09, 0.1, 0.105)]), (0, 0, 0.47),
              _SIDEWAYS, name="saddle"),
        rod(_OAK, (-0.25, -0.13, 0.69), (-0.25, 0.13, 0.69), 0.014, name="handle"),
        rod(mane, (0.2, 0, 0.5), (0.29, 0, 0.34), 0.03, name="tail"),
    ]  # fmt: skip
    mane_at = curve([(-0.24, 0, 0.78), (-0.18, 0, 0.71), (-0.14, 0, 0.6), (-0.1, 0, 0.55)])
    parts.append(solid(mane, tube(mane_at, 0.03), name="mane"))
    rocker = arc(0.75, 240, 300, count=18) + np.array((0, 0, 0.772))
    for side in (-1.0, 1.0):
        y = side * 0.13
        parts += [
            solid(matt(seat), tube(rocker + np.array((0, y, 0)), 0.022), name="rocker"),
            rod(coat, (-0.14, side * 0.07, 0.43), (-0.25, y, 0.085), 0.028),
            rod(coat, (0.14, side * 0.07, 0.43), (0.25, y, 0.085), 0.028),
            ellipsoid(coat, (0.012, 0.014, 0.035), (-0.235, side * 0.03, 0.795)),
            sphere(matt("black"), 0.012, (-0.3, side * 0.044, 0.745)),
        ]
    parts.append(rod(_OAK, (-0.25, -0.13, 0.07), (-0.25, 0.13, 0.07), 0.016))
    parts.append(rod(_OAK, (0.25, -0.13, 0.07), (0.25, 0.13, 0.07), 0.016))
    return Item("rocking horse", f"{colour} rocking horse", tuple(parts), 0.42)


def drum(rng: Generator) -> Item:
    """A toy drum with cords and two sticks on top."""
    colour = pick_colour(rng, "red", "blue", "green")
    parts = [
        cylinder(glossy(colour), 0.13, 0.16, (0, 0, 0.1)),
        cylinder(matt("white"), 0.126, 0.004, (0, 0, 0.197)),
        solid(glossy("yellow"), ring(0.131, 0.013), (0, 0, 0.18)),
        solid(glossy("yellow"), ring(0.131, 0.013), (0, 0, 0.014)),
        rod(_OAK, (-0.12, -0.05, 0.207), (0.09, 0.06, 0.207), 0.008),
        rod(_OAK, (-0.1, 0.06, 0.222), (0.12, -0.06, 0.213), 0.008),
        sphere(_OAK, 0.014, (0.09, 0.06, 0.213)),
        sphere(_OAK, 0.014, (0.12, -0.06, 0.22)),
    ]
    angles = np.linspace(0, 2 * np.pi, 17)
    for number, (a, b) in enumerate(itertools.pairwise(angles)):
        low, high = (0.03, 0.165) if number % 2 else (0.165, 0.03)
        start = (0.134 * float(np.cos(a)), 0.134 * float(np.sin(a)), low)
        end = (0.134 * float(np.cos(b)), 0.134 * float(np.sin(b)), high)
        parts.append(rod(matt("white"), start, end, 0.005))
    return Item("drum", f"{colour} drum", tuple(parts), 0.15)


def stacking_rings(rng: Generator) -> Item:
    """Coloured rings on a peg, the largest at the bottom."""
    names = [str(n) for n in rng.permutation(["red", "orange", "yellow", "green", "blue"])]
    parts = [cylinder(_OAK, 0.08, 0.015, (0, 0, 0.0075)), cylinder(_OAK, 0.014, 0.21, (0, 0, 0.12))]
    for level, name in enumerate(names):
        radius = 0.058 - 0.008 * level
        parts.append(solid(glossy(name), ring(radius, 0.021), (0, 0, 0.035 + 0.038 * level)))
    parts.append(sphere(glossy("red"), 0.026, (0, 0, 0.235)))
    return Item("stacking toy", "stacking rings", tuple(parts), 0.085)
