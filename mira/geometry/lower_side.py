"""Depth readings along a surface's lower side, column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_pixels, deproject_rays
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.foot_policy import FootPolicy
from mira.geometry.ring_readings import Depth
from mira.schema.capture import CameraIntrinsics

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class LowerSide(NamedTuple):
    """What is measured under a surface, in the columns that have a reading next to it.

    Attributes:
        columns: Their columns in the picture, shape (n,).
        points_cam_m: In each, the middle one of the readings next to the outline, shape (n, 3).
        edge_rays: Rays with z = 1 to the outline above them, shape (n, 3).
        below_cam_m: In each, readings from there down, shape (n, m, 3); NaN for none.
        near: Which of them are next to the outline, shape (n, m).
        of_columns: All columns of the surface, those without a reading among them.
        pixel: A pixel's height at z = 1.
    """

    columns: Ints
    points_cam_m: Array
    edge_rays: Array
    below_cam_m: Array
    near: NDArray[np.bool_]
    of_columns: int
    pixel: float

    def is_level(self, axes: Array) -> bool:
        """Whether what is next to the outline comes forward more than it drops: no backsplash.

        Args:
            axes: Of a level frame in the camera's, x, y ahead and z up, as rows.
        """
        below = self.below_cam_m @ axes.T
        first, last = (
            np.take_along_axis(below, at[:, None, None], axis=1)[:, 0]
            for at in (
                np.argmax(self.near, axis=1),
                self.near.shape[1] - 1 - np.argmax(self.near[:, ::-1], axis=1),
            )
        )
        nearer = np.linalg.norm(first[:, :2], axis=1) - np.linalg.norm(last[:, :2], axis=1)
        return bool(np.median(nearer) > np.median(first[:, 2] - last[:, 2]))

    def feet_m(self, axes: Array, *, lower_px: float = 0.0) -> Array:
        """Where the surface meets what is below it, in a level frame, shape (n, 3).

        Readings on something upright are in the surface's plane. Those on something level are
        before it by much more than they are below the outline in the picture, so they are
        carried on at their height until they are on the ray to the outline. Feet are NaN where
        that ray does not go down to something level.

        Args:
            axes: Of the level frame, as `is_level` takes them.
            lower_px: Where they would be for an outline so many pixels lower.
        """
        points = self.points_cam_m @ axes.T
        if not self.is_level(axes):
            return points
        rays = (self.edge_rays + np.array((0.0, lower_px * self.pixel, 0.0))) @ axes.T
        with np.errstate(divide="ignore", invalid="ignore"):
            feet = rays * (points[:, 2] / rays[:, 2])[:, None]
        meets = (points[:, 2] < 0) & (rays[:, 2] < 0)
        return np.where(meets[:, None], feet, np.nan)


def find_lower_side(
    depth_m: Depth,
    surface: CroppedMask,
    camera: CameraIntrinsics,
    *,
    outlined: NDArray[np.uint8],
    policy: FootPolicy,
) -> LowerSide | None:
    """Readings under the lowest pixel of each column of a surface that are of nothing outlined.

    Args:
        depth_m: z of every pixel of the picture, shape (height, width); 0 or NaN for none.
        surface: The surface's mask.
        camera: The picture's camera.
        outlined: Pixels that are outlined, others 0, shape (height, width).
        policy: Thresholds.

    Returns:
        None where fewer than two columns have a reading.
    """
    held = np.flatnonzero(surface.mask.any(axis=0))
    lowest = surface.mask.shape[0] - 1 - np.argmax(surface.mask[::-1, held], axis=0)
    columns = held + surface.left
    down = np.arange(policy.most_below_px)
    rows = (lowest + surface.top + policy.gap_px + 1)[:, None] + down
    z = _readings(depth_m, outlined, rows, columns)
    near = _near(z, down, camera, policy)
    some = near.any(axis=1)
    if some.sum() < _LEAST_COLUMNS:
        return None
    z, near, rows, columns = z[some], near[some], rows[some], columns[some]
    middle = np.nanmedian(np.where(near, z, np.nan), axis=1)
    # All of a column's nearest rows stand for the middle one of them.
    row = rows[:, 0] + (near * down).sum(axis=1) / near.sum(axis=1)
    next_to = deproject_pixels(camera, np.stack((columns, row), axis=1), depth_m=middle)
    deep = down * middle[:, None] <= policy.below_m * camera.fy_px
    pixels = np.stack(np.broadcast_arrays(columns[:, None], rows), axis=-1)
    below = deproject_pixels(
        camera, pixels.reshape(-1, 2), depth_m=np.where(deep | near, z, np.nan).reshape(-1)
    )
    edge = (lowest + surface.top)[some] + 0.5
    return LowerSide(
        columns=columns,
        points_cam_m=next_to,
        edge_rays=deproject_rays(camera, np.stack((columns, edge), axis=1)),
        below_cam_m=below.reshape(*z.shape, 3),
        near=near,
        of_columns=len(held),
        pixel=1 / camera.fy_px,
    )


def _readings(
    depth_m: Depth, outlined: NDArray[np.uint8], rows: Ints, columns: Ints
) -> NDArray[np.float64]:
    """Depth at rows of columns, shape (n, m); NaN for no reading, and on what is outlined."""
    height = depth_m.shape[0]
    within = np.minimum(rows, height - 1)
    z = depth_m[within, columns[:, None]].astype(np.float64)
    usable = (rows < height) & (outlined[within, columns[:, None]] == 0) & np.isfinite(z) & (z > 0)
    return np.where(usable, z, np.nan)


def _near(z: Array, down: Ints, camera: CameraIntrinsics, policy: FootPolicy) -> NDArray[np.bool_]:
    """Which readings are next to the outline: a few pixels, or a length in metres, from it."""
    next_to = (down < policy.least_near_px) | (down * z <= policy.near_m * camera.fy_px)
    return np.asarray(next_to & np.isfinite(z))


_LEAST_COLUMNS = 2
"""A line needs so many."""
