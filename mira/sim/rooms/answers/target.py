"""A thing as hands find it: its cells on the floor, and walls between it and a body."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.geometry.footprint import FloorGrid, covered_cells
from mira.geometry.segments import blocked_segments
from mira.geometry.walking import room_around
from mira.schema.spatial import WalkerPolicy

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cells = NDArray[np.intp]
"""Rows or columns of cells."""
_OCTANTS = 8


class Target:
    """A thing on the floor grid.

    Attributes:
        distance_m: Distance from each cell to the thing as far as a hand can reach up.
    """

    def __init__(
        self,
        corners_m: Floats,
        *,
        low_m: float,
        high_m: float,
        grid: FloorGrid,
        walls_m: Floats,
        policy: WalkerPolicy,
    ) -> None:
        """Find a thing's cells.

        Args:
            corners_m: Corners of its triangles, room frame, shape (n, 3, 3).
            low_m: Its lowest point.
            high_m: Its highest point.
            grid: The floor.
            walls_m: Triangles that no hand gets through, shape (n, 3, 3).
            policy: The walker.
        """
        self._grid, self._walls_m, self._policy = grid, walls_m, policy
        cells = covered_cells(corners_m, grid, low_m=0.0, high_m=policy.reach_height_m)
        self.distance_m = room_around(cells, cell_m=grid.cell_m)
        self._rows, self._columns = np.nonzero(cells)
        top = max(min(high_m, policy.reach_height_m), low_m)
        self._height = min(max(policy.shoulder_height_m, low_m), top)

    def without_walled(self, spots: Mask) -> Mask:
        """The spots less those in directions in which a wall is between hand and thing.

        Asked is the nearest spot in each eighth of the circle around the thing.
        """
        rows, columns = np.nonzero(spots)
        if not len(rows):
            return spots
        away = np.arctan2(rows - self._rows.mean(), columns - self._columns.mean())
        octant = np.floor((away / (2 * np.pi) + 0.5) * _OCTANTS).astype(int) % _OCTANTS
        distance = self.distance_m[rows, columns]
        groups = [here for k in range(_OCTANTS) if len(here := np.flatnonzero(octant == k))]
        nearest = [here[int(np.argmin(distance[here]))] for here in groups]
        walled = self.walled_from(rows[nearest], columns[nearest])
        kept = spots.copy()
        for here, behind_wall in zip(groups, walled.tolist(), strict=True):
            if behind_wall:
                kept[rows[here], columns[here]] = False
        return kept

    def walled_from(self, rows: Cells, columns: Cells) -> NDArray[np.bool_]:
        """Whether a wall is between bodies in cells and the points of the thing nearest to them."""
        if not len(self._rows):
            return np.ones(len(rows), bool)
        policy, grid = self._policy, self._grid
        distance = (self._rows - rows[:, None]) ** 2 + (self._columns - columns[:, None]) ** 2
        nearest = distance.argmin(axis=1)
        body = grid.centres_m(rows, columns)
        thing = grid.centres_m(self._rows[nearest], self._columns[nearest])
        shoulder = np.insert(body, 2, policy.shoulder_height_m, axis=1)
        way = np.insert(thing, 2, self._height, axis=1) - shoulder
        length = np.linalg.norm(way, axis=1, keepdims=True)
        way *= np.maximum(1 - policy.hand_m / np.maximum(length, policy.hand_m), 0)
        return blocked_segments(shoulder, shoulder + way, self._walls_m)
