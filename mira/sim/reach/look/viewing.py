"""Where the camera and the mirror are, and at which pixel the camera sees a point."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mira.geometry.camera import project_points
from mira.schema.capture import CameraIntrinsics
from mira.sim.reach.rules import MIRROR_X_M
from mira.sim.rooms.viewpoint import Viewpoint, look_at

EYE_M = (-1.1, 0.0, 2.0)
"""The camera, behind and above the body."""
TARGET_M = (0.0, 0.0, 1.7)
"""What it looks at."""
FIELD_OF_VIEW_DEG = 55.0
"""Height and width of what it sees.

The frame of the mirror needs 41 degrees. Wherever shortest ways lead the hand and the body does not
hide it, its palm and fingers are in the picture from 54.5 degrees on (`female_0` needs most). More
would only make the mark smaller.
"""
MIRROR_CENTRE_M = (MIRROR_X_M, 0.0, 1.15)
"""Middle of the mirror.

Published scenes do not say how high it hangs. It ends above the height of the camera, so that all
of the tallest body, and the hand above it, show in it.
"""


def viewpoint() -> Viewpoint:
    """The camera's pose in the world."""
    return look_at(EYE_M, TARGET_M)


def lens(size_px: int) -> CameraIntrinsics:
    """The camera's lens for a square picture; the pixel origin is the centre of the first pixel."""
    focal = size_px / 2 / math.tan(math.radians(FIELD_OF_VIEW_DEG) / 2)
    middle = (size_px - 1) / 2
    return CameraIntrinsics(
        width_px=size_px, height_px=size_px, fx_px=focal, fy_px=focal, cx_px=middle, cy_px=middle
    )


def project(points_m: ArrayLike, *, size_px: int) -> NDArray[np.float64]:
    """The pixels at which the camera sees points straight, nothing being in between.

    Args:
        points_m: Points in the world, metres, shape (..., 3).
        size_px: Width and height of the picture.

    Returns:
        Positions x, y; NaN for what lies behind the camera; shape (..., 2).
    """
    points = np.asarray(points_m, dtype=np.float64)
    return project_points(lens(size_px), viewpoint().to_camera(points))


def mirror_image(points_m: ArrayLike) -> NDArray[np.float64]:
    """Where points seem to be in the mirror, shape (..., 3); metres, in the world."""
    points = np.asarray(points_m, dtype=np.float64)
    return np.stack((2 * MIRROR_X_M - points[..., 0], points[..., 1], points[..., 2]), axis=-1)
