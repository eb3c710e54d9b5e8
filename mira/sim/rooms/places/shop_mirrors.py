"""What shops see themselves in: fitting mirrors, mirrored walls and columns, a case, a dome."""

from __future__ import annotations

import math
from dataclasses import replace

from mira.sim.rooms.places.shop_room import ShopRoom
from mira.sim.rooms.places.shop_shell import beside, one_of
from mira.sim.rooms.reflective import GLASS_GAP_M, ReflectiveSurface, facing, framed_mirror
from mira.sim.rooms.things.colours import BRASS, STEEL, glossy, matt
from mira.sim.rooms.things.meshes import ring, turned
from mira.sim.rooms.things.parts import Finish, Item, Part, box, cylinder, rod, solid
from mira.sim.rooms.things.rotation import Vector

_FRAME_M = 0.05


def fitting_mirrors(
    room: ShopRoom, side: float
) -> tuple[tuple[ReflectiveSurface, ...], Vector, float]:
    """One full-height mirror, or two on feet that meet at a slant.

    Args:
        room: The shop; the mirrors' space is reserved in it.
        side: 1 has the corner on the right, -1 on the left.

    Returns:
        The mirrors, the point of the floor where they meet, and the direction from there into
        the room, in degrees, anticlockwise from +x.
    """
    rng = room.rng
    frame = room.wood if rng.random() < 0.6 else glossy("black")
    high = float(rng.uniform(1.8, 1.95))
    first = float(rng.uniform(1.15, 1.4))
    if rng.random() < 0.3:
        wide = float(rng.uniform(1.7, 2.1))
        x = side * float(rng.uniform(0.2, 0.5))
        centre = (x, -GLASS_GAP_M, 0.12 + high / 2)
        mirror = framed_mirror("mirror_1", centre, facing(0), wide, high, frame=frame)
        room.reserve((wide + 0.1, 0.06, high + 0.2), (x, -0.03, 0.0))
        return (mirror,), (x, 0.0, 0.0), 270.0 - side * 14
    second = float(rng.uniform(0.95, 1.15))
    opening = float(rng.uniform(90, 120))
    hinge = (side * float(rng.uniform(0.75, 0.95)), -0.42)
    angle = math.radians(opening)
    near = _FRAME_M + 0.016
    panels = (
        ("mirror_1", first, (-side, 0.0), 0.0),
        ("mirror_2", second, (-side * math.cos(angle), -math.sin(angle)), -side * (180 - opening)),
    )
    surfaces = []
    for name, width, (dx, dy), yaw_deg in panels:
        reach = near + width / 2
        spot = (hinge[0] + dx * reach, hinge[1] + dy * reach, 0.11 + high / 2)
        surfaces.append(_panel(name, spot, yaw_deg, width, high, frame))
        room.reserve((width + 2 * _FRAME_M, 0.42, high + 0.1), (spot[0], spot[1], 0.0), yaw_deg)
    bearing = 270 - side * (90 - opening / 2)
    return tuple(surfaces), (hinge[0], hinge[1], 0.0), bearing


def mirrored_wall(room: ShopRoom) -> tuple[ReflectiveSurface, tuple[float, ...]]:
    """A mirror along the front wall, and the heights of the boards that go before it."""
    rng = room.rng
    wide = float(rng.uniform(2.5, 3.1))
    x = float(rng.uniform(-0.2, 0.2))
    bottom, top = 0.9, 2.2
    centre = (x, -GLASS_GAP_M, (bottom + top) / 2)
    frame = BRASS if rng.random() < 0.5 else room.wood
    mirror = framed_mirror("mirror_1", centre, facing(0), wide, top - bottom, frame=frame)
    boards = (1.72,) if rng.random() < 0.6 else (1.3, 1.8)
    return mirror, boards


def mirrored_column(room: ShopRoom, at_m: Vector, turn_deg: float) -> tuple[ReflectiveSurface, ...]:
    """A square column with mirrors on its front (-y) and its left side."""
    edge, high = float(room.rng.uniform(0.84, 0.94)), room.shell.height_m
    core = Finish((0.85, 0.83, 0.78), specular=0.1)
    trim = room.wood
    parts = [box(core, (edge, edge, high - 0.004), (0, 0, high / 2))]
    for dx in (-1.0, 1.0):
        for dy in (-1.0, 1.0):
            post = (0.04, 0.04, high - 0.004)
            parts.append(box(trim, post, (dx * edge / 2, dy * edge / 2, high / 2)))
    parts.append(box(trim, (edge + 0.03, edge + 0.03, 0.12), (0, 0, 0.06)))
    parts.append(box(trim, (edge + 0.03, edge + 0.03, 0.08), (0, 0, 2.28)))
    column = Item("column", "column", tuple(parts), edge * 0.75, annotated=False)
    room.put(column, at_m, turn_deg)
    surfaces = []
    low, top = 0.121, 2.239
    for number, own in enumerate((0.0, -90.0), start=1):
        yaw_deg = turn_deg + own
        x, y, _ = beside(at_m, yaw_deg, 0.0, -edge / 2 - GLASS_GAP_M)
        centre, name = (x, y, (low + top) / 2), f"mirror_{number}"
        turn = facing(yaw_deg)
        surfaces.append(framed_mirror(name, centre, turn, edge - 0.04, top - low, frame=None))
    return tuple(surfaces)


