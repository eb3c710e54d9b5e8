"""The floor of a room as a walker finds it: where there is room to stand, and what hands reach."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mira.geometry.footprint import FloorGrid, covered_cells, grid_over
from mira.geometry.walking import Cell, connected_to, nearest_cell, room_around
from mira.schema.spatial import WalkerPolicy
from mira.sim.rooms.answers.target import Target
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.tracing.scene_mesh import SceneMesh
from mira.sim.rooms.viewpoint import Viewpoint

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Floor:
    """A room's floor; masks have the grid's shape.

    Attributes:
        grid: Cells over the walkable floor and as far beyond as a hand reaches.
        walkable: Cells of the walkable floor.
        room_m: Distance from each cell to the nearest thing that stands in a body's way.
        standing_m: Triangles that reach higher than a step, shape (n, 3, 3).
        walls_m: Triangles that no hand gets through: structure and reflective surfaces with their
            frames, shape (n, 3, 3).
        policy: The walker.
    """

    grid: FloorGrid
    walkable: Mask
    room_m: NDArray[np.float32]
    standing_m: Floats
    walls_m: Floats
    policy: WalkerPolicy
    _targets: dict[int, Target] = field(default_factory=dict)

    def target(self, item: int, corners_m: Floats, *, low_m: float, high_m: float) -> Target:
        """An item as hands find it, worked out once for all pictures.

        Args:
            item: Its index in the plan.
            corners_m: Corners of its triangles, room frame, shape (n, 3, 3).
            low_m: Its lowest point.
            high_m: Its highest point.
        """
        if item not in self._targets:
            self._targets[item] = Target(
                corners_m,
                low_m=low_m,
                high_m=high_m,
                grid=self.grid,
                walls_m=self.walls_m,
                policy=self.policy,
            )
        return self._targets[item]

    def free(self, *, radius_factor: float = 1.0) -> Mask:
        """Cells in which a body can stand, for a body that is so much thicker."""
        return self.walkable & (self.room_m >= self.policy.radius_m * radius_factor)

    def start(self, viewpoint: Viewpoint, free: Mask) -> Cell | None:
        """The free cell under a camera or the nearest to it; None where there is none near."""
        return nearest_cell(
            free,
            self.under(viewpoint),
            within_cells=self.policy.start_slack_m / self.grid.cell_m,
        )

    def under(self, viewpoint: Viewpoint) -> Cell:
        """The cell under a camera; it may lie outside the grid."""
        x, y, _ = viewpoint.eye_m.tolist()
        return self.grid.cell_of(x, y)

    def reached(self, viewpoint: Viewpoint, *, radius_factor: float = 1.0) -> Mask:
        """Cells to which a body gets that starts under a camera, were it so much thicker."""
        free = self.free(radius_factor=radius_factor)
        return connected_to(self.start(viewpoint, free), free)


def floor_of(plan: RoomPlan, mesh: SceneMesh, policy: WalkerPolicy) -> Floor:
    """The floor of a room; everything with a triangle in a body's height is in the way."""
    grid = _grid(plan, policy)
    standing = _between(mesh.corners, policy.step_height_m, np.inf)
    blocked = covered_cells(standing, grid, low_m=policy.step_height_m, high_m=policy.body_height_m)
    return Floor(
        grid=grid,
        walkable=_inside(grid, plan),
        room_m=room_around(blocked, cell_m=grid.cell_m),
        standing_m=standing,
        walls_m=_between(mesh.corners[mesh.item < 0], 0.0, policy.reach_height_m),
        policy=policy,
    )


def _grid(plan: RoomPlan, policy: WalkerPolicy) -> FloorGrid:
    (x, y), (right, back) = plan.walkable.low_m, plan.walkable.high_m
    beyond = policy.arm_reach_m
    return grid_over(
        (x - beyond, y - beyond),
        (right + beyond, back + beyond),
        cell_m=policy.cell_m,
        most=policy.max_cells_a_side,
    )


def _inside(grid: FloorGrid, plan: RoomPlan) -> Mask:
    """Cells whose middle is over the walkable floor."""
    x = grid.x_m + (np.arange(grid.columns) + 0.5) * grid.cell_m
    y = grid.y_m + (np.arange(grid.rows) + 0.5) * grid.cell_m
    low, high = plan.walkable.low_m, plan.walkable.high_m
    across, along = (x >= low[0]) & (x <= high[0]), (y >= low[1]) & (y <= high[1])
    return np.asarray(along[:, None] & across)


def _between(corners: Floats, low_m: float, high_m: float) -> Floats:
    """Triangles that reach over one height and under another.

    They are stored axis by axis: they are searched that way, again and again.
    """
    a, b, c = corners[:, :, 2].T
    within = np.maximum(np.maximum(a, b), c) > low_m
    within &= np.minimum(np.minimum(a, b), c) < high_m
    return np.ascontiguousarray(corners[within].transpose(2, 1, 0)).transpose(2, 1, 0)
