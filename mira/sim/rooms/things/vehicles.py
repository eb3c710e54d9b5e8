"""Motor vehicles: cars and a delivery van."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things.cars import Build, half_width_at, shell
from mira.sim.rooms.things.colours import COLOURS, STEEL, pick_colour
from mira.sim.rooms.things.lettering import number_plate, plate_text, sign
from mira.sim.rooms.things.lofts import capped, lens, loft, rounded_outline
from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    Placed,
    box,
    cylinder,
    rod,
    solid,
)
from mira.sim.rooms.things.rotation import (
    UPRIGHT,
    Quaternion,
    Vector,
    about,
    compose,
    rotate,
    yaw,
)

MIRROR_GLASS_M = (0.20, 0.135)
"""Width and height of a side mirror's glass."""
_MIRROR_TOE_DEG = 15.0
_BACKWARDS = compose(yaw(180.0), UPRIGHT)
_RUBBER = Finish((0.045, 0.045, 0.05), specular=0.08, shininess=0.2)
_BLACK = Finish((0.05, 0.05, 0.055), specular=0.25, shininess=0.4)
_ALLOY = Finish((0.62, 0.63, 0.65), specular=0.6, shininess=0.6)
_HEADLIGHT = Finish((0.90, 0.93, 0.95), specular=0.9, shininess=0.9, glow=0.12)
_TAIL_LIGHT = Finish((0.72, 0.05, 0.05), specular=0.7, shininess=0.8, glow=0.06)
_AMBER = Finish((0.95, 0.52, 0.08), specular=0.6, shininess=0.8)

HATCHBACK = Build(
    "hatchback", 3.95, 0.86,
    ((0.60, -1.975), (0.71, -1.88), (0.82, -1.5), (0.93, -0.95), (0.97, -0.4), (0.99, 0.6),
     (1.01, 1.5), (0.97, 1.85), (0.80, 1.975)),
    (-1.12, 1.86), (-0.28, 1.46), 0.97, 1.42, 0.20, (-0.78, 0.30, 1.05), 0.30, 0.34,
    (-1.27, 1.25), 0.31,
)  # fmt: skip
SALOON = Build(
    "saloon car", 4.5, 0.88,
    ((0.58, -2.25), (0.70, -2.15), (0.80, -1.7), (0.91, -1.1), (0.95, -0.5), (0.97, 0.8),
     (0.99, 1.6), (0.95, 2.1), (0.80, 2.25)),
    (-1.20, 1.62), (-0.35, 0.98), 0.95, 1.39, 0.21, (-0.85, 0.22, 1.02), 0.22, 0.30,
    (-1.38, 1.36), 0.32,
)  # fmt: skip
ESTATE = Build(
    "estate car", 4.4, 0.89,
    ((0.66, -2.2), (0.80, -2.1), (0.92, -1.7), (1.00, -1.1), (1.04, -0.5), (1.06, 0.8),
     (1.08, 1.7), (1.02, 2.08), (0.82, 2.2)),
    (-1.22, 2.10), (-0.45, 1.82), 1.04, 1.56, 0.17, (-0.85, 0.28, 1.12), 0.28, 0.40,
    (-1.38, 1.36), 0.34,
)  # fmt: skip
VAN = Build(
    "delivery van", 4.7, 0.93,
    ((0.74, -2.35), (0.90, -2.27), (1.02, -1.95), (1.12, -1.55), (1.16, -1.0), (1.17, 0.5),
     (1.17, 2.0), (1.16, 2.30), (1.10, 2.35)),
    (-1.72, 2.33), (-1.10, 2.28), 1.16, 1.98, 0.12, (-1.28, -0.32, 0.75), -0.32, 0.35,
    (-1.50, 1.45), 0.34, panels=True,
)  # fmt: skip


@dataclass(frozen=True)
class SideMirror:
    """Where a vehicle's side mirror sits.

    Attributes:
        centre_m: Middle of its glass, 9 mm over the housing's back plate.
        turn: Turn of a panel that lies on its back into the glass's place.
    """

    centre_m: Vector
    turn: Quaternion


def car(rng: Generator) -> Item:
    """A parked car, its front towards -y."""
    build = (HATCHBACK, SALOON, ESTATE)[int(rng.integers(3))]
    colour = pick_colour(rng, "red", "blue", "white", "grey", "green", "orange", "turquoise")
    return _vehicle(rng, build, colour, ())


