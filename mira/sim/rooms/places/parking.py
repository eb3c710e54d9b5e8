"""A covered car park: a mirror on the wall by the exit, a convex one beside it, parked cars."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from numpy.random import Generator

from mira.sim.rooms.places.lighting import NEUTRAL, scaled
from mira.sim.rooms.places.parking_shell import (
    DEPTH_M,
    HEIGHT_M,
    PILLAR_M,
    TUBES,
    Hall,
    exit_sign,
    fire_door,
    pillar,
)
from mira.sim.rooms.places.placing import Arrangement
from mira.sim.rooms.places.safety_mirrors import clearance, convex_mirror
from mira.sim.rooms.plan import Lamp, Lighting, RoomPlan, Sky, Walkable
from mira.sim.rooms.reflective import GLASS_GAP_M, ReflectiveSurface, facing, framed_mirror
from mira.sim.rooms.things import (
    cycles,
    goods,
    goods_play,
    roadside,
    signposts,
    street,
    vehicles,
)
from mira.sim.rooms.things.colours import glossy
from mira.sim.rooms.things.parts import Finish, Item, Placed, box, cylinder
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.viewpoint import Viewpoint, look_at

_STEEL = Finish((0.52, 0.53, 0.54), specular=0.4, shininess=0.5)
_FRAMES = ((0.12, 0.12, 0.13), (0.86, 0.66, 0.12), (0.6, 0.61, 0.62))
_TALL = (
    street.litter_bin, roadside.cardboard_boxes, roadside.tyre_stack, goods.suitcase,
    street.traffic_cone, street.wheelie_bin, signposts.parking_meter,
)  # fmt: skip
_SMALL = (
    roadside.bottle_crate, roadside.toolbox, roadside.bucket, roadside.jerrycan, roadside.parcel,
    goods_play.football, goods.backpack, street.traffic_cone,
)  # fmt: skip
_FAR = (
    street.wheelie_bin, cycles.scooter, cycles.bicycle, street.traffic_cone, street.bollard,
)  # fmt: skip


def plan_parking(rng: Generator) -> RoomPlan:
    """A covered car park with a mirror by the exit."""
    lighting: Lighting = "night" if rng.random() < 0.3 else "day"
    hall = Hall.drawn(rng, night=lighting == "night")
    walkable = Walkable((-hall.width_m / 2, -DEPTH_M), (hall.width_m / 2, -0.04))
    side = 1.0 if rng.random() < 0.5 else -1.0
    flat, bulging = _flat(rng), _convex(rng, side)
    arrangement = Arrangement(walkable)
    arrangement.reserve(clearance(bulging))
    _fixtures(rng, arrangement, hall, side)
    parked = _cars(rng, arrangement, hall, side)
    own = _side_mirror(parked, side)
    _near_things(rng, arrangement, hall)
    _far_things(rng, arrangement)
    return RoomPlan(
        place="parking",
        environment="indoor",
        lighting=lighting,
        structure=tuple(hall.parts()),
        walkable=walkable,
        surfaces=(flat, bulging, own),
        items=tuple(arrangement.placed),
        lamps=tuple(_lamps()),
        sky=_sky(lighting),
        ambient=(0.07, 0.07, 0.07),
        viewpoints=tuple(_viewpoints(rng, arrangement, flat, bulging, own)),
    )


def _flat(rng: Generator) -> ReflectiveSurface:
    """A mirror on the wall by the exit, or the polished steel doors of a lift."""
    if rng.random() < 0.35:
        return _lift_doors(rng)
    width, height = float(rng.uniform(1.5, 1.9)), float(rng.uniform(1.3, 1.55))
    bottom = float(rng.uniform(0.18, 0.3))
    frame = Finish(_FRAMES[int(rng.integers(len(_FRAMES)))])
    centre = (0.0, -GLASS_GAP_M, bottom + height / 2)
    return framed_mirror("mirror_1", centre, facing(0), width, height, frame=frame)


def _lift_doors(rng: Generator) -> ReflectiveSurface:
    """Two doors that meet in a dark gap; steel gives back less than silvered glass."""
    width, height, bottom = float(rng.uniform(1.25, 1.4)), 2.0, 0.045
    centre = (0.0, -GLASS_GAP_M, bottom + height / 2)
    doors = framed_mirror("mirror_1", centre, facing(0), width, height, frame=_STEEL)
    gap = box(Finish((0.05, 0.05, 0.05)), (0.01, height, 0.004), (0, 0, 0.002))
    x = -width / 2 - 0.16
    panel = box(_STEEL, (0.13, 0.26, 0.02), (x, 0.05, 0.006))
    buttons = [
        cylinder(Finish((0.95, 0.9, 0.7), glow=0.5), 0.022, 0.012, (x, z, 0.02))
        for z in (0.0, 0.09)
    ]
    return replace(doors, silver=(0.70, 0.71, 0.72), parts=(*doors.parts, gap, panel, *buttons))


def _convex(rng: Generator, side: float) -> ReflectiveSurface:
    rim = glossy(("orange", "red", "black", "white")[int(rng.integers(4))])
    return convex_mirror(
        "mirror_2",
        (side * float(rng.uniform(1.42, 1.5)), -0.26, float(rng.uniform(1.48, 1.62))),
        yaw_deg=-side * float(rng.uniform(5, 14)),
        lean_deg=float(rng.uniform(8, 13)),
        diameter_m=float(rng.uniform(0.65, 0.78)),
        bulge_radius_m=float(rng.uniform(1.5, 2.1)),
        rim=rim,
    )


def _fixtures(rng: Generator, arrangement: Arrangement, hall: Hall, side: float) -> None:
    """Pillars, the door on the side away from the convex mirror, extinguisher, exit sign."""
    edge = hall.bay_m + 0.02
    for number, x in enumerate((-edge - 2.5, -edge, edge, edge + 2.5)):
        arrangement.put(pillar(hall, number), (x, -5.3, 0.0))
    arrangement.put(fire_door(), (-side * 1.56, 0.0, 0.0))
    arrangement.put(exit_sign(), (-side * 1.56, 0.0, 2.26))
    if rng.random() < 0.5:
        arrangement.put(street.fire_extinguisher(), (side * 1.3, 0.0, 0.72))
    else:
        face = -5.3 + PILLAR_M / 2 + 0.004
        arrangement.put(street.fire_extinguisher(), (-side * edge, face, 1.22), 180.0)


def _cars(rng: Generator, arrangement: Arrangement, hall: Hall, side: float) -> Placed:
    """A car beside the convex mirror, nose to the wall; others by chance. Returns the first."""
    middle = hall.bay_m + 1.25
    first = vehicles.car(rng)
    length = vehicles.build_of(first).length_m
    at = (
        side * middle + float(rng.uniform(-0.08, 0.08)),
        -length / 2 - float(rng.uniform(0.4, 0.6)),
        0,
    )
    arrangement.put(first, at, 180.0)
    if rng.random() < 0.65:
        second = _vehicle(rng)
        length = vehicles.build_of(second).length_m
        turn = 180.0 if rng.random() < 0.5 else 0.0
        arrangement.try_put(second, (-side * middle, -length / 2 - 0.5, 0), turn)
    for x in (-2.55, 0.0, 2.55):
        if rng.random() < 0.6:
            third = _vehicle(rng)
            length = vehicles.build_of(third).length_m
            turn = 180.0 if rng.random() < 0.6 else 0.0
            arrangement.try_put(third, (x, -DEPTH_M + length / 2 + 0.5, 0), turn)
    return next(placed for placed in arrangement.placed if placed.item is first)


def _vehicle(rng: Generator) -> Item:
    return vehicles.delivery_van(rng) if rng.random() < 0.25 else vehicles.car(rng)


def _side_mirror(parked: Placed, side: float) -> ReflectiveSurface:
    """The glass of the parked car's side mirror that is nearer to the exit."""
    pose = vehicles.side_mirror(parked, vehicles.build_of(parked.item), right=side > 0)
    width, height = vehicles.MIRROR_GLASS_M
    return ReflectiveSurface(
        "mirror_3", "vehicle_side_mirror", pose.centre_m, pose.turn, width, height,
        bulge_radius_m=1.2, silver=(0.82, 0.85, 0.87),
    )  # fmt: skip