def glass_case(
    room: ShopRoom, x_m: float
) -> tuple[ReflectiveSurface, tuple[tuple[float, float], ...], tuple[float, float]]:
    """A wall case with a glass front.

    Returns:
        The pane; the heights of the case's boards with the height over each; the boards' width
        and the y of their middle.
    """
    rng = room.rng
    wide, deep = float(rng.uniform(1.8, 2.2)), 0.5
    low, top = 0.42, 1.74
    middle = float(rng.uniform(0.98, 1.06))
    lining = Finish(one_of(rng, ((0.10, 0.11, 0.13), (0.16, 0.08, 0.09), (0.08, 0.12, 0.11))))
    body = room.wood
    y = -deep / 2
    parts = [
        box(lining, (wide, 0.02, top - low), (0, -0.01, (low + top) / 2)),
        box(body, (wide, deep, low - 0.08), (0, y, 0.08 + (low - 0.08) / 2)),
        box(matt("black"), (wide - 0.06, deep - 0.06, 0.08), (0, y, 0.04)),
        box(body, (wide, deep, 0.12), (0, y, top + 0.06)),
        box(lining, (wide - 0.08, deep - 0.08, 0.02), (0, y, middle - 0.01)),
        box(lining, (wide - 0.08, deep - 0.04, 0.004), (0, y, low + 0.002)),
    ]
    for side in (-1.0, 1.0):
        spot = (side * (wide / 2 - 0.02), y, (low + top) / 2)
        parts.append(box(body, (0.04, deep, top - low), spot))
    parts.append(box(STEEL, (0.025, 0.02, top - low), (0, -deep + 0.01, (low + top) / 2)))
    room.put(
        Item("case", "glass case", tuple(parts), wide / 2, annotated=False),
        (x_m, -GLASS_GAP_M, 0.0),
    )
    pane = ReflectiveSurface(
        "glass_1",
        "glass",
        (x_m, -deep - GLASS_GAP_M - 0.006, (low + top) / 2),
        facing(0),
        wide - 0.03,
        top - low,
        silver=(0.13, 0.14, 0.135),
        see_through=0.8,
        parts=_rim(STEEL, wide - 0.03, top - low),
    )
    boards = ((low + 0.004, middle - low - 0.03), (middle, top - middle))
    return pane, boards, (wide - 0.16, y - GLASS_GAP_M)


def round_mirror(room: ShopRoom, side: float) -> ReflectiveSurface:
    """A bulging mirror on an arm, high in a corner of the front wall."""
    rng = room.rng
    wide = float(rng.uniform(0.52, 0.6))
    bulge = float(rng.uniform(0.62, 0.85))
    sag = bulge - math.sqrt(bulge**2 - (wide / 2) ** 2)
    rim = glossy("orange") if rng.random() < 0.4 else matt("black")
    parts = (
        solid(rim, ring(wide / 2 + 0.01, 0.014), (0, 0, -sag)),
        solid(
            matt("grey"), turned([(0, -0.05), (wide / 2, 0.0), (0, 0.001)]), (0, 0, -sag - 0.006)
        ),
        rod(STEEL, (0, 0, -sag - 0.05), (0, 0.05, -sag - 0.2), 0.014),
        cylinder(STEEL, 0.04, 0.02, (0, 0, -sag - 0.06)),
    )
    half = room.shell.width_m / 2
    centre = (side * (half - 0.34), -0.34, room.shell.height_m - 0.43)
    lean = float(rng.uniform(16, 22))
    turn = facing(-side * float(rng.uniform(32, 42)), lean_deg=lean)
    return ReflectiveSurface(
        "mirror_2", "convex_mirror", centre, turn, wide, wide, round=True, bulge_radius_m=bulge,
        parts=parts,
    )  # fmt: skip


def _panel(
    name: str, centre_m: Vector, yaw_deg: float, width_m: float, height_m: float, frame: Finish
) -> ReflectiveSurface:
    """A free-standing mirror with a frame, a back and two feet."""
    turn = facing(yaw_deg)
    mirror = framed_mirror(name, centre_m, turn, width_m, height_m, frame=None)
    bar, thick = _FRAME_M, 0.04
    across, along = width_m / 2 + bar / 2, height_m / 2 + bar / 2
    parts: list[Part] = [
        box(frame, (width_m + 2 * bar, bar, thick), (0, along, 0)),
        box(frame, (width_m + 2 * bar, bar, thick), (0, -along, 0)),
        box(frame, (width_m, height_m, 0.012), (0, 0, -0.011)),
    ]
    foot = centre_m[2] - height_m / 2 - bar
    for side in (-1.0, 1.0):
        parts.append(box(frame, (bar, height_m, thick), (side * across, 0, 0)))
        low = -height_m / 2 - bar - foot / 2
        parts.append(box(frame, (0.05, foot, 0.4), (side * (across - 0.25), low, 0)))
    return replace(mirror, parts=tuple(parts))


def _rim(finish: Finish, width_m: float, height_m: float) -> tuple[Part, ...]:
    """Thin strips around a pane."""
    bar = 0.03
    parts = []
    for side in (-1.0, 1.0):
        parts.append(box(finish, (bar, height_m, 0.012), (side * width_m / 2, 0, 0)))
        parts.append(box(finish, (width_m + bar, bar, 0.012), (0, side * height_m / 2, 0)))
    return tuple(parts)
