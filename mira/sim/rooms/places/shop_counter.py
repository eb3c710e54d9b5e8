"""A gift, toy or food shop: a counter before a mirrored wall, or tables at a mirrored column."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.places import shop_wares as wares
from mira.sim.rooms.places.shop_mirrors import mirrored_column, mirrored_wall
from mira.sim.rooms.places.shop_room import ShopRoom
from mira.sim.rooms.places.shop_shell import ahead_of, beside, one_of
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things import shop_fixtures as fixtures
from mira.sim.rooms.things.colours import STEEL
from mira.sim.rooms.things.parts import Finish
from mira.sim.rooms.things.rotation import Vector

_HIGH_M = 0.92
_TABLE_M = (0.8, 0.6, 0.68)


def counter_shop(rng: Generator) -> RoomPlan:
    """A shop whose goods stand on a counter or on tables, and along its side walls."""
    room = ShopRoom(rng, height_m=2.7)
    word = ("GIFTS", "TOYS", "FOOD")[int(rng.integers(3))]
    side = 1.0 if rng.random() < 0.5 else -1.0
    column = rng.random() < 0.35
    room.shelves("left", -0.35, 2.0, wares.STOCK[word], wares.WARES[word])
    room.shelves("right", 0.35, 2.0, wares.STOCK[word], wares.WARES[word])
    room.front_on("back", side * 0.6, 2.7)
    surfaces = _column(room, word, side) if column else _mirror_wall(room, word)
    room.furnish((0.0, -1.0, 0.0), 270.0, wares.SPARE_FLOOR)
    room.spotlights((-2.5, -4.0) if column else (-1.7, -3.6))
    return room.plan(surfaces, lamp_y_m=-2.5 if column else -0.95)


def _mirror_wall(room: ShopRoom, word: str) -> tuple[ReflectiveSurface, ...]:
    """Mirror, boards with goods, counter with goods, cameras before it."""
    rng, makers = room.rng, wares.WARES[word]
    mirror, heights = mirrored_wall(room)
    x, y = mirror.centre_m[0], -float(rng.uniform(1.2, 1.35))
    for z in heights:
        board = fixtures.wall_board(mirror.width_m * 0.96, room.wood)
        room.put(board, (x, -0.03, z))
    width = float(rng.uniform(2.0, 2.4))
    front = Finish(one_of(rng, ((0.85, 0.82, 0.75), (0.36, 0.46, 0.44), (0.55, 0.30, 0.26))))
    room.put(fixtures.counter(width, 0.55, _HIGH_M, room.wood, front), (x, y, 0))
    room.look([_before_counter(rng, x, y) for _ in range(30)], lambda: _on_mirror(rng, x))
    side = 1.0 if rng.random() < 0.5 else -1.0
    till = (x + side * (width / 2 - 0.3), y, _HIGH_M)
    room.put(fixtures.till(rng), till, 180 + float(rng.uniform(-8, 8)))
    rest, size = (x - side * 0.28, y, _HIGH_M), (width - 0.65, 0.45)
    shown = (*makers, fixtures.price_stand)
    room.lay_out(shown, rest, 0.0, size, free_m=0.6, turn_deg=25, most=5)
    for z in heights:
        room.lay_out(makers, (x, -0.2, z), 0.0, (mirror.width_m * 0.9, 0.25), free_m=0.48, most=5)
    return (mirror,)


def _column(room: ShopRoom, word: str, side: float) -> tuple[ReflectiveSurface, ...]:
    """A mirrored column edge-on, a table beside each of its two mirrors, shelves behind."""
    rng, makers = room.rng, wares.WARES[word]
    at = (side * float(rng.uniform(0.0, 0.25)), -1.5, 0.0)
    surfaces = mirrored_column(room, at, 45.0 + float(rng.uniform(-6, 6)))
    room.shelves("front", 0.0, 2.6, wares.STOCK[word], (*makers, *makers))
    tables: list[tuple[Vector, float]] = []
    for way in (-1.0, 1.0):
        x = at[0] + way * float(rng.uniform(1.15, 1.3))
        y, yaw_deg = at[1] - float(rng.uniform(0.1, 0.35)), way * -float(rng.uniform(8, 26))
        room.put(fixtures.display_table(*_TABLE_M, room.wood, STEEL), (x, y, 0.0), yaw_deg)
        tables.append(((x, y, _TABLE_M[2]), yaw_deg))
    eyes = []
    for _ in range(40):
        bearing = 270.0 + float(rng.uniform(-13, 13))
        x, y, _ = ahead_of(at, bearing, float(rng.uniform(2.2, 2.6)))
        eyes.append((x, y, float(rng.uniform(1.4, 1.6))))
    room.look(eyes, lambda: (at[0] + float(rng.uniform(-0.2, 0.2)), at[1], 1.0))
    for top, yaw_deg in tables:
        for row in (0.145, -0.145):
            spot = beside(top, yaw_deg, 0.0, row)
            room.lay_out(makers, spot, yaw_deg, (0.78, 0.3), free_m=0.6, turn_deg=25, most=3)
    return surfaces


def _before_counter(rng: Generator, x_m: float, y_m: float) -> Vector:
    across, away = float(rng.uniform(-1.25, 1.25)), float(rng.uniform(1.5, 2.0))
    return (x_m + across, y_m - away, float(rng.uniform(1.45, 1.65)))


def _on_mirror(rng: Generator, x_m: float) -> Vector:
    return (x_m + float(rng.uniform(-0.2, 0.2)), -0.5, float(rng.uniform(1.14, 1.26)))
