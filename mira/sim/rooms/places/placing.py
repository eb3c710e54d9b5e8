"""Which space things take, so that nothing stands inside another thing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.places.shell import WALL_YAW_DEG, Shell, Wall
from mira.sim.rooms.plan import Walkable
from mira.sim.rooms.things.parts import Item, Part, Placed
from mira.sim.rooms.things.rotation import Vector, matrix, rotate

FloatArray = NDArray[np.float64]
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_TOUCH_M = 0.002


class Blocks(NamedTuple):
    """Upright blocks around the parts of one thing, in the room frame.

    Attributes:
        centre_m: Their middles, shape (n, 2).
        half_m: Half their edges along their own axes, shape (n, 2).
        axis: Direction of their first edge, shape (2,).
        low_m: Heights of their undersides, shape (n,).
        high_m: Heights of their tops, shape (n,).
        around: Smallest and largest x, y and z of them all.
    """

    centre_m: FloatArray
    half_m: FloatArray
    axis: FloatArray
    low_m: FloatArray
    high_m: FloatArray
    around: tuple[float, float, float, float, float, float]

    def distance_to(self, x_m: float, y_m: float) -> FloatArray:
        """Level distance from each block to a point, 0 inside, shape (n,)."""
        away = np.array((x_m, y_m)) - self.centre_m
        side = np.array((-self.axis[1], self.axis[0]))
        own = np.abs(np.stack((away @ self.axis, away @ side), axis=-1))
        distance: FloatArray = np.linalg.norm(np.maximum(own - self.half_m, 0.0), axis=-1)
        return distance


def part_box(part: Part) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest corner of a part in its item's frame, each of shape (3,)."""
    local = part.mesh.vertices_m if part.mesh is not None else _CORNERS * _half_extents(part)
    points = local @ matrix(part.turn).T + np.array(part.at_m)
    if part.shape in ("sphere", "capsule"):
        return _round_box(part)
    return points.min(axis=0), points.max(axis=0)


@lru_cache(maxsize=512)
def item_boxes(item: Item) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest corners of all parts in the item's frame, each of shape (n, 3)."""
    boxes = [part_box(part) for part in item.parts]
    return np.stack([low for low, _ in boxes]), np.stack([high for _, high in boxes])


def item_extent(item: Item) -> tuple[Vector, Vector]:
    """Lowest and highest corner of an item in its own frame."""
    low, high = item_boxes(item)
    x, y, z = low.min(axis=0).tolist()
    right, back, top = high.max(axis=0).tolist()
    return (x, y, z), (right, back, top)


def blocks(placed: Placed) -> Blocks:
    """The space that a placed item takes, part by part."""
    low, high = item_boxes(placed.item)
    angle = math.radians(placed.yaw_deg)
    axis = np.array((math.cos(angle), math.sin(angle)))
    middle, half = (low + high)[:, :2] / 2, (high - low)[:, :2] / 2
    turned = middle @ np.array((axis, (-axis[1], axis[0])))
    at = np.array(placed.at_m)
    centre = turned + at[:2]
    reach = half @ np.abs(np.array((axis, (-axis[1], axis[0]))))
    (left, front), (right, back) = (centre - reach).min(axis=0), (centre + reach).max(axis=0)
    under, top = low[:, 2] + at[2], high[:, 2] + at[2]
    around = (left, right, front, back, under.min(), top.max())
    return Blocks(centre, half, axis, under, top, around)


def overlap(one: Placed, other: Placed, *, tolerance_m: float = _TOUCH_M) -> bool:
    """Whether two things take the same space; touching is allowed."""
    return _meet(blocks(one), blocks(other), tolerance_m)


def _meet(a: Blocks, b: Blocks, tolerance_m: float) -> bool:
    left, right, front, back, low, high = a.around
    if b.around[1] < left or right < b.around[0] or b.around[3] < front or back < b.around[2]:
        return False
    if b.around[5] < low or high < b.around[4]:
        return False
    level = (a.low_m[:, None] < b.high_m - tolerance_m) & (
        b.low_m < a.high_m[:, None] - tolerance_m
    )
    if not level.any():
        return False
    apart = np.zeros_like(level)
    between = b.centre_m[None] - a.centre_m[:, None]
    for axis in (a.axis, (-a.axis[1], a.axis[0]), b.axis, (-b.axis[1], b.axis[0])):
        reach = _reach(a, np.array(axis))[:, None] + _reach(b, np.array(axis))
        apart |= np.abs(between @ np.array(axis)) > reach - tolerance_m
    return bool((level & ~apart).any())


