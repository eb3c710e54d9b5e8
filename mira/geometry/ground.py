"""The floor in front of a camera, and a frame that stands on it.

Ground frame: origin on the floor under the camera, x to the camera's right, y ahead, z up, metres.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from mira.geometry.mirror_policy import PlaneFitPolicy
from mira.geometry.plane import Plane, signed_distances_m
from mira.geometry.plane_fitting import depth_sigma_m, fit_plane
from mira.schema.record import Record

Array = NDArray[np.float64]


class GroundPolicy(Record):
    """What a floor is."""

    fit: PlaneFitPolicy = PlaneFitPolicy()
    """Planes through readings."""
    most_tilt_deg: float = Field(default=40.0, gt=0, lt=90)
    """A floor's normal is nearer than this to the picture's upward direction."""
    heights_m: tuple[float, float] = (0.3, 2.6)
    """The camera is so far above a floor, at least and at most."""
    least_share: float = Field(default=0.02, ge=0, le=1)
    """Share of the readings lower than the camera that lie on a floor, at least."""
    below_share: float = Field(default=0.003, ge=0, le=1)
    """Share of the readings below a floor, at most: tables, and planes that cut through furniture
    and walls, have more."""
    below_m: float = Field(default=0.15, gt=0)
    """Readings are below a plane when they are so far below it, beside what noise is."""
    most_error_deg: float = Field(default=3.0, gt=0)
    """Standard error of a floor's normal, at most."""
    points: int = Field(default=2000, ge=12)
    """Readings lower than the camera that planes are fitted to, evenly chosen."""
    planes: int = Field(default=8, ge=1)
    """Planes that are looked for, one after the other."""


class Ground(NamedTuple):
    """A floor and the frame that stands on it.

    Attributes:
        plane: The floor, camera frame.
        axes: Unit vectors x, y and z of the ground frame in the camera frame, as rows.
        tilt_error_deg: Standard error of its normal; None where it is not known.
    """

    plane: Plane
    axes: Array
    tilt_error_deg: float | None

    @property
    def camera_height_m(self) -> float:
        """How high the camera is above the floor."""
        return self.plane.offset_m

    def from_camera(self, points_cam_m: ArrayLike) -> Array:
        """Points in the ground frame.

        Args:
            points_cam_m: Points in the camera frame, shape (..., 3).
        """
        points = np.asarray(points_cam_m, np.float64) @ self.axes.T
        points[..., 2] += self.plane.offset_m
        return points


def find_ground(points_cam_m: Array, *, policy: GroundPolicy, rng: Generator) -> Ground | None:
    """The floor among readings; None where none looks like one.

    The plane with most readings is taken away until one is level, with the camera above it and
    next to nothing below.

    Args:
        points_cam_m: Readings of things that are seen directly, shape (n, 3).
        policy: What a floor is.
        rng: Draws the trials of fits.
    """
    # By and large it lies below the camera, where it is one of few planes.
    rest = points_cam_m[points_cam_m[:, 1] > policy.heights_m[0]]
    rest = rest[:: max(len(rest) // policy.points, 1)]
    least = policy.least_share * len(rest)
    for _ in range(policy.planes):
        fit = fit_plane(rest, policy=policy.fit, rng=rng)
        if fit is None or fit.inliers.sum() < least:
            return None
        error = fit.normal_error_deg
        sure = error is not None and error <= policy.most_error_deg
        if sure and _is_floor(fit.plane, points_cam_m, policy):
            return Ground(fit.plane, _axes(fit.plane), fit.normal_error_deg)
        rest = rest[~fit.inliers]
    return None


def level_ground(camera_height_m: float) -> Ground:
    """The floor of a camera that is held level at a height."""
    plane = Plane((0.0, -1.0, 0.0), camera_height_m)
    return Ground(plane, _axes(plane), None)


def _is_floor(plane: Plane, points: Array, policy: GroundPolicy) -> bool:
    level = -plane.normal[1] >= math.cos(math.radians(policy.most_tilt_deg))
    least, most = policy.heights_m
    if not (level and least <= plane.offset_m <= most):
        return False
    slack = policy.below_m + 2 * depth_sigma_m(points[:, 2], policy.fit.noise)
    below = signed_distances_m(points, plane) < -slack
    return bool(below.mean() <= policy.below_share)


def _axes(plane: Plane) -> Array:
    up = np.array(plane.normal)
    ahead = np.array((0.0, 0.0, 1.0))
    ahead -= (ahead @ up) * up
    ahead /= np.linalg.norm(ahead)
    # x right, y ahead, z up is right-handed; so is the camera's x right, y down, z ahead.
    return np.stack((np.cross(ahead, up), ahead, up))