def delivery_van(rng: Generator) -> Item:
    """A van with a word on its sides, its front towards -y."""
    colour = pick_colour(rng, "white", "yellow", "blue", "green")
    word = ("PARCELS", "BAKERY", "FLOWERS", "PLUMBER")[int(rng.integers(4))]
    ink = (0.12, 0.20, 0.45) if colour in ("white", "yellow") else (0.95, 0.95, 0.93)
    label = Finish(texture=sign(word, COLOURS[colour], ink, (512, 128)), specular=0.3)
    half = VAN.half_width_m * 0.945 + 0.0
    parts = []
    for side, turn in ((-1.0, yaw(-90.0)), (1.0, yaw(90.0))):
        spot = (side * (half - 0.035), 0.85, 1.45)
        lean = compose(turn, compose(UPRIGHT, about((1.0, 0.0, 0.0), -7.0)))
        parts.append(box(label, (1.5, 0.38, 0.02), spot, lean, name=f"{word.lower()} lettering"))
    return _vehicle(rng, VAN, colour, tuple(parts))


def side_mirror(placed: Placed, build: Build, *, right: bool) -> SideMirror:
    """The glass of a placed vehicle's side mirror, in the room frame.

    Args:
        placed: The vehicle.
        build: Its measures.
        right: Whether the one at +x of the vehicle's own frame is meant.
    """
    spot, turn = _mirror_pose(build, 1.0 if right else -1.0)
    out = rotate(turn, (0.0, 0.0, 0.009))
    whole = yaw(placed.yaw_deg)
    x, y, z = rotate(whole, (spot[0] + out[0], spot[1] + out[1], spot[2] + out[2]))
    centre = (x + placed.at_m[0], y + placed.at_m[1], z + placed.at_m[2])
    return SideMirror(centre, compose(whole, turn))


def build_of(item: Item) -> Build:
    """Measures of a vehicle that this module made."""
    return next(b for b in (HATCHBACK, SALOON, ESTATE, VAN) if item.description.endswith(b.kind))


def _vehicle(rng: Generator, build: Build, colour: str, extra: tuple[Part, ...]) -> Item:
    paint = Finish(COLOURS[colour], specular=0.6, shininess=0.85)
    text = plate_text(rng)
    parts = [
        *shell(build, paint),
        *_running_gear(build),
        *_front(build, text),
        *_back(build, text, paint),
    ]
    for side in (-1.0, 1.0):
        parts += _flank(build, side, paint)
    needed = float(np.hypot(build.length_m / 2, build.half_width_m + 0.25))
    return Item("car" if build is not VAN else "van", f"{colour} {build.kind}",
                (*parts, *extra), needed)  # fmt: skip


def _running_gear(build: Build) -> list[Part]:
    half = build.half_width_m
    span = build.axles[1] - build.axles[0]
    reach = build.length_m - 0.5
    parts = [
        box(_BLACK, (2 * half - 0.5, reach, 0.34), (0, 0, 0.40)),
        box(_BLACK, (2 * half - 0.2, span - 2 * build.wheel_m - 0.12, 0.2),
            (0, sum(build.axles) / 2, 0.33)),
    ]  # fmt: skip
    for axle in build.axles:
        for side in (-1.0, 1.0):
            parts += _wheel((side * (half - 0.115), axle, build.wheel_m), build.wheel_m, side)
    return parts


def _wheel(at_m: Vector, radius: float, side: float) -> list[Part]:
    """A tyre with a spoked alloy rim on its outside."""
    turn = about((0.0, 1.0, 0.0), 90.0 * side)
    rim = 0.68 * radius
    tyre = turned(
        [(0, -0.1), (rim, -0.1), (radius - 0.02, -0.095), (radius, -0.06), (radius, 0.06),
         (radius - 0.02, 0.095), (rim, 0.1), (rim - 0.015, 0.07), (rim - 0.02, 0.04), (0, 0.03)],
        around=32,
    )  # fmt: skip
    hoop = turned(
        [(rim - 0.03, 0.075), (rim + 0.006, 0.08), (rim + 0.006, 0.103), (rim - 0.012, 0.103),
         (rim - 0.03, 0.075)],
        around=28,
    )  # fmt: skip
    parts = [solid(_RUBBER, tyre, at_m, turn), solid(_ALLOY, hoop, at_m, turn)]
    hub = rotate(turn, (0.0, 0.0, 0.08))
    middle = (at_m[0] + hub[0], at_m[1] + hub[1], at_m[2] + hub[2])
    parts.append(cylinder(_ALLOY, 0.055, 0.03, middle, turn))
    for k in range(5):
        spoke = compose(turn, about((0.0, 0.0, 1.0), 72.0 * k + 18.0))
        arm = rotate(spoke, (rim / 2, 0.0, 0.078))
        spot = (at_m[0] + arm[0], at_m[1] + arm[1], at_m[2] + arm[2])
        parts.append(box(_ALLOY, (rim - 0.02, 0.055, 0.018), spot, spoke))
    return parts