def _near_things(rng: Generator, arrangement: Arrangement, hall: Hall) -> None:
    """Things between the mirror and whoever looks into it, the tall ones at the sides."""
    reach = hall.bay_m - 0.25
    for makers, wanted, span in ((_TALL, 3, (0.55, 1.0)), (_SMALL, 4, (0.0, 0.85))):
        for place in rng.permutation(len(makers)).tolist():
            item = makers[place](rng)
            for _ in range(10):
                x = reach * float(rng.uniform(*span)) * (-1.0 if rng.random() < 0.5 else 1.0)
                y = -float(rng.uniform(0.45, 1.55))
                if arrangement.try_put(item, (x, y, 0.0), float(rng.uniform(-35, 35))):
                    wanted -= 1
                    break
            if wanted == 0:
                break


def _far_things(rng: Generator, arrangement: Arrangement) -> None:
    """Things in the lane and by the pillars, which the mirrors alone may show."""
    for place in rng.permutation(len(_FAR)).tolist():
        for _ in range(6):
            side = -1.0 if rng.random() < 0.5 else 1.0
            x, y = side * float(rng.uniform(0.7, 2.0)), -float(rng.uniform(4.2, 6.6))
            if arrangement.try_put(_FAR[place](rng), (x, y, 0.0), float(rng.uniform(0, 360))):
                break


