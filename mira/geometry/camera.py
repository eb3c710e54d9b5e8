"""Pixels to rays and points and back, through the lenses of RealSense cameras.

What a lens model means is what `rs2_project_point_to_pixel` and `rs2_deproject_pixel_to_point` of
librealsense do (https://github.com/realsenseai/librealsense, src/rs.cpp), here in float64:

none                    no lens, whatever coefficients are given
brown_conrady           projecting applies the five coefficients as Brown and OpenCV do: radial
                        k1, k2, k3 (first, second, fifth) and tangential p1, p2 (third, fourth)
inverse_brown_conrady   the same with the tangential part of what the radial part left
modified_brown_conrady  the same formula as inverse_brown_conrady

Deprojecting inverts projecting. That holds for `modified_brown_conrady` too, which the SDK does not
deproject (its release builds leave the lens out without a word).

Pixels are positions (x, y) with the origin at the *centre* of the top-left pixel, as intrinsics
have it; polygons and boxes have theirs at its corner, half a pixel to the left and above. Points
are in the camera's frame: +x right, +y down, +z forward.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mira.errors import GeometryError
from mira.schema.capture import CameraIntrinsics, RigidTransform

Array = NDArray[np.float64]

LENS_MODELS = ("none", "brown_conrady", "inverse_brown_conrady", "modified_brown_conrady")
"""Names of lens models as the SDK writes them, in lower case."""
_COEFFICIENTS = 5
_ITERATIONS = 50
"""Lenses of real cameras settle in less than ten."""
_SETTLED = 1e-10
"""Largest error of an undone lens, as a share of the focal length: far below a float32's step."""


def deproject_rays(camera: CameraIntrinsics, pixels_px: ArrayLike) -> Array:
    """The rays on which pixels see, as points at z = 1.

    Args:
        camera: The camera.
        pixels_px: Positions x, y, anywhere between pixels too; shape (..., 2).

    Returns:
        Points in the camera's frame, z exactly 1; shape (..., 3).

    Raises:
        GeometryError: The lens model is none of `LENS_MODELS`, or cannot be undone at a pixel.
    """
    coefficients = lens_coefficients(camera)
    pixels = np.asarray(pixels_px, dtype=np.float64)
    with np.errstate(over="ignore"):
        x = (pixels[..., 0] - camera.cx_px) / camera.fx_px
        y = (pixels[..., 1] - camera.cy_px) / camera.fy_px
    if coefficients.any():
        x, y = _undistort(x, y, coefficients, camera)
    return np.stack((x, y, np.ones_like(x)), axis=-1)


def deproject_pixels(
    camera: CameraIntrinsics, pixels_px: ArrayLike, *, depth_m: ArrayLike
) -> Array:
    """The points that pixels with a depth show.

    Args:
        camera: The camera.
        pixels_px: Positions x, y; shape (..., 2).
        depth_m: z of each pixel, or of all; shape (...).

    Returns:
        Points in the camera's frame, metres; shape (..., 3).

    Raises:
        GeometryError: As for `deproject_rays`.
    """
    return deproject_rays(camera, pixels_px) * np.asarray(depth_m, dtype=np.float64)[..., None]


