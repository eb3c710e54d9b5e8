"""What sports, music and gift shops sell: guitar, football, helmet, camera, trophy, radio."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import goods_prints as prints
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.goods import darker
from mira.sim.rooms.things.meshes import arc, ring, smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    box,
    cylinder,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import (
    UPRIGHT,
    Quaternion,
    Vector,
    about,
    along,
    compose,
    rotate,
)
from mira.sim.rooms.things.sections import between, curve, cut_out, lofted

_SIDEWAYS = about((0.0, 1.0, 0.0), 90.0)
_OAK = Finish((0.62, 0.43, 0.26), specular=0.2)


def guitar(rng: Generator) -> Item:
    """An acoustic guitar on a floor stand: hole, bridge and strings in front, bare wood behind."""
    colour = pick_colour(rng, "orange", "red", "blue", "brown")
    top, side = glossy(colour), darker_glossy(colour)
    outline = np.array(_GUITAR)
    body = np.vstack((outline, outline[::-1] * np.array((-1.0, 1.0))))
    lean = about((1, 0, 0), 76)
    cream = matt("white")
    flat: list[Part] = [
        solid(side, cut_out(body * 1.0, 0.085)),
        solid(top, cut_out(body * 0.985, 0.004), (0, 0, 0.085)),
        cylinder(cream, 0.052, 0.003, (0, 0.27, 0.09)),
        cylinder(matt("black"), 0.044, 0.005, (0, 0.27, 0.0905), name="sound hole"),
        box(matt("black"), (0.14, 0.03, 0.012), (0, 0.12, 0.095), name="bridge"),
        box(matt("brown"), (0.055, 0.5, 0.03), (0, 0.56, 0.083), name="neck"),
        box(matt("black"), (0.052, 0.46, 0.006), (0, 0.56, 0.1005), name="fingerboard"),
        box(side, (0.08, 0.16, 0.022), (0, 0.88, 0.074), name="headstock"),
    ]
    flat += [box(STEEL, (0.05, 0.004, 0.008), (0, 0.4 + 0.05 * k, 0.101)) for k in range(8)]
    for x in (-0.018, -0.006, 0.006, 0.018):
        flat.append(box(STEEL, (0.003, 0.74, 0.003), (x, 0.48, 0.107)))
    for y in (0.84, 0.88, 0.92):
        flat += [sphere(cream, 0.013, (s * 0.053, y, 0.074)) for s in (-1.0, 1.0)]
    parts = [moved(part, lean, (0, 0.0, 0.1)) for part in flat]
    for s in (-1.0, 1.0):
        parts.append(rod(matt("black"), (s * 0.1, 0.02, 0.085), (s * 0.1, -0.11, 0.085), 0.01))
        parts.append(rod(matt("black"), (s * 0.1, -0.11, 0.085), (s * 0.1, -0.11, 0.13), 0.01))
        parts.append(rod(matt("black"), (s * 0.1, 0.02, 0.085), (s * 0.19, -0.14, 0.011), 0.011))
        parts.append(rod(matt("black"), (s * 0.1, 0.03, 0.085), (0, 0.2, 0.011), 0.011))
    parts.append(rod(matt("black"), (0, 0.2, 0.011), (0, 0.19, 0.6), 0.011))
    return Item("guitar", f"{colour} guitar", tuple(parts), 0.28)


def football(rng: Generator) -> Item:
    """A white ball with dark patches, full size, on a low ring."""
    colour = pick_colour(rng, "black", "red", "blue")
    radius, centre = 0.11, (0.0, 0.0, 0.113)
    parts = [
        sphere(glossy("white"), radius, centre),
        solid(matt("black"), ring(0.06, 0.008), (0, 0, 0.01)),
    ]
    for direction in _ICOSAHEDRON:
        unit = np.array(direction) / np.linalg.norm(direction)
        x, y, z = (np.array(centre) + (radius - 0.007) * unit).tolist()
        patch = turned([(0, 0), (0.04, 0), (0.036, 0.0045), (0, 0.009)], around=5)
        spin = about((0, 0, 1), 36 if unit[2] > 0 else 0)
        parts.append(solid(matt(colour), patch, (x, y, z), compose(along(unit), spin)))
    return Item("ball", f"white and {colour} football", tuple(parts), 0.115)


def helmet(rng: Generator) -> Item:
    """A full-face motorcycle helmet: a dark visor in front, a stripe over its crown."""
    colour = pick_colour(rng, "red", "white", "blue", "yellow", "green")
    stripe = "black" if colour != "blue" else "white"
    shell = between(
        [(0.0, 0.085, 0.1, 0, 0), (0.03, 0.105, 0.128, 0, -0.008), (0.1, 0.122, 0.15, 0, -0.01),
         (0.17, 0.12, 0.14, 0, 0), (0.225, 0.09, 0.11, 0, 0.004), (0.25, 0.03, 0.04, 0, 0.004)]
    )  # fmt: skip
    visor = between(
        [(0.1, 0.112, 0.1, 0, -0.066), (0.14, 0.114, 0.1, 0, -0.062),
         (0.178, 0.1, 0.088, 0, -0.056)],
        steps=4,
    )  # fmt: skip
    band = arc(0.142, 18, 168, count=20) * np.array((1.0, 1.0, 0.92))
    parts = [
        solid(glossy(colour), lofted(shell)),
        solid(Finish((0.06, 0.07, 0.09), specular=0.9, shininess=0.9), lofted(visor), name="visor"),
        solid(matt(stripe), tube(band, 0.016), (0, 0, 0.12), about((0, 0, 1), 90), name="stripe"),
        box(matt("black"), (0.07, 0.02, 0.014), (0, -0.152, 0.055), name="vent"),
        box(matt(stripe), (0.1, 0.02, 0.02), (0, 0.125, 0.05), name="rear vent"),
    ]
    parts += [
        cylinder(STEEL, 0.02, 0.012, (s * 0.118, -0.04, 0.14), _SIDEWAYS) for s in (-1.0, 1.0)
    ]
    return Item("helmet", f"{colour} helmet", tuple(parts), 0.175)


def camera(rng: Generator) -> Item:
    """A big old camera: lens in front, screen behind, on a little block."""
    colour = pick_colour(rng, "brown", "black", "red")
    hide, lit = matt(colour), Finish((0.2, 0.35, 0.45), glow=0.25)
    parts = [
        box(_OAK, (0.2, 0.12, 0.04), (0, 0, 0.02)),
        box(hide, (0.2, 0.07, 0.085), (0, 0, 0.0875)),
        box(STEEL, (0.2, 0.07, 0.022), (0, 0, 0.14)),
        box(STEEL, (0.08, 0.06, 0.035), (0, 0, 0.165)),
        box(matt("black"), (0.045, 0.006, 0.018), (0, -0.032, 0.165), name="viewfinder"),
        cylinder(STEEL, 0.043, 0.02, (0, -0.044, 0.09), UPRIGHT),
        cylinder(matt("black"), 0.038, 0.05, (0, -0.07, 0.09), UPRIGHT, name="lens"),
        cylinder(Finish((0.16, 0.2, 0.4), specular=0.9), 0.028, 0.004, (0, -0.096, 0.09), UPRIGHT),
        cylinder(STEEL, 0.017, 0.018, (0.07, 0, 0.158)),
        cylinder(glossy("red"), 0.009, 0.016, (-0.07, 0, 0.157)),
        box(lit, (0.1, 0.004, 0.06), (0, 0.036, 0.09), name="screen"),
    ]  # fmt: skip
    return Item("camera", f"{colour} camera", tuple(parts), 0.135)


def trophy(rng: Generator) -> Item:
    """A golden cup with two handles on a plinth with a plate in front."""
    colour = pick_colour(rng, "black", "red", "green")
    bowl = [(0.016, 0.1), (0.014, 0.15), (0.05, 0.2), (0.072, 0.28), (0.078, 0.34)]
    inside = [(0.07, 0.34), (0.06, 0.27), (0.0, 0.22)]
    foot = [(0, 0.08), (0.05, 0.08), (0.046, 0.09), (0.016, 0.1)]
    parts = [
        box(glossy(colour), (0.12, 0.12, 0.08), (0, 0, 0.04)),
        solid(BRASS, turned([*foot, *smooth(bowl), *inside])),
        box(BRASS, (0.08, 0.004, 0.035), (0, -0.0615, 0.04), name="plate"),
    ]
    for side in (-1.0, 1.0):
        path = curve([(side * 0.074, 0, 0.32), (side * 0.125, 0, 0.31), (side * 0.11, 0, 0.24),
                      (side * 0.05, 0, 0.2)])  # fmt: skip
        parts.append(solid(BRASS, tube(path, 0.009), name="handle"))
    return Item("trophy", f"trophy on a {colour} plinth", tuple(parts), 0.135)


def radio(rng: Generator) -> Item:
    """An old table radio: grille, dial and knobs in front, vents behind."""
    colour = pick_colour(rng, "red", "turquoise", "orange", "green")
    body = [(0.0, 0.15, 0.06, 0, 0), (0.015, 0.16, 0.07, 0, 0), (0.15, 0.16, 0.07, 0, 0)]
    body += [(0.17, 0.14, 0.055, 0, 0)]
    dial = Finish(texture=prints.wide_sign("88 92 96 104", (0.98, 0.93, 0.75), (0.3, 0.15, 0.1)),
                  glow=0.3)  # fmt: skip
    parts = [
        solid(glossy(colour), lofted(body, power=7)),
        box(Finish((0.9, 0.84, 0.7)), (0.15, 0.012, 0.11), (-0.06, -0.068, 0.085), name="grille"),
        box(dial, (0.11, 0.035, 0.008), (0.085, -0.069, 0.125), UPRIGHT, name="dial"),
        solid(BRASS, tube(arc(0.09, 0, 180) * np.array((1, 1, 0.6)), 0.007), (0, 0, 0.165)),
    ]
    parts += [rod(matt("brown"), (-0.125, -0.075, z), (0.005, -0.075, z), 0.003)
              for z in (0.05, 0.068, 0.086, 0.104, 0.122)]  # fmt: skip
    parts += [cylinder(BRASS, 0.02, 0.03, (x, -0.078, 0.06), UPRIGHT) for x in (0.06, 0.115)]
    for x in (-0.08, -0.04, 0.0, 0.04, 0.08):
        parts.append(box(matt("black"), (0.02, 0.006, 0.08), (x, 0.07, 0.08)))
    return Item("radio", f"{colour} radio", tuple(parts), 0.185)


def darker_glossy(colour: str) -> Finish:
    """The same colour with less light, polished."""
    return Finish(darker(COLOURS[colour], 0.6), specular=0.4, shininess=0.6)


def moved(part: Part, turn: Quaternion, at_m: Vector) -> Part:
    """A part turned about the origin and then moved."""
    x, y, z = rotate(turn, part.at_m)
    spot = (x + at_m[0], y + at_m[1], z + at_m[2])
    return replace(part, at_m=spot, turn=compose(turn, part.turn))


_GOLDEN = (1 + 5**0.5) / 2
_ICOSAHEDRON = tuple(
    corner
    for a in (-1.0, 1.0)
    for b in (-_GOLDEN, _GOLDEN)
    for corner in ((0.0, a, b), (a, b, 0.0), (b, 0.0, a))
)
_GUITAR = (
    (0.0, 0.0), (0.08, 0.004), (0.15, 0.035), (0.185, 0.09), (0.185, 0.15), (0.155, 0.205),
    (0.13, 0.25), (0.128, 0.29), (0.14, 0.34), (0.135, 0.39), (0.1, 0.435), (0.05, 0.452),
)  # fmt: skip
