"""Shops: a clothes shop, a gift, toy or food shop, and one with a glass case."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.places import shop_wares as wares
from mira.sim.rooms.places.shop_case import case_shop
from mira.sim.rooms.places.shop_counter import counter_shop
from mira.sim.rooms.places.shop_mirrors import fitting_mirrors
from mira.sim.rooms.places.shop_room import ShopRoom
from mira.sim.rooms.places.shop_shell import ahead_of
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.things import apparel
from mira.sim.rooms.things import shop_fixtures as fixtures
from mira.sim.rooms.things.colours import STEEL
from mira.sim.rooms.things.rotation import Vector

_TABLE_M = (0.92, 0.5)


def plan_shop(rng: Generator) -> RoomPlan:
    """A shop of one of three kinds."""
    kind = rng.random()
    if kind < 0.36:
        return clothes_shop(rng)
    if kind < 0.68:
        return counter_shop(rng)
    return case_shop(rng)


def clothes_shop(rng: Generator) -> RoomPlan:
    """Full-height fitting mirrors, a table of goods before them, dummies and a rail."""
    room = ShopRoom(rng, height_m=2.8)
    side = 1.0 if rng.random() < 0.5 else -1.0
    surfaces, corner, bearing = fitting_mirrors(room, side)
    table = ahead_of(corner, bearing, float(rng.uniform(0.95, 1.05)))
    high = float(rng.uniform(0.55, 0.68))
    room.put(fixtures.display_table(*_TABLE_M, high, room.wood, STEEL), table, bearing + 90)
    room.shelves("left" if side > 0 else "right", side * 0.5, 1.9, wares.CLOTHES_STOCK, wares.WEAR)
    room.front_on("back", -side * 0.9, 2.6)
    desk = (-side * (room.shell.width_m / 2 - 0.95), -room.shell.depth_m + 0.9)
    room.till_counter(desk, 180.0)
    room.look(
        [_eye(rng, corner, bearing) for _ in range(30)],
        lambda: _jittered(rng, ahead_of(corner, bearing, 0.25), 0.86),
    )
    top, low = (*table[:2], high), (*table[:2], fixtures.LOWER_BOARD_M)
    room.lay_out(wares.WEAR, top, bearing + 90, _TABLE_M, free_m=0.6, most=5)
    room.lay_out(wares.SHOES, low, bearing + 90, (0.76, 0.4), free_m=high - 0.22, most=2)
    room.boards("front", -side * (room.shell.width_m / 2 - 0.75), 1.1, (1.15, 1.62), wares.WEAR)
    room.furnish(corner, bearing, wares.TALL)
    _rail(room, side)
    poster = fixtures.wall_poster(rng, ("NEW", "SALE", "STYLE")[int(rng.integers(3))])
    room.hang(poster, "right" if side > 0 else "left", 0.6, 1.5)
    room.spotlights((-1.5, -3.6))
    return room.plan(surfaces, lamp_y_m=-1.2)


def _rail(room: ShopRoom, side: float) -> None:
    """A rail of garments at the side of the mirrors, behind the cameras."""
    half, depth = room.shell.width_m / 2, room.shell.depth_m
    spots = [(side * (half - 0.4), -y, -90.0 * side) for y in (3.0, 2.6, 3.4, depth - 0.9)]
    spots.append((0.0, -depth + 0.8, 180.0))
    room.stand_somewhere(apparel.clothes_rail(room.rng), spots)


def _eye(rng: Generator, corner: Vector, bearing_deg: float) -> Vector:
    bearing = bearing_deg + float(rng.uniform(-26, 26))
    x, y, _ = ahead_of(corner, bearing, float(rng.uniform(2.75, 3.2)))
    return (x, y, float(rng.uniform(1.45, 1.65)))


def _jittered(rng: Generator, point: Vector, z_m: float) -> Vector:
    x, y, z = (float(rng.uniform(-reach, reach)) for reach in (0.1, 0.1, 0.04))
    return (point[0] + x, point[1] + y, z_m + z)