def project_points(camera: CameraIntrinsics, points_cam_m: ArrayLike) -> Array:
    """The pixels at which a camera sees points, inside its picture or not.

    Args:
        camera: The camera.
        points_cam_m: Points in the camera's frame, metres; shape (..., 3).

    Returns:
        Positions x, y; NaN for points that are not in front of the camera; shape (..., 2).

    Raises:
        GeometryError: The lens model is none of `LENS_MODELS`.
    """
    coefficients = lens_coefficients(camera)
    points = np.asarray(points_cam_m, dtype=np.float64)
    z = np.where(points[..., 2] > 0, points[..., 2], np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        x, y = points[..., 0] / z, points[..., 1] / z
        if coefficients.any():
            x, y = _distort(x, y, coefficients, camera.distortion_model)
        x, y = x * camera.fx_px + camera.cx_px, y * camera.fy_px + camera.cy_px
    return np.stack((x, y), axis=-1)


def transform_points(transform: RigidTransform, points_m: ArrayLike) -> Array:
    """Points of a transform's source frame in its target frame.

    Args:
        transform: How the frames stand to each other.
        points_m: Points in the source frame, metres; shape (..., 3).

    Returns:
        The same points in the target frame; shape (..., 3).
    """
    points = np.asarray(points_m, dtype=np.float64)
    moved: Array = points @ np.array(transform.rotation).T + np.array(transform.translation_m)
    return moved


def lens_coefficients(camera: CameraIntrinsics) -> Array:
    """The five coefficients k1, k2, p1, p2, k3 of a camera's lens; zeros where it has none.

    Raises:
        GeometryError: The lens model is none of `LENS_MODELS`, or has more coefficients.
    """
    model, given = camera.distortion_model, camera.distortion_coeffs
    if model not in LENS_MODELS:
        expected = ", ".join(LENS_MODELS)
        raise GeometryError("distortion_model", f"expected one of {expected}, found {model!r}")
    if model == "none":
        return np.zeros(_COEFFICIENTS)
    if len(given) > _COEFFICIENTS:
        problem = f"expected at most {_COEFFICIENTS} numbers for {model}, found {len(given)}"
        raise GeometryError("distortion_coeffs", problem)
    return np.array((*given, *(0.0,) * (_COEFFICIENTS - len(given))))


def _distort(x: Array, y: Array, coefficients: Array, model: str) -> tuple[Array, Array]:
    """Where points of the plane z = 1 appear on it through a lens."""
    _, _, p1, p2, _ = coefficients
    r2 = x * x + y * y
    radial, _ = _radial(r2, coefficients)
    bent_x, bent_y = x * radial, y * radial
    if model != "brown_conrady":
        x, y = bent_x, bent_y
    xy = 2 * x * y
    return (
        bent_x + p1 * xy + p2 * (r2 + 2 * x * x),
        bent_y + p2 * xy + p1 * (r2 + 2 * y * y),
    )


def _undistort(
    x: Array, y: Array, coefficients: Array, camera: CameraIntrinsics
) -> tuple[Array, Array]:
    """The points of the plane z = 1 that appear at others through a camera's lens.

    Newton's method, by the slope of the radial part alone: the tangential one is a thousandth of
    it. The iteration of the SDK finds the same, but not where a lens bends strongly.
    """
    seen_x, seen_y = x, y
    nowhere = ~np.isfinite(x + y)
    with np.errstate(all="ignore"):
        for _ in range(_ITERATIONS):
            found_x, found_y = _distort(x, y, coefficients, camera.distortion_model)
            off_x, off_y = seen_x - found_x, seen_y - found_y
            settled = nowhere | (np.maximum(np.abs(off_x), np.abs(off_y)) <= _SETTLED)
            if settled.all():
                return x, y
            r2 = x * x + y * y
            radial, slope = _radial(r2, coefficients)
            outwards = 2 * slope * (x * off_x + y * off_y) / (radial + 2 * slope * r2)
            x, y = x + (off_x - x * outwards) / radial, y + (off_y - y * outwards) / radial
    unsettled = settled.size - np.count_nonzero(settled)
    raise GeometryError(
        "distortion_coeffs",
        f"expected a lens that can be undone, found {unsettled} of {settled.size} pixels that none "
        "of its rays reaches",
    )


def _radial(r2: Array, coefficients: Array) -> tuple[Array, Array]:
    """By how much a lens stretches a point outwards, and the slope of that over r2."""
    k1, k2, _, _, k3 = coefficients
    return 1 + r2 * (k1 + r2 * (k2 + r2 * k3)), k1 + r2 * (2 * k2 + r2 * 3 * k3)