def _lamps() -> Iterator[Lamp]:
    for x, y, length, upright in TUBES:
        half_x, half_y = (0.12, length / 2) if upright else (length / 2, 0.12)
        rgb = scaled(NEUTRAL, 11.0 if upright else 13.0)
        yield Lamp((x, y, HEIGHT_M - 0.08), (0.0, half_y, 0.0), (half_x, 0.0, 0.0), rgb)


def _sky(lighting: Lighting) -> Sky:
    if lighting == "day":
        return Sky((1.0, 1.2, 1.5), (1.5, 1.55, 1.6))
    return Sky((0.008, 0.010, 0.025), (0.03, 0.03, 0.045))


def _viewpoints(
    rng: Generator,
    arrangement: Arrangement,
    flat: ReflectiveSurface,
    bulging: ReflectiveSurface,
    own: ReflectiveSurface,
) -> Iterator[Viewpoint]:
    """Cameras before the wall mirror, two close to the convex one, two beside the car's."""
    side = 1.0 if bulging.centre_m[0] > 0 else -1.0
    for wanted, draw in ((4, _before_wall), (2, _before_convex), (2, _beside_car)):
        for _ in range(60):
            eye, target = draw(rng, side, flat, bulging, own)
            if arrangement.room_to_stand(eye[0], eye[1]):
                yield look_at(eye, target)
                wanted -= 1
            if wanted == 0:
                break


def _before_wall(rng: Generator, side: float, *_: ReflectiveSurface) -> tuple[Vector, Vector]:
    bearing = math.radians(float(rng.uniform(-26, 26)))
    reach = float(rng.uniform(3.2, 3.9))
    eye = (reach * math.sin(bearing), -reach * math.cos(bearing), float(rng.uniform(1.35, 1.65)))
    return eye, (
        -0.1 * eye[0] + side * float(rng.uniform(0.0, 0.5)),
        -0.1,
        float(rng.uniform(0.62, 0.82)),
    )


def _before_convex(
    rng: Generator,
    side: float,
    _: ReflectiveSurface,
    bulging: ReflectiveSurface,
    __: ReflectiveSurface,
) -> tuple[Vector, Vector]:
    x, y, z = bulging.centre_m
    bearing = math.radians(float(rng.uniform(8, 35))) * side
    reach = float(rng.uniform(2.2, 2.8))
    eye = (
        x - reach * math.sin(bearing),
        y - reach * math.cos(bearing),
        float(rng.uniform(1.45, 1.65)),
    )
    return eye, (x + side * float(rng.uniform(-0.3, 0.3)), 0.0, z - 0.5)


def _beside_car(
    rng: Generator, side: float, _: ReflectiveSurface, __: ReflectiveSurface, own: ReflectiveSurface
) -> tuple[Vector, Vector]:
    x, y, z = own.centre_m
    eye = (x - side * float(rng.uniform(0.42, 0.55)), y - float(rng.uniform(0.85, 1.1)),
           z + float(rng.uniform(0.2, 0.4)))  # fmt: skip
    return eye, (eye[0] + side * float(rng.uniform(0.0, 0.12)), eye[1] + 1.5, z - 0.1)
