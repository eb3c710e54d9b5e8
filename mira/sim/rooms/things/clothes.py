"""What people wear out of doors: coats, scarf, hats, shoes, boots, umbrellas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, ring, smooth, tube, turned
from mira.sim.rooms.things.parts import Finish, Item, Part, box, ellipsoid, rod, solid, sphere
from mira.sim.rooms.things.rotation import about, compose, rotate, yaw
from mira.sim.rooms.things.soft import outline, pillow, skin


def coat(rng: Generator) -> Item:
    """A buttoned coat that hangs from its collar at the origin, its back on y = 0."""
    colour = pick_colour(rng, "red", "green", "beige", "black", "blue")
    return Item("coat", f"{colour} coat", hanging_coat(colour, 1.02, rng), 0.3)


def raincoat(rng: Generator) -> Item:
    """A shiny raincoat, its hood folded back over the shoulders, hanging like a coat."""
    colour = pick_colour(rng, "yellow", "yellow", "turquoise", "orange")
    shiny = Finish(COLOURS[colour], specular=0.35, shininess=0.5)
    dark = Finish(tuple(0.5 * value for value in COLOURS[colour]), specular=0.05)  # type: ignore[arg-type]
    parts = [replace(part, finish=shiny) if part.finish.rgb == shiny.rgb else part
             for part in hanging_coat(colour, 0.84, rng)]  # fmt: skip
    parts.append(ellipsoid(shiny, (0.14, 0.05, 0.075), (0, -0.058, -0.055), name="hood"))
    parts.append(ellipsoid(dark, (0.095, 0.03, 0.05), (0, -0.085, -0.025)))
    return Item("raincoat", f"{colour} raincoat", tuple(parts), 0.3)


def jacket(rng: Generator) -> Item:
    """A short quilted jacket, hanging like a coat."""
    colour = pick_colour(rng, "purple", "orange", "turquoise", "grey")
    body = list(hanging_coat(colour, 0.66, rng, buttons=False))
    seam = Finish(tuple(0.7 * value for value in COLOURS[colour]), specular=0.1)  # type: ignore[arg-type]
    for height in (-0.22, -0.34, -0.46, -0.58):
        rim = outline(0.198, 0.0935, height, centre_m=(0, -0.1), squareness=2.4)
        body.append(solid(seam, tube(np.vstack((rim, rim[:1])), 0.004, around=6)))
    body.append(rod(STEEL, (0, -0.192, -0.1), (0, -0.197, -0.62), 0.004, name="zip"))
    return Item("jacket", f"{colour} jacket", tuple(body), 0.3)


def hanging_coat(
    colour: str, length_m: float, rng: Generator, *, buttons: bool = True
) -> tuple[Part, ...]:
    """Body, sleeves, collar and pockets of a garment that hangs from the origin."""
    cloth = matt(colour)
    dark = Finish(tuple(0.55 * value for value in COLOURS[colour]), specular=0.03)  # type: ignore[arg-type]
    folds, low = int(rng.integers(6, 9)), -length_m
    flare = 0.175 + 0.035 * length_m
    rings = [
        outline(half_x, half_y, z, centre_m=(0, -0.1), squareness=2.4, folds=folds,
                fold_depth=depth, around=56)
        for half_x, half_y, z, depth in (
            (flare, 0.088, low, 0.06), (flare * 0.98, 0.09, low * 0.85, 0.05),
            (0.19, 0.09, low * 0.55, 0.03), (0.192, 0.092, low * 0.3, 0.012),
            (0.188, 0.088, -0.17, 0.0), (0.165, 0.078, -0.11, 0.0), (0.11, 0.062, -0.065, 0.0),
            (0.065, 0.05, -0.04, 0.0),
        )
    ]  # fmt: skip
    parts = [
        solid(cloth, skin(rings)),
        box(dark, (0.008, 0.008, length_m - 0.2), (0.006, -0.19, -0.1 - (length_m - 0.15) / 2)),
        rod(dark, (0, -0.06, -0.035), (0, -0.03, 0.012), 0.004),
        ellipsoid(cloth, (0.075, 0.06, 0.035), (0, -0.1, -0.052), name="collar"),
    ]
    for side in (-1.0, 1.0):
        lapel = compose(about((0, 1, 0), side * 24), about((1, 0, 0), -5))
        parts.append(box(dark, (0.062, 0.012, 0.17), (side * 0.046, -0.189, -0.16), lapel))
        wrist, elbow = (side * 0.225, -0.13, -0.64), (side * 0.226, -0.105, -0.4)
        parts.append(rod(cloth, (side * 0.16, -0.1, -0.155), elbow, 0.052))
        parts.append(rod(cloth, elbow, wrist, 0.047))
        parts.append(sphere(dark, 0.044, (wrist[0], wrist[1], wrist[2] - 0.012)))
        pocket = low * 0.62
        parts.append(box(dark, (0.12, 0.006, 0.025), (side * 0.1, -0.186, pocket), yaw(side * 14)))
    for number in range(4 if buttons else 0):
        z = -0.2 - number * (length_m - 0.42) / 4
        parts.append(sphere(BRASS, 0.014, (0.026, -0.193, z)))
    return tuple(parts)


def scarf(rng: Generator) -> Item:
    """A striped scarf over a hook at the origin."""
    colour = pick_colour(rng, "red", "blue", "green")
    stripe = matt(pick_colour(rng, "yellow", "white"))
    parts: list[Part] = [rod(matt(colour), (-0.02, -0.05, 0.0), (0.02, -0.05, 0.0), 0.045)]
    for side, length in ((-1.0, 0.72), (1.0, 0.6)):
        x = side * 0.05
        parts.append(box(matt(colour), (0.1, 0.035, length), (x, -0.055, -length / 2)))
        for number in range(4):
            z = -0.14 - 0.14 * number
            if z > -length + 0.03:
                parts.append(box(stripe, (0.102, 0.037, 0.04), (x, -0.055, z)))
        for fringe in (-0.036, -0.012, 0.012, 0.036):
            start = (x + fringe, -0.055, -length)
            parts.append(rod(stripe, start, (x + fringe, -0.055, -length - 0.05), 0.006))
    return Item("scarf", f"{colour} striped scarf", tuple(parts), 0.12)


def straw_hat(rng: Generator) -> Item:
    """A hat with a broad brim and a ribbon."""
    colour = pick_colour(rng, "red", "black", "blue")
    straw = Finish((0.86, 0.72, 0.45), specular=0.05)
    crown = smooth([(0.1, 0.012), (0.098, 0.06), (0.08, 0.105), (0.0, 0.115)])
    parts = (
        solid(straw, turned([(0, 0), (0.19, 0), (0.195, 0.006), (0.1, 0.012), *crown])),
        solid(matt(colour), ring(0.101, 0.004), (0, 0, 0.02)),
        solid(matt(colour), ring(0.101, 0.004), (0, 0, 0.028)),
        solid(matt(colour), ring(0.1005, 0.004), (0, 0, 0.036)),
        ellipsoid(matt(colour), (0.012, 0.03, 0.018), (0.104, 0, 0.028), name="bow"),
    )
    return Item("hat", "straw hat", parts, 0.2)


def cap(rng: Generator) -> Item:
    """A baseball cap, its peak to the front."""
    colour = pick_colour(rng, "red", "blue", "green", "white")
    other = matt("white" if colour != "white" else "blue")
    crown = smooth([(0.09, 0.0), (0.092, 0.04), (0.075, 0.09), (0.03, 0.115), (0.0, 0.118)])
    peak = [outline(0.075, 0.09, z, centre_m=(0, -0.085), squareness=2.6) for z in (0.004, 0.012)]
    parts = (
        solid(matt(colour), turned([(0, 0), *crown])),
        solid(other, skin(peak), name="peak"),
        sphere(other, 0.01, (0, 0, 0.12)),
        ellipsoid(other, (0.03, 0.006, 0.022), (0, -0.087, 0.055), name="badge"),
        box(matt("black"), (0.06, 0.006, 0.012), (0, 0.091, 0.012), name="strap"),
    )
    return Item("cap", f"{colour} cap", parts, 0.18)


def trainers(rng: Generator) -> Item:
    """A pair of laced sports shoes."""
    colour = pick_colour(rng, "red", "blue", "green", "orange")
    return Item(
        "shoes", f"{colour} trainers", _pair(_shoe(matt(colour), matt("white"), laced=True)), 0.17
    )


def leather_shoes(rng: Generator) -> Item:
    """A pair of leather shoes."""
    colour = pick_colour(rng, "brown", "black")
    leather = Finish(COLOURS[colour], specular=0.45, shininess=0.6)
    return Item(
        "shoes", f"{colour} leather shoes", _pair(_shoe(leather, matt("black"), laced=False)), 0.17
    )


def rubber_boots(rng: Generator) -> Item:
    """A pair of rubber boots."""
    colour = pick_colour(rng, "yellow", "green", "red", "blue")
    rubber = glossy(colour)
    dark = Finish((0.08, 0.08, 0.08), specular=0.02)
    foot = [
        outline(half_x, half_y, z, centre_m=(0, y), squareness=2.6)
        for half_x, half_y, z, y in (
            (0.046, 0.13, 0.022, 0.0), (0.047, 0.127, 0.05, 0.002), (0.044, 0.105, 0.085, 0.022),
            (0.046, 0.07, 0.12, 0.06), (0.047, 0.062, 0.18, 0.068), (0.055, 0.066, 0.29, 0.066),
            (0.058, 0.068, 0.31, 0.066),
        )
    ]  # fmt: skip
    sole = [outline(0.048, 0.135, z, squareness=2.6) for z in (0.0, 0.022)]
    band = [outline(0.059, 0.069, z, centre_m=(0, 0.066)) for z in (0.285, 0.311)]
    boot = [
        solid(rubber, skin(foot)),
        solid(dark, skin(sole), name="sole"),
        solid(matt("white"), skin(band)),
        ellipsoid(dark, (0.05, 0.06, 0.002), (0, 0.066, 0.312)),
        box(matt("white"), (0.02, 0.006, 0.03), (0, 0.134, 0.23), name="heel tab"),
    ]
    return Item("boots", f"{colour} rubber boots", _pair(boot), 0.19)


def umbrella_stand(rng: Generator) -> Item:
    """A tall vessel with two or three furled umbrellas."""
    metal = STEEL if rng.random() < 0.5 else BRASS
    wall = turned(
        [(0, 0), (0.11, 0), (0.115, 0.012), (0.115, 0.46), (0.122, 0.47), (0.108, 0.47),
         (0.105, 0.02), (0, 0.02)]
    )  # fmt: skip
    parts: list[Part] = [solid(metal, wall)]
    for z in (0.1, 0.36):
        parts.append(solid(matt("black"), ring(0.116, 0.004, around=40), (0, 0, z)))
    tones = rng.permutation(["red", "blue", "black", "green", "purple"])[: int(rng.integers(2, 4))]
    for index, tone in enumerate(tones.tolist()):
        turn = float(360 * index / len(tones) + rng.uniform(-20, 20))
        parts += _umbrella(str(tone), turn)
    return Item("umbrella stand", "umbrella stand", tuple(parts), 0.2)


def _umbrella(colour: str, turn_deg: float) -> list[Part]:
    """A furled umbrella that leans outwards in a vessel."""
    lean = about((0, 1, 0), 6)
    oak = Finish((0.45, 0.28, 0.15), specular=0.3)
    folded = [
        outline(radius, radius, z, folds=8, fold_depth=0.18, around=48)
        for radius, z in ((0.008, 0.06), (0.024, 0.2), (0.032, 0.45), (0.034, 0.6), (0.014, 0.64))
    ]
    hook = np.add(arc(0.038, 0, 200, count=16), (-0.038, 0, 0.84))
    grip = np.vstack(((0, 0, 0.72), (0, 0, 0.8), hook))
    local = [
        solid(matt(colour), skin(folded)),
        rod(STEEL, (0, 0, 0.03), (0, 0, 0.74), 0.005),
        solid(oak, tube(grip, 0.0105), name="umbrella handle"),
    ]
    return [_moved(part, turn_deg, lean) for part in local]


def _moved(part: Part, turn_deg: float, lean: tuple[float, float, float, float]) -> Part:
    """A part leant over, moved out and turned about the upward axis."""
    turn = compose(yaw(turn_deg), lean)
    x, y, z = rotate(turn, part.at_m)
    out_x, out_y, _ = rotate(yaw(turn_deg), (0.02, 0.0, 0.0))
    return replace(part, at_m=(x + out_x, y + out_y, z), turn=compose(turn, part.turn))


def _shoe(upper: Finish, trim: Finish, *, laced: bool) -> list[Part]:
    """One shoe, its toe to the front."""
    dark = Finish((0.06, 0.06, 0.06), specular=0.02)
    rings = [
        outline(half_x, half_y, z, centre_m=(0, y), squareness=2.5)
        for half_x, half_y, z, y in (
            (0.045, 0.132, 0.022, 0.0), (0.046, 0.128, 0.04, 0.003), (0.042, 0.108, 0.062, 0.02),
            (0.037, 0.08, 0.082, 0.047), (0.034, 0.066, 0.1, 0.062),
        )
    ]  # fmt: skip
    sole = [outline(half, 0.137, z, squareness=2.5) for half, z in ((0.046, 0), (0.049, 0.024))]
    parts = [
        solid(upper, skin(rings)),
        solid(trim, skin(sole), name="sole"),
        ellipsoid(dark, (0.027, 0.055, 0.004), (0, 0.066, 0.1)),
        solid(trim, pillow((0.022, 0.012, 0.05)), (0, 0.126, 0.075), name="heel tab"),
    ]
    if laced:
        for number in range(4):
            y, z = -0.062 + 0.022 * number, 0.067 + 0.0095 * number
            parts.append(rod(trim, (-0.021, y, z), (0.021, y, z), 0.0045, name="laces"))
    return parts


def _pair(one: list[Part]) -> tuple[Part, ...]:
    """Two of the same side by side, the second a little turned."""
    both: list[Part] = []
    for x, turn_deg in ((-0.065, -3.0), (0.065, 5.0)):
        turn = yaw(turn_deg)
        for part in one:
            px, py, pz = rotate(turn, part.at_m)
            both.append(replace(part, at_m=(px + x, py, pz), turn=compose(turn, part.turn)))
    return tuple(both)
