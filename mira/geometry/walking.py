"""Where an upright body can stand and go on a floor grid."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cell = tuple[int, int]
"""Row and column."""
_ALL_AROUND = np.ones((3, 3), np.uint8)
_STRAIGHT = np.array(((0, 1, 0), (1, 1, 1), (0, 1, 0)), np.uint8)


class Spread(NamedTuple):
    """How far cells are from where a walk starts.

    Attributes:
        steps: Number of steps to each cell, -1 where no walk leads, shape (rows, columns). Every
            second step may be slanted, so that n steps lead about n cells in any direction.
    """

    steps: NDArray[np.int32]

    def around(self, cell: Cell) -> int | None:
        """Fewest steps to a cell or one that touches it; None where no walk leads."""
        row, column = cell
        near = self.steps[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        found = near[near >= 0]
        return int(found.min()) if found.size else None


def room_around(blocked: Mask, *, cell_m: float) -> NDArray[np.float32]:
    """Distance in metres from each cell's middle to that of the nearest blocked cell.

    Args:
        blocked: Cells that something stands in, shape (rows, columns).
        cell_m: Edge of a cell.
    """
    if not blocked.any():
        return np.full(blocked.shape, np.inf, np.float32)
    open_cells = np.where(blocked, 0, 255).astype(np.uint8)
    cells = cv2.distanceTransform(open_cells, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(cells * np.float32(cell_m), np.float32)


def nearest_cell(wanted: Mask, cell: Cell, *, within_cells: float) -> Cell | None:
    """The wanted cell that is nearest to a cell; None where none is near enough."""
    rows, columns = np.nonzero(wanted)
    if not len(rows):
        return None
    distance = np.hypot(rows - cell[0], columns - cell[1])
    best = int(np.argmin(distance))
    return (int(rows[best]), int(columns[best])) if distance[best] <= within_cells else None


def connected_to(cell: Cell | None, free: Mask) -> Mask:
    """The free cells that walks from a free cell lead to; none for no cell."""
    if cell is None or not free[cell]:
        return np.zeros_like(free)
    _, group = cv2.connectedComponents(free.astype(np.uint8), connectivity=8)
    return np.asarray(group == group[cell])


def spread_from(starts: Mask, free: Mask, *, until: Cell | None = None) -> Spread:
    """Steps to all cells that walks over free cells lead to.

    Args:
        starts: Where walks start; those that are not free are left out.
        free: Where the body can stand, same shape.
        until: The walks may end a little after they reach this cell.
    """
    steps = np.full(free.shape, -1, np.int32)
    front = (starts & free).astype(np.uint8)
    left = free.astype(np.uint8)
    number, limit = 0, free.size
    while front.any() and number <= limit:
        steps[front.view(bool)] = number
        left &= 1 - front
        if until is not None and limit == free.size and steps[until] >= 0:
            limit = number + number // 4 + 8
        number += 1
        grown = cv2.dilate(front, _STRAIGHT if number % 2 else _ALL_AROUND)
        front = np.asarray(grown, np.uint8) & left
    return Spread(steps)


def free_distance(
    obstacles_m: Floats, *, origin_m: Floats, direction: Floats, radius_m: float
) -> float:
    """How far a disc can move before it touches a point.

    Args:
        obstacles_m: Points, shape (n, 2).
        origin_m: Where the disc's middle is, shape (2,).
        direction: Unit vector of its movement, shape (2,).
        radius_m: Its radius.

    Returns:
        Metres; 0 where it touches a point ahead already, infinite where nothing is in its way.
    """
    x, y = (obstacles_m[:, axis] - origin_m[axis] for axis in (0, 1))
    ahead = x * direction[0] + y * direction[1]
    aside = y * direction[0] - x * direction[1]
    met = (np.abs(aside) < radius_m) & (ahead > 0)
    if not met.any():
        return float("inf")
    gap = ahead[met] - np.sqrt(radius_m**2 - aside[met] ** 2)
    return max(float(gap.min()), 0.0)