def _front(build: Build, text: str) -> list[Part]:
    """Headlights, grille and the white plate."""
    y, nose = -build.length_m / 2, build.top[0][0]
    plate = Finish(texture=number_plate(text, (0.96, 0.96, 0.95)), specular=0.2)
    lamp = half_width_at(build, y + 0.12)
    parts = [
        box(_BLACK, (0.80, 0.06, 0.12), (0, y + 0.01, nose - 0.09)),
        box(_BLACK, (1.1, 0.06, 0.11), (0, y + 0.015, 0.36)),
        box(STEEL, (0.82, 0.05, 0.014), (0, y + 0.0, nose - 0.025)),
        lens(STEEL, (0.045, 0.015, 0.045), (0, y - 0.02, nose - 0.088)),
        box(plate, (0.52, 0.112, 0.014), (0, y - 0.02, 0.455), UPRIGHT, name="white number plate"),
    ]
    for side in (-1.0, 1.0):
        spot = (side * (lamp - 0.17), y + 0.085, nose - 0.005)
        turn = compose(yaw(side * 24.0), about((1.0, 0.0, 0.0), -18.0))
        parts.append(lens(_HEADLIGHT, (0.18, 0.075, 0.07), spot, turn, name="headlight"))
        parts.append(lens(_AMBER, (0.05, 0.05, 0.03), (side * (lamp - 0.13), y + 0.07, 0.40)))
    return parts


def _back(build: Build, text: str, paint: Finish) -> list[Part]:
    """Tail lights, bumper, exhaust and the yellow plate."""
    y, tail = build.length_m / 2, build.top[-1][0]
    plate = Finish(texture=number_plate(text, (0.97, 0.80, 0.16)), specular=0.2)
    wide = half_width_at(build, y - 0.1)
    parts = [
        box(_BLACK, (1.2, 0.06, 0.12), (0, y - 0.012, 0.36)),
        box(plate, (0.52, 0.112, 0.014), (0, y + 0.012, 0.60), _BACKWARDS,
            name="yellow number plate"),
        box(paint, (0.7, 0.03, 0.03), (0, y + 0.008, 0.69)),
        cylinder(STEEL, 0.03, 0.12, (0.45, y - 0.02, 0.27), UPRIGHT),
    ]  # fmt: skip
    for side in (-1.0, 1.0):
        spot = (side * (wide - 0.12), y - 0.045, tail - 0.03)
        turn = yaw(side * -30.0)
        parts.append(lens(_TAIL_LIGHT, (0.13, 0.055, 0.12), spot, turn, name="tail light"))
    return parts


def _flank(build: Build, side: float, paint: Finish) -> list[Part]:
    """Handles, side mirror."""
    x = side * build.half_width_m
    parts = []
    for seam in build.seams[1:3] if not build.panels else build.seams[1:2]:
        high = build.belt_m - 0.11
        spot = (x * 0.985, seam - 0.14, high)
        parts.append(lens(paint, (0.025, 0.085, 0.017), spot, name="door handle"))
    spot, turn = _mirror_pose(build, side)
    width, height = MIRROR_GLASS_M
    rings = []
    for depth, scale in ((-0.10, 0.35), (-0.093, 0.6), (-0.07, 0.86), (-0.035, 0.98), (0.0, 1.0),
                         (0.012, 1.0), (0.012, 0.94), (0.0, 0.93)):  # fmt: skip
        outline = rounded_outline(
            scale * (width / 2 + 0.018), scale * (height / 2 + 0.016), power=5.0, count=32
        )
        rings.append(np.column_stack((outline, np.full(32, depth))))
    housing = loft(capped(np.stack(rings))[:, ::-1])
    root = (x * 0.9, spot[1] - 0.02, spot[2] - 0.05)
    parts.append(rod(_BLACK, root, (spot[0], spot[1] - 0.05, spot[2] - 0.04), 0.024))
    parts.append(solid(paint, housing, spot, turn, name="side mirror"))
    glass = Finish((0.42, 0.46, 0.50), specular=0.9, shininess=0.9)
    out = rotate(turn, (0.0, 0.0, 0.001))
    middle = (spot[0] + out[0], spot[1] + out[1], spot[2] + out[2])
    parts.append(box(glass, (width, height, 0.002), middle, turn))
    return parts


def _mirror_pose(build: Build, side: float) -> tuple[Vector, Quaternion]:
    """Middle and turn of a side mirror's back plate in the vehicle's frame; it looks backwards."""
    x = side * (build.half_width_m + 0.13)
    spot = (x, build.cabin_foot[0] + 0.42, build.belt_m + 0.075)
    return spot, compose(yaw(180.0 - side * _MIRROR_TOE_DEG), UPRIGHT)
