"""Which cells of a floor grid triangles stand in, seen from above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_MOST_SAMPLED = 5
"""Triangles that span more cells are drawn as polygons, smaller ones by a point a cell on them."""
_TINY = 0.5
_SHIFT = 8
"""Binary digits after the point of polygons that OpenCV draws."""


class FloorGrid(NamedTuple):
    """Square cells on the floor; row r, column c covers origin + cell · [c, c + 1] x [r, r + 1].

    Attributes:
        x_m: Smallest x.
        y_m: Smallest y.
        cell_m: Edge of a cell.
        rows: Cells along y.
        columns: Cells along x.
    """

    x_m: float
    y_m: float
    cell_m: float
    rows: int
    columns: int

    def cell_of(self, x_m: float, y_m: float) -> tuple[int, int]:
        """Row and column of a point; they may lie outside the grid."""
        row = math.floor((y_m - self.y_m) / self.cell_m)
        return row, math.floor((x_m - self.x_m) / self.cell_m)

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell is one of the grid's."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def centres_m(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
        """Middles of cells, x and y, shape (n, 2)."""
        x = self.x_m + (columns + 0.5) * self.cell_m
        y = self.y_m + (rows + 0.5) * self.cell_m
        return np.stack((x, y), axis=-1)


def grid_over(
    low_m: tuple[float, float], high_m: tuple[float, float], *, cell_m: float, most: int
) -> FloorGrid:
    """A grid over a rectangle of the floor.

    Args:
        low_m: Smallest x and y.
        high_m: Largest x and y.
        cell_m: Edge of a cell; cells grow where more than `most` would be needed.
        most: Largest number of cells along the longer side.
    """
    width, depth = high_m[0] - low_m[0], high_m[1] - low_m[1]
    cell = max(cell_m, max(width, depth) / most)
    columns, rows = (max(math.ceil(side / cell - 1e-6), 1) for side in (width, depth))
    return FloorGrid(low_m[0], low_m[1], cell, rows, columns)


def covered_cells(triangles_m: Floats, grid: FloorGrid, *, low_m: float, high_m: float) -> Mask:
    """The cells in which some triangle has a point between two heights.

    Args:
        triangles_m: Corners, z up, shape (n, 3, 3).
        grid: The cells.
        low_m: Height over the floor below which triangles do not count.
        high_m: Height from which they do not count any more.

    Returns:
        A mask of shape (rows, columns), exact to about half a cell.
    """
    mask = np.zeros((grid.rows, grid.columns), np.uint8)
    cells = _in_cells(triangles_m, grid, low_m, high_m)
    top = (high_m - low_m) / grid.cell_m
    span = _span(cells, top)
    _sample(mask, cells, span, top)
    for polygon in _slices(cells[..., span > _MOST_SAMPLED], top):
        cv2.fillConvexPoly(mask, polygon, 1, cv2.LINE_8, _SHIFT)
    return mask.astype(bool)


def _in_cells(triangles_m: Floats, grid: FloorGrid, low_m: float, high_m: float) -> Floats:
    """Triangles that may count, in cells from the grid's corner and `low_m`.

    Returns:
        Shape (axis, corner, n): arithmetic along the triangles is much faster than across them.
    """
    near = np.arange(len(triangles_m))
    right, back = grid.x_m + grid.columns * grid.cell_m, grid.y_m + grid.rows * grid.cell_m
    bounds = ((2, low_m, high_m), (0, grid.x_m, right), (1, grid.y_m, back))
    for axis, least, most in bounds:
        low, high = _bounds(*(triangles_m[:, corner, axis].take(near) for corner in range(3)))
        near = near[(high >= least) & (low <= most)]
    cells = np.ascontiguousarray(triangles_m[near].transpose(2, 1, 0))
    cells -= np.array((grid.x_m, grid.y_m, low_m))[:, None, None]
    cells *= 1 / grid.cell_m
    return np.asarray(cells)


def _bounds(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Smallest and largest of three corners' values, shape (n,)."""
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _span(cells: Floats, top: float) -> Floats:
    """Cells that each triangle spans along its longest side; upwards only if it must be cut."""
    sides = []
    for axis in range(3):
        low, high = _bounds(*cells[axis])
        sides.append(high - low)
    cut = (low < 0) | (high > top)
    return np.asarray(np.maximum(np.maximum(sides[0], sides[1]), np.where(cut, sides[2], 0)))


def _sample(mask: NDArray[np.uint8], cells: Floats, span: Floats, top: float) -> None:
    """Mark the cells of points spread evenly over small triangles; of a tiny one, one point."""
    steps = np.where(span <= _TINY, 0, np.maximum(np.ceil(span), 1))
    steps[span > _MOST_SAMPLED] = -1
    _mark(mask, np.take(cells[:, 0], np.flatnonzero(steps == 0), axis=1), top)
    before = 0
    for most in (1, 2, 3, _MOST_SAMPLED):
        chosen = np.take(cells, np.flatnonzero((steps > before) & (steps <= most)), axis=2)
        if chosen.size:
            shares = _lattice(most)
            points = [
                shares[0] * axis[0] + shares[1] * axis[1] + shares[2] * axis[2] for axis in chosen
            ]
            _mark(mask, points, top)
        before = most


def _mark(mask: NDArray[np.uint8], points: Sequence[Floats] | Floats, top: float) -> None:
    """Mark the cells of points between the heights, given as columns, rows and heights."""
    column, row, height = points
    kept = (height >= 0) & (height <= top) & (row >= 0) & (row < mask.shape[0])
    kept &= (column >= 0) & (column < mask.shape[1])
    mask[row[kept].astype(np.int64), column[kept].astype(np.int64)] = 1


def _lattice(steps: int) -> Floats:
    """Shares of a triangle's corners at n evenly spaced points of it, shape (3, n, 1)."""
    shares = [(i, j, steps - i - j) for i in range(steps + 1) for j in range(steps + 1 - i)]
    return np.array(shares, np.float64).T[..., None] / steps


def _slices(cells: Floats, top: float) -> list[NDArray[np.int32]]:
    """What is left of large triangles between the heights 0 and `top`, as polygons to be drawn.

    Going round a triangle, the corners between the heights and the points where a side passes a
    height are the corners of what is left, in order.
    """
    corners = cells.transpose(2, 1, 0)
    after = np.roll(corners, -1, axis=1)
    start, rise = corners[:, :, 2], after[:, :, 2] - corners[:, :, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = np.stack((-start / rise, (top - start) / rise), axis=-1)
    crossings = np.sort(np.where((crossings > 0) & (crossings < 1), crossings, np.inf), axis=-1)
    share = np.concatenate((np.zeros((*start.shape, 1)), crossings), axis=-1)
    kept = np.isfinite(share)
    kept[:, :, 0] = (start >= 0) & (start <= top)
    share = np.where(kept, share, 0.0)
    points = corners[:, :, None, :2] + share[..., None] * (after - corners)[:, :, None, :2]
    # Whole numbers are cells' corners here and pixels' centres for OpenCV.
    scaled = np.round((points - 0.5) * 2**_SHIFT).astype(np.int32).reshape(-1, 9, 2)
    flat = kept.reshape(-1, 9)
    return [scaled[k][flat[k]] for k in np.flatnonzero(flat.any(axis=1))]
