"""A street corner: a shop front whose glass mirrors the street, a mirror for drivers, a puddle."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.places.lighting import WARM, scaled
from mira.sim.rooms.places.placing import Arrangement, item_extent, side_by_side
from mira.sim.rooms.places.safety_mirrors import (
    clearance,
    convex_mirror,
    pole_behind,
    sight_line,
)
from mira.sim.rooms.places.street_shell import (
    CORNER_M,
    PANEL_M,
    PAVEMENT_M,
    ROAD_Z_M,
    SHELF_M,
    WINDOW_M,
    Corner,
)
from mira.sim.rooms.places.street_views import street_viewpoints
from mira.sim.rooms.plan import Lamp, Lighting, RoomPlan, Sky, Sun, Walkable
from mira.sim.rooms.reflective import GLASS_GAP_M, ReflectiveSurface, facing, framed_mirror
from mira.sim.rooms.things import (
    cycles,
    goods,
    goods_play,
    goods_toys,
    keepsakes,
    roadside,
    signposts,
    street,
    vehicles,
)
from mira.sim.rooms.things.colours import glossy
from mira.sim.rooms.things.meshes import plate
from mira.sim.rooms.things.parts import Finish, Item, box, solid
from mira.sim.rooms.things.rotation import IDENTITY, Vector
from mira.sim.rooms.things.rotation import yaw as rotation

_MANY = ("traffic cone", "bollard")
"""Kinds of which a street has more than one."""
_BY_THE_SHOP = (
    street.potted_tree, street.litter_bin, roadside.chalk_stand, roadside.umbrella_stand,
    roadside.bottle_crate, goods.suitcase, roadside.cardboard_boxes, street.post_box,
    street.fire_hydrant, street.traffic_cone, roadside.bucket, roadside.parcel, goods.backpack,
)  # fmt: skip
_LONG = (street.bench, cycles.bicycle, cycles.scooter)
_BY_THE_KERB = (
    street.bollard, signposts.parking_meter, signposts.traffic_sign, street.fire_hydrant,
    street.post_box, street.litter_bin,
)  # fmt: skip
_TALL = (street.post_box, street.litter_bin, street.potted_tree, signposts.parking_meter,
         street.wheelie_bin)  # fmt: skip
_IN_THE_WINDOW = (
    goods_toys.toy_robot, goods_play.guitar, goods_toys.drum, goods_toys.rocking_horse,
    goods.hat_on_stand, goods.handbag, goods_play.radio, goods_play.trophy, keepsakes.globe,
    keepsakes.teddy_bear, goods_toys.toy_lorry,
)  # fmt: skip


def plan_street_corner(rng: Generator) -> RoomPlan:
    """A shop on a corner, seen from the pavement."""
    lighting: Lighting = "night" if rng.random() < 0.3 else "day"
    wet = rng.random() < 0.4
    night = lighting == "night"
    clad = rng.random() < 0.7
    corner = Corner.drawn(rng, night=night, wet=wet, clad=clad)
    walkable = Walkable((-5.5, -PAVEMENT_M), (CORNER_M + 1.75, -0.08))
    arrangement = Arrangement(walkable)
    surfaces = [_window(rng)]
    if clad:
        surfaces.append(_panel(rng, corner))
    if rng.random() < 0.65 and not (wet and clad):
        surfaces.append(_convex(rng, arrangement))
    if wet:
        surfaces.append(_puddle(rng, arrangement))
    lantern = _street_lamp(rng, arrangement, night=night)
    _things(rng, arrangement)
    _traffic(rng, arrangement)
    _window_goods(rng, arrangement)
    return RoomPlan(
        place="street_corner",
        environment="outdoor",
        lighting=lighting,
        structure=tuple(corner.parts()),
        walkable=walkable,
        surfaces=tuple(surfaces),
        items=tuple(arrangement.placed),
        lamps=tuple(_lamps(lantern)) if night else (),
        sun=None if night else _sun(rng, wet=wet),
        sky=_sky(night=night, wet=wet),
        ambient=(0.012, 0.012, 0.018) if night else (0.03, 0.03, 0.03),
        viewpoints=tuple(street_viewpoints(rng, arrangement, surfaces)),
    )


def _window(rng: Generator) -> ReflectiveSurface:
    """The shop window: coated glass in a thin frame."""
    left, right, low, high = WINDOW_M
    shine = float(rng.uniform(0.15, 0.22))
    width, height = right - left, high - low
    frame = Finish((0.12, 0.12, 0.12), specular=0.3)
    parts = [
        box(frame, (width, 0.03, 0.04), (0, side * (height / 2 - 0.015), -0.025))
        for side in (-1, 1)
    ]
    parts += [
        box(frame, (0.03, height, 0.04), (side * (width / 2 - 0.015), 0, -0.025))
        for side in (-1, 1)
    ]
    return ReflectiveSurface(
        "window", "glass", ((left + right) / 2, 0.04, (low + high) / 2), facing(0), width, height,
        silver=(shine, shine * 1.04, shine * 1.05), see_through=0.7, parts=tuple(parts),
    )  # fmt: skip


def _panel(rng: Generator, corner: Corner) -> ReflectiveSurface:
    """A mirror that clads the front between the window and the corner."""
    left, right = PANEL_M
    low, high = float(rng.uniform(0.12, 0.25)), float(rng.uniform(2.1, 2.4))
    width = right - left - 0.09
    centre = ((left + right) / 2, -GLASS_GAP_M, (low + high) / 2)
    return framed_mirror("mirror_1", centre, facing(0), width, high - low, frame=corner.joinery)


def _convex(rng: Generator, arrangement: Arrangement) -> ReflectiveSurface:
    """A round mirror on a pole at the corner, turned towards the pavement."""
    shift = float(rng.uniform(0.35, 0.7))
    surface = convex_mirror(
        "mirror_2",
        (CORNER_M + shift, -float(rng.uniform(0.7, 1.3)), float(rng.uniform(1.5, 1.7))),
        yaw_deg=-float(rng.uniform(45, 62)),
        lean_deg=float(rng.uniform(6, 11)),
        diameter_m=float(rng.uniform(0.7, 0.9)),
        bulge_radius_m=float(rng.uniform(1.6, 2.4)),
        rim=glossy(("red", "orange", "black", "white")[int(rng.integers(4))]),
    )  # fmt: skip
    pole, spot = pole_behind(surface, top_m=surface.centre_m[2] + 0.5)
    arrangement.put(pole, spot)
    arrangement.reserve(clearance(surface))
    ahead = math.atan2(float(surface.normal[1]), float(surface.normal[0]))
    near, far = (
        (spot[0] + reach * math.cos(ahead), spot[1] + reach * math.sin(ahead))
        for reach in (0.95, 2.75)
    )
    arrangement.reserve(sight_line(near, far))
    sides = [1.0, -1.0, 1.0, -1.0]
    for place, side in zip(rng.permutation(len(_TALL)), sides, strict=False):
        item = _TALL[place](rng)
        if _has(arrangement, item.category):
            continue
        for _ in range(8):
            angle = ahead + side * math.radians(float(rng.uniform(28, 62)))
            reach = float(rng.uniform(0.75, 1.5))
            x, y = spot[0] + reach * math.cos(angle), spot[1] + reach * math.sin(angle)
            if arrangement.try_put(item, (x, y, 0.0), math.degrees(ahead) + 90.0):
                break
    return surface


def _puddle(rng: Generator, arrangement: Arrangement) -> ReflectiveSurface:
    """Rain water on the pavement; the wet ground under it keeps things out of it."""
    width, depth = float(rng.uniform(2.0, 2.6)), float(rng.uniform(1.0, 1.3))
    x, y = float(rng.uniform(-0.8, 0.4)), -float(rng.uniform(2.15, 2.45))
    soaked = Finish((0.15, 0.145, 0.14), specular=0.15, shininess=0.6)
    bed = Finish((0.075, 0.072, 0.07), specular=0.1)
    parts = [
        solid(soaked, plate(width + 0.3, depth + 0.24, round=True), (0, 0, 0.0015)),
        solid(bed, plate(width, depth, round=True), (0, 0, 0.0025)),
    ]
    for angle in np.linspace(0, 2 * np.pi, 9, endpoint=False) + rng.uniform(-0.25, 0.25, 9):
        spot = (0.5 * width * math.cos(angle), 0.5 * depth * math.sin(angle), 0.0055)
        size = (float(rng.uniform(0.2, 0.5)), float(rng.uniform(0.12, 0.3)))
        parts.append(
            solid(soaked, plate(*size, round=True), spot, rotation(float(rng.uniform(0, 180))))
        )
    arrangement.put(
        Item("wet patch", "wet patch", tuple(parts), width / 2, annotated=False), (x, y, 0)
    )
    arrangement.reserve(sight_line((x - 0.4 * width, y + 0.1), (x - 3.3, y + 0.1)))
    for maker in (street.traffic_cone, street.bollard, street.fire_hydrant, street.post_box):
        span = (x + width / 2 + 0.5, x + width / 2 + 1.2)
        _try(rng, arrangement, maker(rng), span, (y - 0.5, y + 0.7), float(rng.uniform(-90, 0)))
    return ReflectiveSurface(
        "puddle", "water", (x, y, 0.004), IDENTITY, width, depth, round=True,
        silver=(0.04, 0.04, 0.04), see_through=0.6,
    )  # fmt: skip


def _street_lamp(rng: Generator, arrangement: Arrangement, *, night: bool) -> Vector:
    x = float(rng.uniform(-3.2, -1.8)) if rng.random() < 0.5 else float(rng.uniform(1.6, 2.4))
    spot = (x, -PAVEMENT_M + 0.4, 0.0)
    arrangement.put(signposts.street_lamp(rng, lit=night), spot)
    return spot


def _things(rng: Generator, arrangement: Arrangement) -> None:
    """Street furniture and what people left, before the shop and along the kerb."""
    for maker in [_LONG[k] for k in rng.permutation(3)][:2]:
        _try(rng, arrangement, maker(rng), (-2.0, 2.2), (-1.4, -0.5), _long_turn(rng, maker))
    for place in rng.permutation(len(_BY_THE_SHOP))[: int(rng.integers(5, 8))]:
        item = _BY_THE_SHOP[place](rng)
        _try(rng, arrangement, item, (-2.4, 2.6), (-1.7, -0.35), float(rng.uniform(-25, 25)))
    for place in rng.permutation(len(_BY_THE_KERB))[:4]:
        item = _BY_THE_KERB[place](rng)
        _try(rng, arrangement, item, (-4.0, CORNER_M + 1.2), (-4.0, -3.75), 180.0)


def _long_turn(rng: Generator, maker: object) -> float:
    if maker is street.bench:
        return 0.0
    return float(rng.choice((90.0, -90.0))) + float(rng.uniform(-8, 8))


def _try(
    rng: Generator,
    arrangement: Arrangement,
    item: Item,
    x_m: tuple[float, float],
    y_m: tuple[float, float],
    yaw_deg: float,
) -> None:
    """Puts an item somewhere in a field, unless one of its kind is there and that is enough."""
    if item.category not in _MANY and _has(arrangement, item.category):
        return
    for _ in range(12):
        at = (float(rng.uniform(*x_m)), float(rng.uniform(*y_m)), 0.0)
        if arrangement.try_put(item, at, yaw_deg):
            return


def _has(arrangement: Arrangement, category: str) -> bool:
    return any(placed.item.category == category for placed in arrangement.placed)


def _traffic(rng: Generator, arrangement: Arrangement) -> None:
    """Vehicles along both kerbs; only the reflections show those on this side."""
    x = float(rng.uniform(-3.2, -1.6))
    for y, number in ((-PAVEMENT_M - 1.25, 2), (-8.8, 1)):
        for _ in range(number):
            vehicle = vehicles.delivery_van(rng) if rng.random() < 0.3 else vehicles.car(rng)
            arrangement.put(vehicle, (x, y, ROAD_Z_M), 90.0 if y > -6 else -90.0)
            x += float(rng.uniform(5.2, 5.8))
        x = float(rng.uniform(-5.0, 4.0))


def _window_goods(rng: Generator, arrangement: Arrangement) -> None:
    items = [_IN_THE_WINDOW[k](rng) for k in rng.permutation(len(_IN_THE_WINDOW))[:5]]
    extents = {item.category: item_extent(item) for item in items}
    deep = {name: high[1] - low[1] for name, (low, high) in extents.items()}
    items = [item for item in items if deep[item.category] < 0.62 and not arrangement.known(item)]
    row = side_by_side(rng, items, WINDOW_M[0] + 0.15, WINDOW_M[1] - 0.15, gap_m=0.12)
    for item, x, turn in row:
        arrangement.put(
            item,
            (x, 0.51 - (extents[item.category][0][1] + extents[item.category][1][1]) / 2, SHELF_M),
            turn,
        )


def _sun(rng: Generator, *, wet: bool) -> Sun:
    towards = (
        float(rng.uniform(0.75, 0.9)),
        float(rng.uniform(-0.08, 0.25)),
        -float(rng.uniform(0.5, 0.7)),
    )
    strength = 1.4 if wet else 2.5
    return Sun(towards, (strength, 0.95 * strength, 0.86 * strength), 2.5 if wet else 0.8)


def _sky(*, night: bool, wet: bool) -> Sky:
    if night:
        return Sky((0.006, 0.008, 0.022), (0.03, 0.03, 0.045))
    if wet:
        return Sky((0.75, 0.80, 0.88), (1.05, 1.08, 1.10))
    return Sky((0.42, 0.66, 1.15), (0.88, 1.0, 1.18))


def _lamps(lantern: Vector) -> Iterator[Lamp]:
    """The street lamp, the lights over the shop front, a lamp across the road."""
    x, y, _ = lantern
    yield Lamp((x, y, 3.75), (0.0, 0.5, 0.0), (0.5, 0.0, 0.0), scaled(WARM, 14.0))
    yield Lamp((-0.3, -1.6, 3.3), (0.0, 0.15, 0.0), (1.8, 0.0, 0.0), scaled(WARM, 7.0))
    yield Lamp((1.0, -7.5, 6.0), (0.0, 0.5, 0.0), (3.5, 0.0, 0.0), scaled(WARM, 11.0))