class Arrangement:
    """Collects placed items: none inside another, no two described alike.

    Attributes:
        placed: What has been put so far.
    """

    def __init__(self, walkable: Walkable) -> None:
        self.placed: list[Placed] = []
        self._walkable = walkable
        self._described: set[str] = set()
        self._spaces: dict[int, Blocks] = {}
        self._reserved: list[Placed] = []

    def reserve(self, space: Placed) -> None:
        """Keeps a space free without putting anything there."""
        self._reserved.append(space)

    def known(self, item: Item) -> bool:
        """Whether a person would call another one the same."""
        return item.annotated and item.description in self._described

    def put(self, item: Item, at_m: Vector, yaw_deg: float = 0.0) -> bool:
        """Adds an item where it is known to fit; not when another one is described alike."""
        if self.known(item):
            return False
        self._described.add(item.description)
        self.placed.append(Placed(item, at_m, yaw_deg))
        return True

    def try_put(self, item: Item, at_m: Vector, yaw_deg: float = 0.0) -> bool:
        """Adds an item if its space is free and within the floor."""
        candidate = Placed(item, at_m, yaw_deg)
        if self.known(item) or not self._inside(candidate):
            return False
        space, others = blocks(candidate), (*self.placed, *self._reserved)
        if any(_meet(space, self._space(other), _TOUCH_M) for other in others):
            return False
        return self.put(item, at_m, yaw_deg)

    def room_to_stand(self, x_m: float, y_m: float, *, reach_m: float = 0.36) -> bool:
        """Whether nothing that a person would bump into is near a point of the floor."""
        low, high = self._walkable.low_m, self._walkable.high_m
        if not (low[0] + reach_m < x_m < high[0] - reach_m):
            return False
        if not (low[1] + reach_m < y_m < high[1] - reach_m):
            return False
        for placed in self.placed:
            space = self._space(placed)
            bumps = (space.high_m > 0.03) & (space.low_m < 1.9)
            if (space.distance_to(x_m, y_m)[bumps] < reach_m).any():
                return False
        return True

    def _space(self, placed: Placed) -> Blocks:
        """The space of something already placed; worked out once."""
        if id(placed) not in self._spaces:
            self._spaces[id(placed)] = blocks(placed)
        return self._spaces[id(placed)]

    def _inside(self, candidate: Placed) -> bool:
        space = blocks(candidate)
        along_x = _reach(space, np.array((1.0, 0.0)))
        along_y = _reach(space, np.array((0.0, 1.0)))
        low, high = self._walkable.low_m, self._walkable.high_m
        x, y = space.centre_m[:, 0], space.centre_m[:, 1]
        return bool(
            (x - along_x > low[0] - _TOUCH_M).all()
            and (x + along_x < high[0] + _TOUCH_M).all()
            and (y - along_y > low[1] - _TOUCH_M).all()
            and (y + along_y < high[1] + _TOUCH_M).all()
        )


def against(
    shell: Shell, wall: Wall, item: Item, *, along_m: float, z_m: float = 0.0, gap_m: float = 0.006
) -> tuple[Vector, float]:
    """Where an item stands or hangs with its back to a wall: its origin and its turn.

    Args:
        shell: The room.
        wall: The wall.
        item: The thing.
        along_m: Distance from the wall's middle, to the right of someone who faces it.
        z_m: Height of its origin.
        gap_m: Room left between its back and the wall.
    """
    _, (_, back, _) = item_extent(item)
    return shell.point(wall, back + gap_m, z_m, along_m), WALL_YAW_DEG[wall]


def side_by_side(
    rng: Generator,
    items: Sequence[Item],
    start_m: float,
    end_m: float,
    *,
    gap_m: float = 0.02,
    yaw_deg: float = 12.0,
) -> list[tuple[Item, float, float]]:
    """A row of things over a board: as many as fit, the spare room shared out between them.

    Args:
        rng: Draws the spare room's shares and each thing's turn.
        items: What to place, in this order; those that no longer fit are left out.
        start_m: Where the board begins, along it.
        end_m: Where it ends.
        gap_m: Smallest room between two things.
        yaw_deg: Largest turn either way.

    Returns:
        Each item with the place of its origin along the board and its turn.
    """
    row: list[tuple[Item, float, float, float]] = []
    needed = 0.0
    for item in items:
        turn = float(rng.uniform(-yaw_deg, yaw_deg))
        left, right = _span(item, turn)
        if needed + right - left + gap_m > end_m - start_m:
            continue
        needed += right - left + gap_m
        row.append((item, left, right, turn))
    shares = rng.dirichlet(np.full(len(row) + 1, 2.5)) if row else np.zeros(1)
    spare = end_m - start_m - needed
    x = start_m
    spots = []
    for (item, left, right, turn), share in zip(row, shares.tolist(), strict=False):
        x += share * spare + gap_m
        spots.append((item, x - left, turn))
        x += right - left
    return spots


def _span(item: Item, yaw_deg: float) -> tuple[float, float]:
    """Reach of a turned item to the left and to the right of its origin."""
    space = blocks(Placed(item, (0.0, 0.0, 0.0), yaw_deg))
    reach = _reach(space, np.array((1.0, 0.0)))
    x = space.centre_m[:, 0]
    return float((x - reach).min()), float((x + reach).max())


def _reach(space: Blocks, axis: FloatArray) -> FloatArray:
    """Half the extent of each block along an axis, shape (n,)."""
    side = np.array((-space.axis[1], space.axis[0]))
    reach: FloatArray = space.half_m @ np.abs(np.array((space.axis @ axis, side @ axis)))
    return reach


def _half_extents(part: Part) -> FloatArray:
    if part.shape == "cylinder":
        radius, half_length = part.size_m
        return np.array((radius, radius, half_length))
    if part.shape in ("sphere", "capsule"):
        return np.full(3, part.size_m[0])
    return np.array(part.size_m)


def _round_box(part: Part) -> tuple[FloatArray, FloatArray]:
    middle, radius = np.array(part.at_m), part.size_m[0]
    half = np.zeros(3)
    if part.shape == "capsule":
        half = np.abs(np.array(rotate(part.turn, (0.0, 0.0, part.size_m[1]))))
    return middle - half - radius, middle + half + radius
