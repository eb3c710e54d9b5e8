"""What a clothes shop sells: dressed dummies, shirts, a rail of garments, shoes."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import goods_prints as prints
from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.goods import darker
from mira.sim.rooms.things.meshes import tube, turned
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
from mira.sim.rooms.things.rotation import UPRIGHT, about, compose, yaw
from mira.sim.rooms.things.sections import between, curve, lofted

_LINEN = Finish((0.86, 0.80, 0.70), specular=0.05)
_OAK = Finish((0.55, 0.38, 0.24), specular=0.2)


def folded_shirts(rng: Generator) -> Item:
    """A pile of folded shirts; the top one shows its collar and a label."""
    names = [str(name) for name in rng.permutation(["red", "blue", "white", "green", "yellow"])]
    top = names[3]
    parts: list[Part] = []
    for level, name in enumerate(names[:4]):
        z = 0.042 * level
        x = float(rng.uniform(-0.006, 0.006))
        fold = [(z, 0.125, 0.155, x, 0), (z + 0.012, 0.135, 0.165, x, 0)]
        fold += [(z + 0.03, 0.135, 0.165, x, 0), (z + 0.042, 0.125, 0.155, x, 0)]
        parts.append(solid(matt(name), lofted(fold, power=6)))
    dark = Finish(darker(COLOURS[top], 0.78), specular=0.03)
    parts.append(box(matt("white"), (0.05, 0.02, 0.004), (0, 0.11, 0.169), name="label"))
    parts.append(box(dark, (0.012, 0.24, 0.004), (0, -0.02, 0.169)))
    for side in (-1.0, 1.0):
        turn = yaw(side * 32)
        parts.append(box(dark, (0.045, 0.1, 0.016), (side * 0.045, 0.09, 0.174), turn))
    parts += [sphere(matt("black"), 0.006, (0, y, 0.171)) for y in (0.04, -0.03, -0.1)]
    return Item("shirts", f"pile of shirts, {top} on top", tuple(parts), 0.215)


def mannequin_dress(rng: Generator) -> Item:
    """A tailor's dummy in a flared dress with a belt; a bow and a zip behind."""
    colour = pick_colour(rng, "red", "blue", "pink", "green", "yellow")
    accent = pick_colour(rng, "white", "black")
    cloth = _printed(rng, colour, accent)
    dress = between(
        [
            (0.45, 0.29, 0.24, 0, 0),
            (0.72, 0.22, 0.18, 0, 0),
            (0.92, 0.155, 0.125, 0, 0),
            (1.04, 0.12, 0.092, 0, 0),
            (1.15, 0.135, 0.11, 0, -0.01),
            (1.24, 0.152, 0.122, 0, -0.018),
            (1.33, 0.15, 0.085, 0, 0),
            (1.385, 0.15, 0.06, 0, 0),
        ]
    )
    parts = [
        *_stand(0.8),
        solid(cloth, lofted(dress, power=2.2)),
        *_bust(1.37),
        solid(matt(accent), lofted([(1.015, 0.128, 0.1), (1.06, 0.128, 0.1)]), name="belt"),
        box(BRASS, (0.04, 0.012, 0.045), (0, -0.102, 1.037), name="buckle"),
        rod(BRASS, (0, 0.096, 1.08), (0, 0.072, 1.35), 0.007, name="zip"),
    ]
    for side in (-1.0, 1.0):
        parts.append(ellipsoid(cloth, (0.058, 0.065, 0.075), (side * 0.162, 0, 1.345)))
        bow = about((0, 1, 0), side * 25)
        spot = (side * 0.05, 0.108, 1.03)
        parts.append(ellipsoid(matt(accent), (0.05, 0.02, 0.032), spot, bow, name="bow"))
        tail = rod(matt(accent), (side * 0.02, 0.115, 1.02), (side * 0.05, 0.15, 0.86), 0.012)
        parts.append(tail)
    for angle in np.radians(np.linspace(200, 340, 9)):
        x, z = 0.075 * float(np.cos(angle)), 1.43 + 0.085 * float(np.sin(angle))
        parts.append(sphere(glossy("white"), 0.011, (x, -0.075 - 0.035 * (1.43 - z) / 0.085, z)))
    return Item("mannequin", f"{colour} dress on a dummy", tuple(parts), 0.3)


