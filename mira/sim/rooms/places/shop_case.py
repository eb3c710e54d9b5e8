"""A shop with a glass case and a round mirror high in its corner."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.places import shop_wares as wares
from mira.sim.rooms.places.shell import Wall
from mira.sim.rooms.places.shop_mirrors import glass_case, round_mirror
from mira.sim.rooms.places.shop_room import ShopRoom
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.things import shop_fixtures as fixtures
from mira.sim.rooms.things.colours import STEEL
from mira.sim.rooms.things.rotation import Vector

_TABLE_M = (0.95, 0.42)


def case_shop(rng: Generator) -> RoomPlan:
    """Goods behind glass, goods on a table before it, and a mirror against thieves."""
    room = ShopRoom(rng, height_m=2.5)
    side = 1.0 if rng.random() < 0.5 else -1.0
    walls: tuple[Wall, Wall] = ("right", "left") if side > 0 else ("left", "right")
    near, far = walls
    x = side * (room.shell.width_m / 2 - 1.8)
    pane, insides, (width, y) = glass_case(room, x)
    convex = round_mirror(room, side)
    room.shelves(far, side * 0.6, 1.8, wares.STOCK["GIFTS"], wares.KEEPSAKES)
    room.boards(near, -side * 0.9, 1.3, (1.0, 1.45), wares.KEEPSAKES)
    room.front_on("back", -side * 0.8, 2.6)
    high = float(rng.uniform(0.62, 0.74))
    table = (x - side * float(rng.uniform(0.1, 0.4)), -1.42, 0.0)
    turn = float(rng.uniform(-8, 8))
    room.put(fixtures.display_table(*_TABLE_M, high, room.wood, STEEL), table, turn)
    eyes = [_eye(rng, x, side) for _ in range(40)]
    room.look(eyes, lambda: (x + side * float(rng.uniform(0.15, 0.45)), -0.5, 1.2))
    for z, free in insides:
        room.lay_out(wares.KEEPSAKES, (x, y, z), 0.0, (width, 0.36), free_m=free, most=4)
    shown = (*wares.KEEPSAKES, fixtures.price_stand)
    top = (*table[:2], high)
    room.lay_out(shown, top, turn, _TABLE_M, free_m=0.6, turn_deg=25, most=4)
    room.furnish((x, -0.5, 0.0), 270.0, (*wares.SPARE_FLOOR, *wares.TALL[:4]))
    room.spotlights((-1.9, -3.6))
    return room.plan((pane, convex), lamp_y_m=-1.15)


def _eye(rng: Generator, x_m: float, side: float) -> Vector:
    across = -side * float(rng.uniform(-0.2, 1.5))
    return (x_m + across, -float(rng.uniform(3.1, 3.6)), float(rng.uniform(1.5, 1.68)))
