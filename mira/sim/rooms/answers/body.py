"""How far the camera and the body that carries it can move in each direction."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mira.geometry.footprint import FloorGrid, covered_cells
from mira.geometry.walking import free_distance
from mira.schema.spatial import SpatialPolicy
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.answers.floor import Floor
from mira.sim.rooms.viewpoint import Viewpoint

Floats = NDArray[np.float64]
Step = Literal["left", "right", "forward", "backward"]
STEPS: tuple[Step, ...] = ("left", "right", "forward", "backward")


class Body:
    """The camera and its walker where a picture was taken."""

    def __init__(self, facts: ViewFacts, floor: Floor) -> None:
        self._facts, self._policy, self._floor = facts, facts.policy, floor

    def direction(self, step: Step) -> Floats:
        """Unit vector of a movement over the floor, room frame, shape (2,)."""
        forward = heading(self._facts.view.viewpoint)
        right = np.array((forward[1], -forward[0]))
        towards = {"left": -right, "right": right, "forward": forward, "backward": -forward}
        return towards[step]

    @cached_property
    def free_m(self) -> dict[Step, float]:
        """Way over the floor before the body or the camera touches something; infinite if free.

        Nothing farther than the longest movement is looked at.
        """
        return {
            step: free_distance(
                self._obstacles,
                origin_m=self._facts.view.viewpoint.eye_m[:2],
                direction=self.direction(step),
                radius_m=self._policy.walker.radius_m,
            )
            for step in STEPS
        }

    def free_vertical_m(self, *, upwards: bool) -> float:
        """Way up or down before the camera alone touches something; infinite if free.

        Rays start at points of the camera's disc, closer together than anything that matters.
        """
        radius = self._policy.collision.camera_radius_m
        ticks = np.arange(-radius, radius, self._policy.collision.cell_m)
        x, y = (axis.ravel() for axis in np.meshgrid(ticks, ticks))
        inside = np.hypot(x, y) < radius
        x, y = x[inside], y[inside]
        eye = self._facts.view.viewpoint.eye_m
        origins = np.stack((eye[0] + x, eye[1] + y, np.full_like(x, eye[2])), axis=-1)
        directions = np.broadcast_to((0.0, 0.0, 1.0 if upwards else -1.0), origins.shape)
        rays = self._facts.scene.renderer.rays
        hits = rays.first(origins.astype(np.float32), directions.astype(np.float32))
        met = hits.triangle >= 0
        if not met.any():
            return float("inf")
        gap = hits.distance - np.sqrt(radius**2 - x**2 - y**2)
        return max(float(gap[met].min()), 0.0)

    @cached_property
    def _obstacles(self) -> Floats:
        """Points of everything in a body's height around the camera, room frame, shape (n, 2)."""
        walker, collision = self._policy.walker, self._policy.collision
        x, y, z = self._facts.view.viewpoint.eye_m.tolist()
        half = _longest_m(self._policy) + walker.radius_m + collision.cell_m
        cells = int(np.ceil(2 * half / collision.cell_m))
        grid = FloorGrid(x - half, y - half, collision.cell_m, cells, cells)
        blocked = covered_cells(
            self._floor.standing_m,
            grid,
            low_m=walker.step_height_m,
            high_m=max(walker.body_height_m, z + collision.camera_radius_m),
        )
        return grid.centres_m(*np.nonzero(blocked))


def heading(viewpoint: Viewpoint) -> Floats:
    """Where a camera looks, seen from above: unit vector in the room frame, shape (2,)."""
    forward = viewpoint.axes[2, :2]
    length = float(np.linalg.norm(forward))
    if length < 1e-6:  # It looks straight down or up: the picture's upper or lower edge decides.
        forward = -viewpoint.axes[1, :2] * -np.sign(viewpoint.axes[2, 2])
        length = float(np.linalg.norm(forward))
    return np.asarray(forward / length)


def _longest_m(policy: SpatialPolicy) -> float:
    return max(policy.collision.move_m + policy.collision.close_call_m, policy.action.step_m)
