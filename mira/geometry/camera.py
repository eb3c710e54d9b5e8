"""Pixels to rays and points and back, through the lenses of RealSense cameras.

What a lens model means is what `rs2_project_point_to_pixel` and `rs2_deproject_pixel_to_point` of
librealsense do (https://github.com/realsenseai/librealsense, src/rs.cpp), here in float64:

none                    no lens, whatever coefficients are given
brown_conrady           projecting applies the five coefficients as Brown and OpenCV do: radial
                        k1, k2, k3 (first, second, fifth) and tangential p1, p2 (third, fourth)
inverse_brown_conrady   the same with the tangential part of what the radial part left
modified_brown_conrady  the same formula as inverse_brown_conrady

Deprojecting inverts projecting, by iteration. That holds for `modified_brown_conrady` too, where
the SDK does not deproject (its release builds leave the lens out without a word).

Pixels are positions (x, y) with the origin at the *centre* of the top-left pixel, as intrinsics
have it; polygons and boxes have theirs at its corner, half a pixel to the left and above. Points
are in the camera's frame: +x right, +y down, +z forward.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mira.errors import GeometryError
from mira.schema.capture import CameraIntrinsics, RigidTransform

Array = NDArray[np.float64]

LENS_MODELS = ("none", "brown_conrady", "inverse_brown_conrady", "modified_brown_conrady")
"""Names of lens models as the SDK writes them, in lower case."""
_COEFFICIENTS = 5
_ITERATIONS = 100
"""The SDK's ten are enough for its float32; lenses of its cameras settle in about twenty."""
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
    seen = (pixels - (camera.cx_px, camera.cy_px)) / (camera.fx_px, camera.fy_px)
    plane = _undistort(seen, coefficients, camera) if coefficients.any() else seen
    return np.concatenate((plane, np.ones((*plane.shape[:-1], 1))), axis=-1)


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
    z = points[..., 2:]
    with np.errstate(over="ignore", invalid="ignore"):
        plane = points[..., :2] / np.where(z > 0, z, np.nan)
        if coefficients.any():
            plane = _distort(plane, coefficients, camera.distortion_model)
        return plane * (camera.fx_px, camera.fy_px) + (camera.cx_px, camera.cy_px)


def transform_points(transform: RigidTransform, points_m: ArrayLike) -> Array:
    """Points of a transform's source frame in its target frame.

    Args:
        transform: How the frames stand to each other.
        points_m: Points in the source frame, metres; shape (..., 3).

    Returns:
        The same points in the target frame; shape (..., 3).
    """
    points = np.asarray(points_m, dtype=np.float64)
    return points @ np.array(transform.rotation).T + np.array(transform.translation_m)


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


def _distort(plane: Array, coefficients: Array, model: str) -> Array:
    """Where points of the plane z = 1 appear on it through the lens."""
    radial = _radial(plane, coefficients)
    bent = plane * radial
    skewed = plane if model == "brown_conrady" else bent
    return bent + _tangential(skewed, _squared_radius(plane), coefficients)


def _undistort(seen: Array, coefficients: Array, camera: CameraIntrinsics) -> Array:
    """The points of the plane z = 1 that appear at others through the lens."""
    model = camera.distortion_model
    plane = seen
    with np.errstate(all="ignore"):
        for _ in range(_ITERATIONS):
            radial = _radial(plane, coefficients)
            skewed = plane if model == "brown_conrady" else plane * radial
            plane = (seen - _tangential(skewed, _squared_radius(plane), coefficients)) / radial
            off = np.abs(_distort(plane, coefficients, model) - seen).max(axis=-1, initial=0)
            # Not a number is never settled.
            unsettled = int(np.count_nonzero(~(off <= _SETTLED)))
            if not unsettled:
                return plane
    raise GeometryError(
        "distortion_coeffs",
        f"expected a lens that can be undone, found that {unsettled} of {off.size} pixels cannot",
        f"look at the calibration of the {camera.width_px}x{camera.height_px} camera",
    )


def _radial(plane: Array, coefficients: Array) -> Array:
    k1, k2, _, _, k3 = coefficients
    r2 = _squared_radius(plane)
    factor: Array = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return factor


def _tangential(plane: Array, r2: Array, coefficients: Array) -> Array:
    _, _, p1, p2, _ = coefficients
    x, y = plane[..., :1], plane[..., 1:]
    along_x = 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    along_y = 2 * p2 * x * y + p1 * (r2 + 2 * y * y)
    return np.concatenate((along_x, along_y), axis=-1)


def _squared_radius(plane: NDArray[Any]) -> Array:
    r2: Array = (plane * plane).sum(axis=-1, keepdims=True)
    return r2
