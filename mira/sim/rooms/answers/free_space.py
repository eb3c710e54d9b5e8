"""The floor of a scene on which the camera's walker can stand, for the scene's truth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.schema.spatial import FreeSpace, SpatialPolicy
from mira.sim.rooms.answers.floor import Floor, floor_of
from mira.sim.rooms.scene import SimulatedScene

_DECIMALS = 6


def free_space_of(
    scene: SimulatedScene, policy: SpatialPolicy, *, floor: Floor | None = None
) -> FreeSpace:
    """Where the middle of a body can be that starts under any of a scene's cameras.

    Args:
        scene: The scene.
        policy: All thresholds.
        floor: The scene's floor for the policy's walker; worked out when missing.
    """
    floor = floor or floor_of(scene.plan, scene.renderer.mesh, policy.walker)
    reached = np.zeros_like(floor.walkable)
    for view in scene.views:
        reached |= floor.reached(view.viewpoint)
    rows, columns = (slice(*_span(np.asarray(floor.walkable.any(axis=axis)))) for axis in (1, 0))
    inside = reached[rows, columns]
    return FreeSpace(
        origin_m=(
            round(floor.grid.x_m + columns.start * floor.grid.cell_m, _DECIMALS),
            round(floor.grid.y_m + rows.start * floor.grid.cell_m, _DECIMALS),
        ),
        cell_m=round(floor.grid.cell_m, _DECIMALS),
        rows=inside.shape[0],
        columns=inside.shape[1],
        runs=_runs(inside),
    )


def _span(chosen: NDArray[np.bool_]) -> tuple[int, int]:
    """The first and just after the last of the chosen places."""
    places = np.flatnonzero(chosen)
    return int(places[0]), int(places[-1]) + 1


def _runs(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """Lengths of runs of equal cells, row by row, those that are not free first."""
    flat = np.concatenate(([False], mask.ravel()))
    bounds = np.flatnonzero(np.diff(flat.astype(np.int8)))
    edges = np.concatenate(([0], bounds, [mask.size]))
    return tuple(int(length) for length in np.diff(edges))
