"""Street furniture: what stands on pavements and in car parks."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.lettering import sign
from mira.sim.rooms.things.lofts import capped, loft, rounded_outline
from mira.sim.rooms.things.masonry import foliage
from mira.sim.rooms.things.meshes import smooth, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Mesh,
    Rgb,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about, compose, yaw

_RUBBER = Finish((0.06, 0.06, 0.065), specular=0.1, shininess=0.2)
_ZINC = Finish((0.55, 0.56, 0.57), specular=0.35, shininess=0.5)
_WHITE = Finish((0.93, 0.93, 0.92), specular=0.3, shininess=0.5)


def traffic_cone(rng: Generator) -> Item:
    """A cone with two white bands on a black foot."""
    colour = pick_colour(rng, "orange", "orange", "yellow", "red")
    skin = Finish(COLOURS[colour], specular=0.2, shininess=0.4)
    parts = [
        box(_RUBBER, (0.38, 0.38, 0.035), (0, 0, 0.0175)),
        solid(skin, turned([(0, 0.03), (0.145, 0.035), (0.135, 0.06), (0.032, 0.70), (0.028, 0.72),
                            (0, 0.72)])),
    ]  # fmt: skip
    for low, high in ((0.27, 0.41), (0.50, 0.60)):
        wide, narrow = (0.135 - 0.161 * (z - 0.06) + 0.0025 for z in (low, high))
        band = turned([(wide - 0.004, low), (wide, low), (narrow, high), (narrow - 0.004, high)])
        parts.append(solid(_WHITE, band))
    return Item("traffic cone", f"{colour} traffic cone", tuple(parts), 0.27)


def bollard(rng: Generator) -> Item:
    """A cast-iron post with a ball on it."""
    colour = pick_colour(rng, "black", "green", "grey", "red")
    paint = glossy(colour)
    shaft = [(0.105, 0.0), (0.105, 0.07), (0.085, 0.10), (0.07, 0.16), (0.062, 0.62), (0.08, 0.65),
             (0.08, 0.69), (0.055, 0.72), (0.05, 0.76)]  # fmt: skip
    parts = (
        solid(paint, turned([(0, 0), *shaft, (0, 0.76)])),
        sphere(paint, 0.078, (0, 0, 0.81)),
        cylinder(_WHITE, 0.0665, 0.09, (0, 0, 0.54)),
    )
    return Item("bollard", f"{colour} bollard", parts, 0.11)


def fire_hydrant(rng: Generator) -> Item:
    """A pillar hydrant with one large outlet at the front and two small ones."""
    colour = pick_colour(rng, "red", "yellow", "blue")
    paint = glossy(colour)
    cap = glossy("white") if colour != "yellow" else glossy("red")
    barrel = [
        (0.17, 0.0), (0.17, 0.035), (0.125, 0.045), (0.115, 0.06), (0.11, 0.48), (0.135, 0.50),
        (0.135, 0.535),
    ]  # fmt: skip
    dome = smooth([(0.125, 0.535), (0.115, 0.62), (0.075, 0.69), (0.03, 0.715)])
    parts = [
        solid(paint, turned([(0, 0), *barrel, (0, 0.535)])),
        solid(paint, turned([(0, 0.535), *dome, (0, 0.715)])),
        cylinder(cap, 0.026, 0.05, (0, 0, 0.735)),
        cylinder(paint, 0.075, 0.12, (0, -0.13, 0.36), UPRIGHT),
        cylinder(cap, 0.088, 0.05, (0, -0.195, 0.36), UPRIGHT, name="front cap"),
        cylinder(cap, 0.024, 0.04, (0, -0.235, 0.36), UPRIGHT),
    ]
    for side in (-1.0, 1.0):
        turn = about((0.0, 1.0, 0.0), 90.0)
        parts.append(cylinder(paint, 0.05, 0.12, (side * 0.13, 0, 0.38), turn))
        parts.append(cylinder(cap, 0.06, 0.04, (side * 0.19, 0, 0.38), turn))
    for k in range(8):
        angle = math.pi * k / 4
        spot = (0.148 * math.cos(angle), 0.148 * math.sin(angle), 0.045)
        parts.append(cylinder(STEEL, 0.014, 0.03, spot))
    return Item("fire hydrant", f"{colour} fire hydrant", tuple(parts), 0.27)


def litter_bin(rng: Generator) -> Item:
    """A round public bin with a slot and a sign at its front."""
    colour = pick_colour(rng, "green", "blue", "grey", "black")
    paint = Finish(COLOURS[colour], specular=0.14, shininess=0.4)
    word = Finish(texture=sign("LITTER", COLOURS[colour], (0.95, 0.88, 0.55), (256, 96)))
    wall = [(0.22, 0.0), (0.22, 0.03), (0.235, 0.05), (0.25, 0.62), (0.26, 0.64), (0.26, 0.67)]
    lid = smooth([(0.255, 0.86), (0.24, 0.92), (0.16, 0.99), (0.05, 1.02)])
    parts = [
        solid(paint, turned([(0, 0), *wall, (0, 0.67)])),
        solid(_RUBBER, turned([(0, 0.67), (0.21, 0.67), (0.21, 0.86), (0, 0.86)])),
        solid(paint, turned([(0, 0.85), (0.25, 0.85), *lid, (0, 1.02)])),
        box(word, (0.26, 0.10, 0.012), (0, -0.241, 0.44), UPRIGHT, name="litter sign"),
        cylinder(STEEL, 0.02, 0.012, (0, 0.235, 0.36), UPRIGHT, name="lock"),
    ]
    for k in range(4):
        angle = math.pi * (0.25 + k / 2)
        spot = (0.225 * math.cos(angle), 0.225 * math.sin(angle), 0.765)
        parts.append(box(paint, (0.05, 0.05, 0.20), spot, yaw(math.degrees(angle))))
    for height in (0.16, 0.56):
        radius = 0.237 + 0.02 * height
        outer = radius + 0.006
        hoop = [(radius, height), (outer, height + 0.005), (outer, height + 0.02),
                (radius, height + 0.025)]  # fmt: skip
        parts.append(solid(STEEL, turned(hoop)))
    return Item("litter bin", f"{colour} litter bin", tuple(parts), 0.27)


def post_box(rng: Generator) -> Item:
    """A pillar box with a slot, a notice and a door at its front."""
    colour = pick_colour(rng, "red", "yellow", "blue")
    paint = glossy(colour)
    ink: tuple[float, float, float] = (0.93, 0.92, 0.88) if colour != "yellow" else (0.1, 0.1, 0.1)
    notice = Finish(texture=sign("POST", COLOURS[colour], ink, (256, 96)))
    times = Finish(texture=sign("MON-FRI\n9.00\n17.30", (0.95, 0.95, 0.93), (0.15, 0.15, 0.2),
                                (160, 200)))  # fmt: skip
    body = [(0.25, 0.0), (0.25, 0.14), (0.225, 0.16), (0.225, 1.28), (0.27, 1.31), (0.275, 1.36)]
    roof = smooth([(0.26, 1.38), (0.22, 1.45), (0.12, 1.50), (0.03, 1.515)])
    parts = (
        solid(_RUBBER, turned([(0, 0), (0.253, 0), (0.253, 0.12), (0, 0.12)])),
        solid(paint, turned([(0, 0.01), *body, *roof, (0, 1.515)])),
        box(_RUBBER, (0.24, 0.05, 0.045), (0, -0.213, 1.20), name="slot"),
        box(paint, (0.28, 0.06, 0.02), (0, -0.22, 1.235)),
        box(notice, (0.24, 0.085, 0.012), (0, -0.222, 1.12), UPRIGHT, name="post sign"),
        box(times, (0.14, 0.18, 0.012), (0, -0.222, 0.95), UPRIGHT, name="collection times"),
        box(paint, (0.26, 0.56, 0.035), (0, -0.212, 0.54), UPRIGHT, name="door"),
        cylinder(STEEL, 0.014, 0.012, (0.10, -0.232, 0.58), UPRIGHT),
    )
    return Item("post box", f"{colour} post box", parts, 0.29)


def bench(rng: Generator) -> Item:
    """A slatted bench with a back; one sits looking towards -y."""
    tone = pick_colour(rng, "brown", "green", "grey")
    slat = Finish(COLOURS[tone], specular=0.15, shininess=0.3)
    iron = Finish((0.08, 0.08, 0.09), specular=0.3, shininess=0.5)
    parts = []
    for k in range(5):
        parts.append(box(slat, (1.5, 0.075, 0.03), (0, -0.20 + 0.092 * k, 0.44)))
    for k in range(3):
        lean = about((1.0, 0.0, 0.0), -12.0)
        parts.append(box(slat, (1.5, 0.03, 0.085), (0, 0.215 + 0.024 * k, 0.57 + 0.11 * k), lean))
    for side in (-0.62, 0.62):
        parts.append(rod(iron, (side, -0.21, 0.02), (side, -0.19, 0.40), 0.02))
        parts.append(rod(iron, (side, 0.24, 0.02), (side, 0.20, 0.41), 0.02))
        parts.append(rod(iron, (side, -0.21, 0.41), (side, 0.21, 0.41), 0.018))
        parts.append(rod(iron, (side, 0.215, 0.41), (side, 0.29, 0.82), 0.018))
        path = np.array([(side, 0.23, 0.62), (side, 0.05, 0.66), (side, -0.14, 0.65),
                         (side, -0.22, 0.59), (side, -0.20, 0.42)])  # fmt: skip
        parts.append(solid(iron, tube(path, 0.016)))
    return Item("bench", f"{tone} bench", tuple(parts), 0.80)


def potted_tree(rng: Generator) -> Item:
    """A clipped little tree in a square planter."""
    colour = pick_colour(rng, "grey", "white", "brown", "black")
    tub = Finish(COLOURS[colour], specular=0.1)
    shade = float(rng.uniform(0.8, 1.15))
    green: Rgb = (0.14 * shade, 0.32 * shade, 0.12 * shade)
    leaves = Finish(texture=foliage(rng, green), tile_m=0.4, specular=0.02, shininess=0.1)
    parts = [
        box(tub, (0.42, 0.42, 0.42), (0, 0, 0.23)),
        box(tub, (0.46, 0.46, 0.05), (0, 0, 0.435)),
        box(Finish((0.14, 0.09, 0.06), specular=0.0), (0.38, 0.38, 0.01), (0, 0, 0.461)),
        box(_RUBBER, (0.36, 0.36, 0.02), (0, 0, 0.01)),
        rod(Finish((0.34, 0.24, 0.15)), (0, 0, 0.46), (0.01, 0, 1.15), 0.025),
        solid(leaves, _crown(rng, 0.30), (0.01, 0, 1.36)),
    ]
    return Item("potted tree", f"tree in a {colour} planter", tuple(parts), 0.35)


def wheelie_bin(rng: Generator) -> Item:
    """A household bin with a hinged lid, two wheels and a handle at its back."""
    colour = pick_colour(rng, "green", "blue", "black", "yellow")
    skin = Finish(COLOURS[colour], specular=0.25, shininess=0.4)
    label = Finish(texture=sign("PAPER" if colour == "blue" else "WASTE", (0.93, 0.93, 0.9),
                                (0.15, 0.15, 0.15), (192, 96)))  # fmt: skip
    parts = [
        solid(skin, _tapered((0.24, 0.25), (0.29, 0.33), 0.06, 0.98)),
        box(skin, (0.60, 0.69, 0.035), (0, 0, 0.985)),
        ellipsoid(skin, (0.29, 0.33, 0.06), (0, 0, 1.0)),
        box(label, (0.22, 0.11, 0.008), (0, -0.303, 0.62), compose(
            UPRIGHT, about((1.0, 0.0, 0.0), 5.0)), name="waste label"),
        rod(skin, (-0.22, 0.385, 0.99), (0.22, 0.385, 0.99), 0.018, name="handle"),
        rod(skin, (-0.22, 0.30, 0.99), (-0.22, 0.385, 0.99), 0.018),
        rod(skin, (0.22, 0.30, 0.99), (0.22, 0.385, 0.99), 0.018),
        box(skin, (0.40, 0.06, 0.06), (0, -0.2, 0.03)),
        rod(STEEL, (-0.25, 0.24, 0.10), (0.25, 0.24, 0.10), 0.012),
    ]  # fmt: skip
    for side in (-1.0, 1.0):
        turn = about((0.0, 1.0, 0.0), 90.0)
        parts.append(cylinder(_RUBBER, 0.10, 0.05, (side * 0.265, 0.24, 0.10), turn))
        parts.append(cylinder(_ZINC, 0.055, 0.054, (side * 0.265, 0.24, 0.10), turn))
    return Item("wheelie bin", f"{colour} wheelie bin", tuple(parts), 0.46)


def fire_extinguisher() -> Item:
    """An extinguisher that hangs with its back on y = 0, its middle at z = 0."""
    red = glossy("red")
    label = Finish((0.93, 0.93, 0.90), specular=0.2)
    shape = smooth([(0.078, -0.24), (0.08, -0.2), (0.08, 0.15), (0.06, 0.20), (0.028, 0.225)])
    hose = np.array([(0.03, -0.11, 0.26), (0.10, -0.12, 0.22), (0.115, -0.12, 0.05),
                     (0.11, -0.12, -0.12)])  # fmt: skip
    parts = (
        solid(red, turned([(0, -0.24), *shape, (0, 0.225)]), (0, -0.11, 0)),
        solid(label, turned([(0.0805, -0.08), (0.0815, -0.08), (0.0815, 0.06), (0.0805, 0.06)]),
              (0, -0.11, 0), name="label"),
        cylinder(STEEL, 0.024, 0.05, (0, -0.11, 0.245)),
        rod(matt("black"), (0, -0.09, 0.275), (0, -0.19, 0.29), 0.011),
        rod(matt("black"), (0, -0.09, 0.265), (0, -0.18, 0.255), 0.009),
        solid(_RUBBER, tube(hose, 0.012)),
        rod(_RUBBER, (0.11, -0.12, -0.11), (0.11, -0.12, -0.18), 0.018),
        box(_ZINC, (0.06, 0.035, 0.30), (0, -0.0175, 0.0)),
    )  # fmt: skip
    return Item("fire extinguisher", "red fire extinguisher", parts, 0.2)


def _tapered(foot: tuple[float, float], rim: tuple[float, float], low: float, high: float) -> Mesh:
    """A tub with rounded corners, wider at its rim."""
    rings = []
    for share in (0.0, 0.04, 1.0):
        half = [a + (b - a) * share for a, b in zip(foot, rim, strict=True)]
        pinch = 0.96 if share == 0.0 else 1.0
        flat = rounded_outline(half[0] * pinch, half[1] * pinch, power=7.0, count=36)[::-1]
        rings.append(np.column_stack((flat, np.full(36, low + (high - low) * share))))
    return loft(capped(np.stack(rings)))


def _crown(rng: Generator, radius_m: float) -> Mesh:
    """A clipped ball of leaves: a globe with a rough skin."""
    rows, around = 26, 40
    rise = np.linspace(-np.pi / 2, np.pi / 2, rows)[:, None]
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)[None]
    rough = radius_m * (1 + 0.055 * rng.standard_normal((rows, around)))
    rough[[0, -1]] = radius_m
    grid = np.stack(
        (rough * np.cos(rise) * np.cos(turn), rough * np.cos(rise) * np.sin(turn),
         rough * np.sin(rise) + 0 * turn), axis=-1,
    )  # fmt: skip
    return loft(grid)
