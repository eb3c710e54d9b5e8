"""Things on two wheels, and a board on four."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.lettering import number_plate, plate_text
from mira.sim.rooms.things.lofts import body
from mira.sim.rooms.things.meshes import ring, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
)
from mira.sim.rooms.things.rotation import UPRIGHT, Vector, about, compose, yaw

_RUBBER = Finish((0.05, 0.05, 0.055), specular=0.08, shininess=0.2)
_LEATHER = Finish((0.30, 0.17, 0.09), specular=0.2, shininess=0.4)
_SIDEWAYS = about((0.0, 1.0, 0.0), 90.0)
_RED_LIGHT = Finish((0.75, 0.05, 0.05), specular=0.7, shininess=0.8, glow=0.08)
_WHITE_LIGHT = Finish((0.92, 0.93, 0.93), specular=0.8, shininess=0.9, glow=0.12)


def bicycle(rng: Generator) -> Item:
    """A town bicycle on its stand, with a basket at the front; it is ridden towards -y."""
    colour = pick_colour(rng, "turquoise", "red", "black", "green", "yellow")
    paint = glossy(colour)
    front, back, crank = (0.0, -0.53, 0.34), (0.0, 0.52, 0.34), (0.0, 0.06, 0.28)
    head_low, head_high, saddle = (0.0, -0.40, 0.66), (0.0, -0.36, 0.86), (0.0, 0.22, 0.84)
    parts = [*_bicycle_wheel(front), *_bicycle_wheel(back)]
    for start, end, radius in (
        (head_low, crank, 0.019), (head_high, (0.0, 0.17, 0.70), 0.017), (crank, saddle, 0.018),
        (head_low, head_high, 0.021),
    ):  # fmt: skip
        parts.append(rod(paint, start, end, radius))
    for side in (-1.0, 1.0):
        parts += _bicycle_side(side, paint, front, back, crank)
    parts += [
        *_handlebar(),
        *_mudguard(paint, front, -10, 130),
        *_mudguard(paint, back, 20, 170),
        ellipsoid(_LEATHER, (0.085, 0.13, 0.035), (0, 0.25, 0.90), name="saddle"),
        ellipsoid(_LEATHER, (0.035, 0.10, 0.03), (0, 0.13, 0.895)),
        rod(STEEL, saddle, (0, 0.235, 0.89), 0.013),
        cylinder(STEEL, 0.085, 0.008, (0.035, 0.06, 0.28), _SIDEWAYS),
        cylinder(STEEL, 0.035, 0.012, (0.035, 0.52, 0.34), _SIDEWAYS),
        rod(matt("black"), (0.035, 0.06, 0.365), (0.035, 0.52, 0.375), 0.006),
        rod(matt("black"), (0.035, 0.06, 0.195), (0.035, 0.52, 0.305), 0.006),
        rod(STEEL, (-0.03, 0.20, 0.28), (-0.15, 0.26, 0.008), 0.008),
        box(STEEL, (0.11, 0.34, 0.012), (0, 0.53, 0.73), name="carrier"),
        ellipsoid(_RED_LIGHT, (0.03, 0.018, 0.03), (0, 0.845, 0.60), name="red rear light"),
        ellipsoid(_WHITE_LIGHT, (0.035, 0.03, 0.035), (0, -0.50, 0.80), name="front light"),
    ]
    if rng.random() < 0.7:
        parts += _basket()
    return Item("bicycle", f"{colour} bicycle", tuple(parts), 0.92)


def _bicycle_side(
    side: float, paint: Finish, front: Vector, back: Vector, crank: Vector
) -> list[Part]:
    """Fork, stays, pedal of one side."""
    low = 0.18 if side > 0 else -0.18
    tip = (side * 0.13, 0.06 + 0.04 * side, crank[2] + low)
    return [
        rod(paint, (side * 0.045, -0.415, 0.70), (side * 0.045, front[1], front[2]), 0.011),
        rod(paint, (side * 0.02, crank[1], crank[2]), (side * 0.05, back[1], back[2]), 0.010),
        rod(paint, (side * 0.02, 0.19, 0.76), (side * 0.05, back[1], back[2]), 0.009),
        rod(paint, (side * 0.045, 0.66, 0.72), (side * 0.055, back[1], back[2]), 0.006),
        rod(STEEL, (side * 0.06, crank[1], crank[2]), (side * 0.06, tip[1], tip[2]), 0.010),
        box(matt("black"), (0.09, 0.07, 0.022), (side * 0.115, tip[1], tip[2])),
    ]


def _bicycle_wheel(at_m: Vector) -> list[Part]:
    radius = at_m[2] - 0.018
    parts = [
        solid(_RUBBER, ring(radius, 0.018, around=48), at_m, _SIDEWAYS),
        solid(STEEL, ring(radius - 0.022, 0.010, around=48), at_m, _SIDEWAYS),
        cylinder(STEEL, 0.028, 0.09, at_m, _SIDEWAYS),
    ]
    for k in range(10):
        angle = np.pi * 2 * k / 10
        y, z = float(np.cos(angle)), float(np.sin(angle))
        rim = (at_m[0], at_m[1] + y * (radius - 0.02), at_m[2] + z * (radius - 0.02))
        parts.append(rod(STEEL, (at_m[0] + 0.02 * (-1) ** k, at_m[1], at_m[2]), rim, 0.0022))
    return parts


def _handlebar() -> list[Part]:
    bend = [(-0.28, -0.10, 1.02), (-0.25, -0.22, 1.03), (-0.16, -0.33, 1.01), (0, -0.36, 0.97)]
    path = np.array(bend + [(-x, y, z) for x, y, z in bend[-2::-1]])
    parts = [
        rod(STEEL, (0, -0.36, 0.84), (0, -0.36, 0.98), 0.014),
        solid(STEEL, tube(path, 0.011)),
    ]
    for side in (-1.0, 1.0):
        parts.append(rod(_LEATHER, (side * 0.28, -0.09, 1.02), (side * 0.26, -0.19, 1.03), 0.017))
    parts.append(ellipsoid(STEEL, (0.028, 0.028, 0.022), (0.12, -0.33, 1.04), name="bell"))
    return parts


def _mudguard(paint: Finish, at_m: Vector, start_deg: float, end_deg: float) -> list[Part]:
    angle = np.radians(np.linspace(start_deg, end_deg, 14))
    points = np.stack(
        (np.zeros(14), at_m[1] + 0.365 * np.cos(angle), at_m[2] + 0.365 * np.sin(angle)), axis=-1
    )
    return [solid(paint, tube(points, 0.017, around=8))]


def _basket() -> list[Part]:
    cane = Finish((0.66, 0.47, 0.28), specular=0.05)
    parts = []
    for k in range(5):
        half_w, half_d = 0.15 + 0.008 * k, 0.105 + 0.007 * k
        z = 0.80 + 0.05 * k
        corners = [(-half_w, -half_d), (half_w, -half_d), (half_w, half_d), (-half_w, half_d)]
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            start, end = (a[0], a[1] - 0.56, z), (b[0], b[1] - 0.56, z)
            parts.append(rod(cane, start, end, 0.011))
    parts.append(box(cane, (0.31, 0.22, 0.02), (0, -0.56, 0.80), name="basket"))
    for x in (-0.14, -0.05, 0.05, 0.14):
        for y in (-0.11, 0.11):
            parts.append(rod(cane, (x, y - 0.56, 0.80), (x * 1.1, y * 1.15 - 0.56, 1.0), 0.008))
    return parts


def scooter(rng: Generator) -> Item:
    """A motor scooter on its stand, its front towards -y."""
    colour = pick_colour(rng, "red", "turquoise", "white", "yellow", "blue")
    paint = Finish(COLOURS[colour], specular=0.6, shininess=0.85)
    front, back = (0.0, -0.60, 0.21), (0.0, 0.60, 0.21)
    plate = Finish(texture=number_plate(plate_text(rng), (0.97, 0.80, 0.16)), specular=0.2)
    rear = [
        (0.06, 0, 0.50, 0.08, 0.16), (0.14, 0, 0.50, 0.17, 0.20), (0.35, 0, 0.52, 0.20, 0.21),
        (0.60, 0, 0.55, 0.19, 0.18), (0.78, 0, 0.58, 0.13, 0.12), (0.86, 0, 0.60, 0.06, 0.06),
    ]  # fmt: skip
    seat = [
        (0.02, 0, 0.765, 0.09, 0.03), (0.10, 0, 0.77, 0.13, 0.05), (0.35, 0, 0.77, 0.15, 0.055),
        (0.62, 0, 0.785, 0.14, 0.06), (0.78, 0, 0.785, 0.10, 0.04),
    ]  # fmt: skip
    fender = [
        (-0.82, 0, 0.27, 0.03, 0.05), (-0.76, 0, 0.33, 0.075, 0.07), (-0.60, 0, 0.37, 0.085, 0.08),
        (-0.46, 0, 0.32, 0.07, 0.07), (-0.40, 0, 0.27, 0.03, 0.04),
    ]  # fmt: skip
    parts = [
        body(paint, rear, power=2.6),
        body(matt("black"), seat, power=2.8, name="seat"),
        body(paint, fender, power=2.6),
        *_leg_shield(paint),
        *_scooter_wheel(front),
        *_scooter_wheel(back),
        box(paint, (0.36, 0.48, 0.06), (0, -0.10, 0.26)),
        box(_RUBBER, (0.32, 0.44, 0.012), (0, -0.10, 0.295)),
        rod(STEEL, (0, -0.42, 0.80), (0.07, -0.60, 0.21), 0.022),
        *_scooter_head(paint),
        box(plate, (0.20, 0.11, 0.012), (0, 0.865, 0.42), compose(yaw(180.0), UPRIGHT),
            name="yellow number plate"),
        box(matt("black"), (0.10, 0.10, 0.02), (0, 0.82, 0.46)),
        ellipsoid(_RED_LIGHT, (0.06, 0.03, 0.035), (0, 0.855, 0.60), name="tail light"),
        rod(STEEL, (0.17, 0.30, 0.22), (0.19, 0.74, 0.28), 0.045, name="exhaust"),
        rod(STEEL, (-0.08, 0.12, 0.25), (-0.17, 0.18, 0.012), 0.011),
        rod(STEEL, (0.08, 0.12, 0.25), (0.17, 0.18, 0.012), 0.011),
    ]  # fmt: skip
    if rng.random() < 0.5:
        box_paint = matt("black")
        case = [
            (0.70, 0, 0.98, 0.15, 0.11), (0.73, 0, 0.99, 0.19, 0.15), (1.0, 0, 0.99, 0.19, 0.15),
            (1.03, 0, 0.98, 0.15, 0.11),
        ]  # fmt: skip
        parts.append(body(box_paint, case, power=4.5, name="top case"))
        parts.append(box(STEEL, (0.16, 0.34, 0.02), (0, 0.76, 0.83)))
        parts.append(box(_RED_LIGHT, (0.20, 0.012, 0.04), (0, 1.028, 0.97)))
    return Item("scooter", f"{colour} motor scooter", tuple(parts), 1.08)


def _leg_shield(paint: Finish) -> list[Part]:
    shield = [
        (-0.48, 0, 0.70, 0.06, 0.14), (-0.45, 0, 0.66, 0.16, 0.24), (-0.40, 0, 0.58, 0.22, 0.29),
        (-0.36, 0, 0.34, 0.21, 0.09), (-0.34, 0, 0.30, 0.17, 0.04),
    ]  # fmt: skip
    return [
        body(paint, shield, power=3.4),
        box(matt("black"), (0.26, 0.10, 0.12), (0, -0.33, 0.60)),
        box(STEEL, (0.05, 0.012, 0.22), (0, -0.482, 0.70)),
    ]


def _scooter_wheel(at_m: Vector) -> list[Part]:
    radius = at_m[2]
    tyre = turned(
        [(0, -0.05), (0.10, -0.05), (0.12, -0.06), (radius - 0.03, -0.055), (radius, -0.02),
         (radius, 0.02), (radius - 0.03, 0.055), (0.12, 0.06), (0.10, 0.05), (0, 0.05)]
    )  # fmt: skip
    return [
        solid(_RUBBER, tyre, at_m, _SIDEWAYS),
        cylinder(STEEL, 0.095, 0.112, at_m, _SIDEWAYS),
        cylinder(matt("black"), 0.035, 0.125, at_m, _SIDEWAYS),
    ]


def _scooter_head(paint: Finish) -> list[Part]:
    """Handlebar, headlight, dial and two mirrors on stalks."""
    parts = [
        ellipsoid(paint, (0.13, 0.10, 0.085), (0, -0.40, 0.98)),
        rod(paint, (0, -0.40, 0.80), (0, -0.40, 0.96), 0.04),
        ellipsoid(_WHITE_LIGHT, (0.075, 0.03, 0.065), (0, -0.49, 0.99), name="headlight"),
        cylinder(matt("white"), 0.05, 0.02, (0, -0.36, 1.05), about((1.0, 0.0, 0.0), -25.0)),
    ]
    for side in (-1.0, 1.0):
        grip = (side * 0.34, -0.30, 1.00)
        parts.append(rod(STEEL, (side * 0.08, -0.39, 0.99), (side * 0.24, -0.34, 1.0), 0.015))
        parts.append(rod(_RUBBER, (side * 0.22, -0.345, 1.0), grip, 0.022))
        tip = (side * 0.27, -0.40, 1.25)
        parts.append(rod(STEEL, (side * 0.18, -0.37, 1.01), tip, 0.007))
        parts.append(ellipsoid(matt("black"), (0.07, 0.022, 0.048), tip))
        parts.append(
            cylinder(Finish((0.6, 0.64, 0.68), specular=0.9, shininess=0.9), 0.042, 0.004,
                     (tip[0], tip[1] + 0.021, tip[2]), UPRIGHT)
        )  # fmt: skip
    return parts


def skateboard(rng: Generator) -> Item:
    """A skateboard on its wheels, its length along x."""
    colour = pick_colour(rng, "orange", "green", "purple", "yellow")
    deck, grip = glossy(colour), Finish((0.13, 0.13, 0.14), specular=0.0)
    parts = [
        box(deck, (0.56, 0.20, 0.012), (0, 0, 0.105)),
        box(grip, (0.55, 0.19, 0.003), (0, 0, 0.1125)),
    ]
    for side in (-1.0, 1.0):
        tilt = about((0.0, 1.0, 0.0), -18.0 * side)
        parts.append(box(deck, (0.13, 0.20, 0.012), (side * 0.338, 0, 0.123), tilt))
        parts.append(box(grip, (0.12, 0.19, 0.003), (side * 0.336, 0, 0.131), tilt))
        tip = (side * 0.398, 0.0, 0.1425)
        parts.append(Part("cylinder", deck, (0.10, 0.006), tip, tilt))
        parts.append(box(STEEL, (0.05, 0.05, 0.05), (side * 0.21, 0, 0.075)))
        parts.append(rod(STEEL, (side * 0.21, -0.09, 0.03), (side * 0.21, 0.09, 0.03), 0.008))
        for y in (-0.085, 0.085):
            parts.append(cylinder(matt("white"), 0.03, 0.036, (side * 0.21, y, 0.03), UPRIGHT))
    return Item("skateboard", f"{colour} skateboard", tuple(parts), 0.5)