def mannequin_jacket(rng: Generator) -> Item:
    """A tailor's dummy in a jacket with lapels, shirt and tie."""
    colour = pick_colour(rng, "blue", "grey", "brown", "green")
    tie = pick_colour(rng, "red", "yellow", "purple")
    wool, dark = matt(colour), Finish(darker(COLOURS[colour], 0.66), specular=0.03)
    torso = between(
        [
            (0.74, 0.19, 0.125, 0, 0),
            (0.95, 0.175, 0.115, 0, 0),
            (1.1, 0.17, 0.112, 0, 0),
            (1.28, 0.2, 0.122, 0, 0),
            (1.39, 0.19, 0.085, 0, 0),
            (1.43, 0.08, 0.06, 0, 0),
        ]
    )
    parts = [
        *_stand(0.8),
        solid(wool, lofted(torso, power=2.6)),
        *_bust(1.41),
        box(matt("white"), (0.1, 0.016, 0.27), (0, -0.114, 1.25), about((1, 0, 0), -7)),
        box(matt(tie), (0.045, 0.016, 0.24), (0, -0.125, 1.235), about((1, 0, 0), -7), name="tie"),
        box(dark, (0.008, 0.01, 0.34), (0, -0.12, 0.93)),
        box(matt(tie), (0.05, 0.014, 0.03), (0.1, -0.112, 1.24), name="handkerchief"),
        box(dark, (0.01, 0.01, 0.24), (0, 0.118, 0.86), name="vent"),
    ]
    for side in (-1.0, 1.0):
        lean = compose(about((0, 1, 0), side * 13), about((1, 0, 0), -7))
        parts.append(
            box(dark, (0.05, 0.018, 0.3), (side * 0.062, -0.122, 1.24), lean, name="lapel")
        )
        parts.append(box(dark, (0.1, 0.012, 0.03), (side * 0.1, -0.112, 0.95)))
        arm = curve([(side * 0.2, 0, 1.37), (side * 0.25, 0, 1.15), (side * 0.255, -0.05, 0.86)])
        parts.append(solid(wool, tube(arm, 0.055), name="sleeve"))
    parts += [sphere(matt("black"), 0.012, (0.0, -0.124, z)) for z in (0.9, 0.99, 1.08)]
    return Item("mannequin", f"{colour} jacket on a dummy", tuple(parts), 0.33)


def clothes_rail(rng: Generator) -> Item:
    """A rail on castors, full of garments on hangers."""
    half, high = 0.55, 1.5
    names = ["red", "blue", "green", "yellow", "pink", "white", "turquoise", "purple", "beige"]
    parts = [
        rod(STEEL, (-half, 0, high), (half, 0, high), 0.016),
        rod(STEEL, (-half, 0, 0.1), (half, 0, 0.1), 0.012),
    ]
    for side in (-1.0, 1.0):
        parts.append(rod(STEEL, (side * half, 0, 0.1), (side * half, 0, high), 0.016))
        parts.append(rod(STEEL, (side * half, -0.22, 0.085), (side * half, 0.22, 0.085), 0.014))
        parts += [sphere(matt("black"), 0.034, (side * half, y, 0.034)) for y in (-0.2, 0.2)]
    for x in np.linspace(-half + 0.09, half - 0.09, 10).tolist():
        name = names[int(rng.integers(len(names)))]
        drop = float(rng.uniform(0.65, 1.05))
        width = float(rng.uniform(0.19, 0.22))
        top = high - 0.09
        cut = [(top - drop, 0.036, width), (top - drop * 0.4, 0.034, width - 0.015)]
        cut += [(top - 0.08, 0.034, width - 0.01), (top - 0.03, 0.022, width * 0.6)]
        cut += [(top, 0.016, 0.05)]
        cloth = _printed(rng, name, "white") if rng.random() < 0.35 else matt(name)
        parts.append(solid(cloth, lofted(cut, power=3, around=20), (x, 0, 0)))
        parts.append(rod(STEEL, (x, 0, top - 0.01), (x, 0, high), 0.004))
    return Item("clothes rail", "rail with clothes", tuple(parts), 0.62)


def sneakers(rng: Generator) -> Item:
    """A pair of trainers with white soles, toe caps and laces."""
    colour = pick_colour(rng, "red", "blue", "green", "black", "yellow")
    parts: list[Part] = []
    for x in (-0.062, 0.062):
        parts += _sneaker(matt(colour), x)
    return Item("shoes", f"pair of {colour} trainers", tuple(parts), 0.18)


def boots(rng: Generator) -> Item:
    """A pair of high boots with heels; zips behind."""
    colour = pick_colour(rng, "brown", "black", "red", "beige")
    leather = Finish(COLOURS[colour], specular=0.4, shininess=0.5)
    sole = matt("black") if colour != "black" else matt("brown")
    foot = [(-0.06, 0.036, 0.04, 0, 0.065), (0.03, 0.038, 0.042, 0, 0.062)]
    foot += [
        (0.1, 0.04, 0.03, 0, 0.042),
        (0.15, 0.034, 0.022, 0, 0.034),
        (0.17, 0.018, 0.014, 0, 0.03),
    ]
    shaft = [(0.04, 0.038, 0.052, 0, 0.012), (0.13, 0.037, 0.044, 0, 0.02)]
    shaft += [(0.24, 0.048, 0.055, 0, 0.022), (0.33, 0.052, 0.058, 0, 0.022)]
    parts: list[Part] = []
    for x in (-0.065, 0.065):
        parts += [
            solid(leather, lofted(between(foot, steps=4)), (x, 0, 0), UPRIGHT),
            solid(leather, lofted(between(shaft, steps=4)), (x, 0, 0)),
            box(sole, (0.066, 0.12, 0.012), (x, -0.1, 0.0065)),
            box(sole, (0.056, 0.056, 0.036), (x, 0.035, 0.018), name="heel"),
            cylinder(sole, 0.045, 0.004, (x, 0.022, 0.332)),
            rod(BRASS, (x, 0.07, 0.1), (x, 0.078, 0.3), 0.004, name="zip"),
            cylinder(sole, 0.0535, 0.014, (x, 0.022, 0.3)),
        ]
    return Item("boots", f"pair of {colour} boots", tuple(parts), 0.19)


