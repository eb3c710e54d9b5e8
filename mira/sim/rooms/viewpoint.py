"""Where a camera stands, and where its mirror image stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.reflective import ReflectiveSurface, reflect_across, reflect_direction
from mira.sim.rooms.things.rotation import Vector


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """A camera pose, proper or mirrored.

    Attributes:
        eye_m: Optical centre in the room frame, shape (3,).
        axes: Rows are the camera's +x (right), +y (down) and +z (forward) in the room frame,
            shape (3, 3); the determinant is -1 after an odd number of reflections.
    """

    eye_m: NDArray[np.float64]
    axes: NDArray[np.float64]

    @property
    def mirrored(self) -> bool:
        """Whether left and right are exchanged."""
        return bool(np.linalg.det(self.axes) < 0)

    def reflected(self, mirror: ReflectiveSurface) -> Viewpoint:
        """The virtual camera that sees directly what this one sees in a flat mirror."""
        return Viewpoint(reflect_across(mirror, self.eye_m), reflect_direction(mirror, self.axes))

    def to_camera(self, points_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Room-frame points, shape (..., 3), in the camera frame."""
        return (points_m - self.eye_m) @ self.axes.T

    def to_room(self, points_cam_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Camera-frame points, shape (..., 3), in the room frame."""
        return points_cam_m @ self.axes + self.eye_m


def look_at(eye_m: Vector, target_m: Vector) -> Viewpoint:
    """A level camera at one point that looks at another; the view is not vertical."""
    forward = np.array(target_m) - np.array(eye_m)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return Viewpoint(np.array(eye_m), np.stack((right, np.cross(forward, right), forward)))
