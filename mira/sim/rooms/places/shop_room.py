"""What all shops have in common: shell, light, shelves full of wares, places to stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.places.lighting import DAYLIGHT, WARM, ceiling_lamp, scaled
from mira.sim.rooms.places.placing import Arrangement, item_extent, side_by_side
from mira.sim.rooms.places.shell import WALL_YAW_DEG, Wall
from mira.sim.rooms.places.shop_shell import ahead_of, beside, shop_shell, wood
from mira.sim.rooms.plan import Lamp, Lighting, RoomPlan, Walkable
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things import shop_fixtures as fixtures
from mira.sim.rooms.things.colours import matt
from mira.sim.rooms.things.parts import Finish, Item, box
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.things.shop_stock import Stock, street_front
from mira.sim.rooms.viewpoint import Viewpoint, look_at

Maker = Callable[[Generator], Item]
WALL_GAP_M = 0.004
LEVELS_M = (0.12, 0.55, 0.98, 1.41)
_LEVEL_STEP_M = 0.43
_RESERVED = "reserved"
_VIEWPOINTS = 8
_ELBOW_M = 0.45
_CLEAR_VIEW_M = np.linspace(0.0, 1.3, 6)
"""Distances before a camera at which nothing large stands in its way."""
_SPARE_ITEMS = 3


class ShopRoom:
    """A shop under construction.

    Attributes:
        rng: Draws everything.
        shell: Floor, walls and ceiling.
        arrangement: What stands where.
        viewpoints: Cameras found so far; nothing is put in their way afterwards.
    """

    def __init__(self, rng: Generator, *, height_m: float) -> None:
        self.rng = rng
        self.lighting: Lighting = "night" if rng.random() < 0.3 else "day"
        self.shell = shop_shell(rng, height_m)
        half, depth = self.shell.width_m / 2, self.shell.depth_m
        self.walkable = Walkable((-half, -depth), (half, 0.0))
        self.arrangement = Arrangement(self.walkable)
        self.viewpoints: list[Viewpoint] = []
        self.wood = wood(rng)

    def draw(self, makers: Sequence[Maker]) -> Iterator[Item]:
        """One thing of each maker in random order, none described like one that is there."""
        for index in self.rng.permutation(len(makers)):
            for _ in range(4):
                item = makers[index](self.rng)
                if not self.arrangement.known(item):
                    yield item
                    break

    def put(self, item: Item, at_m: Vector, yaw_deg: float = 0.0) -> None:
        """Add an item where it is known to fit."""
        self.arrangement.put(item, at_m, yaw_deg)

    def reserve(self, size_m: Vector, at_m: Vector, yaw_deg: float = 0.0) -> None:
        """Keep a block of space free, such as that of a mirror."""
        block = box(matt("white"), size_m, (0, 0, size_m[2] / 2))
        item = Item(_RESERVED, _RESERVED, (block,), max(size_m[:2]) / 2, annotated=False)
        self.arrangement.put(item, at_m, yaw_deg)

    def stand(self, item: Item, x_m: float, y_m: float, yaw_deg: float) -> bool:
        """Stand a thing on the floor, unless it is in the way of something or of a camera."""
        for viewpoint in self.viewpoints:
            forward = viewpoint.axes[2, :2] / np.linalg.norm(viewpoint.axes[2, :2])
            away = viewpoint.eye_m[:2] - (x_m, y_m)
            apart = np.linalg.norm(away + _CLEAR_VIEW_M[:, None] * forward, axis=1)
            if (apart < item.radius_m + _ELBOW_M + 0.25 * _CLEAR_VIEW_M).any():
                return False
        return self.arrangement.try_put(item, (x_m, y_m, 0.0), yaw_deg)

    def stand_somewhere(self, item: Item, spots: Sequence[tuple[float, float, float]]) -> bool:
        """Stand a thing on the first of several (x, y, yaw) that is free."""
        return any(self.stand(item, *spot) for spot in spots)

    def lay_out(
        self,
        makers: Sequence[Maker],
        at_m: Vector,
        yaw_deg: float,
        size_m: tuple[float, float],
        *,
        free_m: float = 2.0,
        turn_deg: float = 14.0,
        most: int = 12,
    ) -> None:
        """Stand goods side by side on a board.

        Args:
            makers: What to choose from.
            at_m: Middle of the board's top.
            yaw_deg: Turn of the board; its front looks towards its own -y.
            size_m: Width and depth of the board.
            free_m: Height over it.
            turn_deg: Largest turn of a thing either way.
            most: Largest number of things.
        """
        width, depth = size_m
        fitting: list[Item] = []
        for item in self.draw(makers):
            low, high = item_extent(item)
            if high[2] < free_m - 0.02 and high[1] - low[1] < depth - 0.01:
                fitting.append(item)
            if len(fitting) == most + _SPARE_ITEMS:
                break
        row = _row(self.rng, fitting, width, turn_deg)
        if len(row) > most:
            row = _row(self.rng, [item for item, _, _ in row[:most]], width, turn_deg)
        for item, x, turn in row:
            low, high = item_extent(item)
            slack = max((depth - (high[1] - low[1])) / 2 - 0.03, 0.0)
            y = -(low[1] + high[1]) / 2 + float(self.rng.uniform(-slack, slack))
            spot = beside(at_m, yaw_deg, x, y)
            self.arrangement.try_put(item, spot, yaw_deg + turn)

    def shelves(
        self,
        wall: Wall,
        along_m: float,
        width_m: float,
        stock: Sequence[Stock],
        goods: Sequence[Maker],
        *,
        levels_m: tuple[float, ...] = LEVELS_M,
    ) -> None:
        """Wall shelving: stock on most boards, goods of the focus on the rest of them."""
        back = Finish(tuple(0.6 * value for value in self.wood.rgb), specular=0.1)  # type: ignore[arg-type]
        unit = fixtures.shelf_unit(width_m, levels_m, self.wood, back)
        yaw_deg = WALL_YAW_DEG[wall]
        base = self.shell.point(wall, WALL_GAP_M, 0.0, along_m)
        self.put(unit, base, yaw_deg)
        inner = width_m - 0.08
        eye_level = int(self.rng.integers(1, len(levels_m) - 1))
        for number, level in enumerate(levels_m):
            middle = beside((base[0], base[1], level), yaw_deg, 0.0, -0.19)
            goods_width = inner * 0.95 if number == eye_level else inner * 0.42
            side = 1.0 if self.rng.random() < 0.5 else -1.0
            if number != eye_level:
                row = stock[int(self.rng.integers(len(stock)))]
                share = inner - goods_width - 0.04
                spot = beside(middle, yaw_deg, -side * (inner - share) / 2, 0.0)
                self.put(row(self.rng, share, _LEVEL_STEP_M - 0.03), spot, yaw_deg)
                middle = beside(middle, yaw_deg, side * (inner - goods_width) / 2, 0.0)
            self.lay_out(
                goods,
                middle,
                yaw_deg,
                (goods_width, 0.33),
                free_m=_LEVEL_STEP_M - 0.03,
                turn_deg=10,
                most=4 if number == eye_level else 1,
            )

    def boards(
        self,
        wall: Wall,
        along_m: float,
        width_m: float,
        heights_m: Sequence[float],
        goods: Sequence[Maker],
        *,
        most: int = 3,
    ) -> None:
        """Boards on a wall, one over the other, with goods of the focus on them."""
        yaw_deg = WALL_YAW_DEG[wall]
        for height in heights_m:
            base = self.shell.point(wall, WALL_GAP_M, height, along_m)
            if self.arrangement.try_put(fixtures.wall_board(width_m, self.wood), base, yaw_deg):
                middle = beside(base, yaw_deg, 0.0, -0.155)
                self.lay_out(goods, middle, yaw_deg, (width_m - 0.04, 0.29), free_m=0.44, most=most)

    def front_on(self, wall: Wall, along_m: float, width_m: float) -> None:
        """The windows and the door to the street on a wall."""
        item = street_front(width_m, night=self.lighting == "night")
        self.put(item, self.shell.point(wall, WALL_GAP_M, 0.0, along_m), WALL_YAW_DEG[wall])

    def till_counter(self, at_m: tuple[float, float], yaw_deg: float) -> None:
        """A short counter with a till, if its place is free; customers stand at its -y side."""
        front = Finish((0.82, 0.80, 0.76), specular=0.1)
        desk = fixtures.counter(1.3, 0.5, 0.92, self.wood, front)
        if self.arrangement.try_put(desk, (*at_m, 0.0), yaw_deg):
            top = beside((*at_m, 0.92), yaw_deg, -0.3, 0.0)
            self.put(fixtures.till(self.rng), top, yaw_deg + 180)

    def furnish(self, corner_m: Vector, bearing_deg: float, makers: Sequence[Maker]) -> None:
        """Large things on the floor: some beside the mirror, some behind the cameras.

        Args:
            corner_m: Where the mirror is.
            bearing_deg: Direction from there into the room.
            makers: What to choose from.
        """
        rng, half, depth = self.rng, self.shell.width_m / 2, self.shell.depth_m
        ahead, behind = [], []
        for _ in range(50):
            slant = float(rng.uniform(25, 80)) * (1 if rng.random() < 0.5 else -1)
            x, y, _ = ahead_of(corner_m, bearing_deg + slant, float(rng.uniform(0.8, 1.8)))
            ahead.append((x, y, float(rng.uniform(-30, 30))))
            x, y = float(rng.uniform(-half, half)), -float(rng.uniform(0.62, 0.95)) * depth
            behind.append((x, y, 180 + float(rng.uniform(-40, 40))))
        for number, item in zip(range(6), self.draw(makers), strict=False):
            self.stand_somewhere(item, ahead if number % 2 == 0 else behind)

    def spotlights(self, rows_m: Sequence[float]) -> None:
        """Tracks with spotlights under the ceiling, at some y each."""
        for y in rows_m:
            self.put(fixtures.spot_rail(2.4, 5), (0.0, y, self.shell.height_m - 0.002))

    def hang(self, item: Item, wall: Wall, along_m: float, z_m: float) -> None:
        """Hang a thing on a wall if its place is free."""
        spot = self.shell.point(wall, WALL_GAP_M, z_m, along_m)
        self.arrangement.try_put(item, spot, WALL_YAW_DEG[wall])

    def look(self, eyes: Sequence[Vector], target_m: Callable[[], Vector]) -> None:
        """Keep the cameras that a person could hold."""
        for eye in eyes:
            if len(self.viewpoints) < _VIEWPOINTS and self.arrangement.room_to_stand(*eye[:2]):
                self.viewpoints.append(look_at(eye, target_m()))

    def plan(self, surfaces: tuple[ReflectiveSurface, ...], *, lamp_y_m: float) -> RoomPlan:
        """The finished room; one of its lamps lights the backs of what stands before a mirror.

        Args:
            surfaces: Its reflective surfaces.
            lamp_y_m: Where that lamp hangs.
        """
        items = (p for p in self.arrangement.placed if p.item.category != _RESERVED)
        return RoomPlan(
            place="shop",
            environment="indoor",
            lighting=self.lighting,
            structure=tuple(self.shell.parts()),
            walkable=self.walkable,
            surfaces=surfaces,
            items=tuple(items),
            lamps=self._lamps(lamp_y_m),
            ambient=(0.06, 0.057, 0.05),
            viewpoints=tuple(self.viewpoints),
        )

    def _lamps(self, near_y_m: float) -> tuple[Lamp, ...]:
        """Two warm fields of spotlights, and daylight from the street."""
        depth, day = self.shell.depth_m, self.lighting == "day"
        warm = scaled(WARM, 9.0)
        lamps = (
            ceiling_lamp(self.shell, 0.0, near_y_m, size_m=0.9, rgb=warm),
            ceiling_lamp(self.shell, 0.2, -depth * 0.68, size_m=0.9, rgb=warm),
        )
        if not day:
            return lamps
        x = float(self.shell.width_m * 0.1)
        street = Lamp(
            (x, -depth + 0.25, 1.45), (0.0, 0.0, 0.75), (0.9, 0.0, 0.0), scaled(DAYLIGHT, 3.0)
        )
        return (*lamps, street)


def _row(
    rng: Generator, items: Sequence[Item], width_m: float, turn_deg: float
) -> list[tuple[Item, float, float]]:
    """As many of the items as fit side by side, with places along the board and turns."""
    return side_by_side(rng, items, -width_m / 2, width_m / 2, gap_m=0.035, yaw_deg=turn_deg)