def pumps(rng: Generator) -> Item:
    """A pair of high-heeled shoes."""
    colour = pick_colour(rng, "red", "black", "pink", "turquoise")
    shine = glossy(colour)
    upper = [(-0.1, 0.022, 0.034, 0, 0.115), (-0.06, 0.03, 0.03, 0, 0.096)]
    upper += [(0.0, 0.032, 0.014, 0, 0.054), (0.06, 0.038, 0.016, 0, 0.026)]
    upper += [(0.1, 0.036, 0.018, 0, 0.022), (0.14, 0.012, 0.009, 0, 0.014)]
    parts: list[Part] = []
    for x in (-0.05, 0.05):
        inner = ellipsoid(
            Finish((0.88, 0.76, 0.62)), (0.022, 0.075, 0.01), (x, 0.04, 0.1), about((1, 0, 0), 32)
        )
        heel = lofted([(0.0, 0.006, 0.006, 0, 0.09), (0.09, 0.016, 0.018, 0, 0.088)])
        parts += [
            solid(shine, lofted(between(upper, steps=4)), (x, 0, 0), UPRIGHT),
            inner,
            solid(shine, heel, (x, 0, 0), name="heel"),
        ]
    return Item("shoes", f"pair of {colour} pumps", tuple(parts), 0.16)


def _sneaker(cloth: Finish, x: float) -> list[Part]:
    """One trainer, its toe towards -y."""
    white = matt("white")
    sole = [(-0.135, 0.03, 0.013, 0, 0.014), (-0.1, 0.038, 0.014, 0, 0.014)]
    sole += [(0.06, 0.045, 0.014, 0, 0.014), (0.13, 0.036, 0.014, 0, 0.014)]
    sole += [(0.15, 0.02, 0.011, 0, 0.014)]
    upper = [(-0.128, 0.022, 0.036, 0, 0.062), (-0.1, 0.033, 0.05, 0, 0.07)]
    upper += [(-0.03, 0.036, 0.05, 0, 0.068), (0.03, 0.039, 0.036, 0, 0.054)]
    upper += [(0.1, 0.036, 0.022, 0, 0.038), (0.135, 0.022, 0.014, 0, 0.03)]
    parts = [
        solid(white, lofted(between(sole, steps=3), power=3), (x, 0, 0), UPRIGHT, name="sole"),
        solid(cloth, lofted(between(upper, steps=4)), (x, 0, 0), UPRIGHT),
        ellipsoid(matt("black"), (0.025, 0.046, 0.008), (x, 0.06, 0.116), name="opening"),
        ellipsoid(white, (0.034, 0.036, 0.02), (x, -0.112, 0.036), name="toe cap"),
        box(white, (0.03, 0.008, 0.06), (x, 0.128, 0.07), name="heel tab"),
    ]
    for step in range(4):
        y, z = -0.005 - 0.022 * step, 0.113 - 0.0125 * step
        parts.append(rod(white, (x - 0.022, y, z - 0.004), (x + 0.022, y - 0.008, z), 0.0045))
    for side in (-1.0, 1.0):
        lean = about((1, 0, 0), 35)
        parts.append(box(white, (0.004, 0.014, 0.05), (x + side * 0.036, 0.01, 0.06), lean))
    return parts


def _printed(rng: Generator, colour: str, accent: str) -> Finish:
    """Cloth with dots, stripes or flowers, or plain."""
    rgb, other = COLOURS[colour], COLOURS[accent]
    kind = int(rng.integers(4))
    if kind == 0:
        return matt(colour)
    print_ = (prints.dots(rgb, other), prints.stripes(rgb, other), prints.flowers(rng, rgb, other))
    return Finish(texture=print_[kind - 1], tile_m=(0.07, 0.16, 0.2)[kind - 1], specular=0.03)


def _stand(height_m: float) -> tuple[Part, ...]:
    """A round foot and a pole."""
    foot = turned([(0, 0), (0.17, 0), (0.16, 0.018), (0.03, 0.035), (0, 0.035)])
    return solid(_OAK, foot), cylinder(_OAK, 0.018, height_m, (0, 0, height_m / 2))


def _bust(height_m: float) -> tuple[Part, ...]:
    """Shoulders and neck of a dummy with a wooden knob."""
    neck = between(
        [
            (height_m - 0.03, 0.11, 0.058, 0, 0),
            (height_m + 0.01, 0.085, 0.055, 0, 0),
            (height_m + 0.04, 0.052, 0.05, 0, 0),
            (height_m + 0.11, 0.048, 0.048, 0, 0),
        ]
    )
    return (
        solid(_LINEN, lofted(neck)),
        cylinder(_OAK, 0.05, 0.012, (0, 0, height_m + 0.115)),
        sphere(_OAK, 0.022, (0, 0, height_m + 0.138)),
    )
