"""Depth on the grid of the colour picture.

The same picture as `rs.align(rs.stream.color)` of librealsense 2.59 gives on x86 processors,
computed as there (https://github.com/realsenseai/librealsense, src/proc/sse/sse-align.cpp): in
float32, operation by operation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.errors import GeometryError
from mira.geometry.camera import lens_coefficients
from mira.schema.capture import Calibration, CameraIntrinsics, RigidTransform

Array = NDArray[np.float32]

_DEGREES = np.float32(57.2957795)
_FINE_ANYWAY = {((640, 240), (320, 180)), ((640, 480), (640, 360))}
"""Sizes of depth and colour for which the SDK fills rectangles whatever the angle of a pixel."""
_NONE = np.uint16(0xFFFF)
"""No reading, while readings are kept less 1: then the nearest is the least."""


def align_depth_to_color(
    depth: NDArray[np.uint16], calibration: Calibration, *, depth_unit_m: float
) -> NDArray[np.uint16]:
    """Depth as the colour camera would see it, on its grid.

    The two corners of a depth pixel, top left and bottom right, fall on two pixels of the colour
    picture, and the rectangle between takes its reading; where the colour picture has no more
    pixels a degree than depth, the first corner's pixel alone. The nearest reading stays. It keeps
    its value: it is z in front of the depth camera.

    Lenses count as in the SDK, which is less than their models mean: of the colour camera
    `modified_brown_conrady` alone, of the depth camera `inverse_brown_conrady` alone, and that as
    if its coefficients were those of the inverse. The coefficients of a D435 are all 0.

    Args:
        depth: Readings on the depth camera's grid, 0 for none; shape (height, width).
        calibration: Both cameras and how they stand to each other.
        depth_unit_m: Metres a step of depth.

    Returns:
        Readings on the colour camera's grid, 0 for none; shape (height, width). Every pixel is
        the SDK's, save that readings which come to lie behind the colour camera are left out,
        where the SDK draws them upside down; and that one camera for both gives its depth as it
        is, where the SDK's rounding leaves seams.

    Raises:
        GeometryError: The calibration says nothing of the depth camera, is that of another grid,
            or has a lens model that no RealSense camera uses for pictures.
    """
    camera, transform, color = calibration.depth, calibration.depth_to_color, calibration.color
    if camera is None or transform is None:
        lacking = "depth" if camera is None else "depth_to_color"
        raise GeometryError(lacking, "expected it in a calibration to align by, found none")
    if depth.shape != (camera.height_px, camera.width_px) or depth.dtype != np.uint16:
        expected = f"{camera.width_px}x{camera.height_px} of uint16 by the calibration"
        found = f"{'x'.join(map(str, depth.shape[::-1]))} of {depth.dtype}"
        raise GeometryError("depth", f"expected {expected}, found {found}")
    if camera == color and _is_still(transform):
        return depth.copy()
    # Numbers that no camera has end outside the picture.
    with np.errstate(all="ignore"):
        where = np.flatnonzero(depth)
        readings = depth.ravel()[where]
        z_m = readings.astype(np.float32) * _numbers(depth_unit_m)

        def corner(offset_px: float) -> _Seen:
            x, y = (plane.ravel()[where] for plane in _rays(camera, offset_px))
            return _see(color, *_move(transform, x * z_m, y * z_m, z_m))

        first = corner(-0.5)
        last = corner(0.5) if _is_finer(color, than=camera) else first
        shape = (color.height_px, color.width_px)
        return _fill(_rectangles(first, last, readings, shape), shape)


def _is_still(transform: RigidTransform) -> bool:
    rotation, shift = np.array(transform.rotation), np.array(transform.translation_m)
    return bool((rotation == np.eye(3)).all() and not shift.any())


# Corners of depth pixels in the colour picture


class _Seen(NamedTuple):
    """Where points fall in a picture, half a pixel added so that the whole part is the pixel."""

    x: Array
    y: Array
    in_front: NDArray[np.bool_]


def _rays(camera: CameraIntrinsics, offset_px: float) -> tuple[Array, Array]:
    """Where every pixel's position and an offset lie at z = 1: x, y; shape (height, width) each."""
    c = _numbers(lens_coefficients(camera))
    fx, fy, cx, cy = _pinhole(camera)
    columns = np.arange(camera.width_px, dtype=np.float32) + np.float32(offset_px)
    rows = np.arange(camera.height_px, dtype=np.float32) + np.float32(offset_px)
    x, y = np.meshgrid((columns - cx) / fx, (rows - cy) / fy)
    if camera.distortion_model != "inverse_brown_conrady" or not c.any():
        return x, y
    r2 = x * x + y * y
    f = 1 + c[0] * r2 + c[1] * r2 * r2 + c[4] * r2 * r2 * r2
    return (
        x * f + 2 * c[2] * x * y + c[3] * (r2 + 2 * x * x),
        y * f + 2 * c[3] * x * y + c[2] * (r2 + 2 * y * y),
    )


def _move(transform: RigidTransform, x: Array, y: Array, z: Array) -> tuple[Array, Array, Array]:
    """Points in the target frame, summed from the right as the SDK does."""
    r, t = _numbers(transform.rotation), _numbers(transform.translation_m)
    return (
        r[0, 0] * x + (r[0, 1] * y + (r[0, 2] * z + t[0])),
        r[1, 0] * x + (r[1, 1] * y + (r[1, 2] * z + t[1])),
        r[2, 0] * x + (r[2, 1] * y + (r[2, 2] * z + t[2])),
    )


def _see(camera: CameraIntrinsics, x: Array, y: Array, z: Array) -> _Seen:
    in_front = z > 0
    z = np.where(in_front, z, np.float32(1))
    x, y = x / z, y / z
    c = _numbers(lens_coefficients(camera))
    if camera.distortion_model == "modified_brown_conrady" and c.any():
        r2 = x * x + y * y
        f = 1 + (c[0] * r2 + (c[1] * (r2 * r2) + c[4] * (r2 * (r2 * r2))))
        x, y = x * f, y * f
        x, y = (
            x + (2 * (c[2] * (x * y)) + c[3] * (r2 + 2 * (x * x))),
            y + (2 * (c[3] * (x * y)) + c[2] * (r2 + 2 * (y * y))),
        )
    fx, fy, cx, cy = _pinhole(camera)
    half = np.float32(0.5)
    return _Seen(x * fx + cx + half, y * fy + cy + half, in_front)


def _is_finer(color: CameraIntrinsics, *, than: CameraIntrinsics) -> bool:
    """Whether colour has more pixels a degree than depth, so that depth pixels are rectangles."""
    sizes = ((than.width_px, than.height_px), (color.width_px, color.height_px))
    return bool((_pixels_a_degree(than) < _pixels_a_degree(color)).any()) or sizes in _FINE_ANYWAY


def _pixels_a_degree(camera: CameraIntrinsics) -> Array:
    """Along x and y, over the whole field of view."""
    fx, fy, cx, cy = _pinhole(camera)
    focal = np.array((fx, fy))
    size = _numbers((camera.width_px, camera.height_px))
    before = np.array((cx, cy)) + np.float32(0.5)
    degrees = (np.arctan2(before, focal) + np.arctan2(size - before, focal)) * _DEGREES
    return np.asarray(size / degrees, dtype=np.float32)


def _pinhole(camera: CameraIntrinsics) -> Array:
    return _numbers((camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px))


def _numbers(values: object) -> Array:
    return np.array(values, dtype=np.float32)


# Rectangles into a picture


class _Rectangles(NamedTuple):
    """Rectangles of whole pixels inside a picture: first pixel, size, and what fills them."""

    x: NDArray[np.intp]
    y: NDArray[np.intp]
    width: NDArray[np.intp]
    height: NDArray[np.intp]
    value: NDArray[np.uint16]

    def only(self, which: NDArray[np.bool_]) -> _Rectangles:
        n = np.flatnonzero(which)
        return _Rectangles(self.x[n], self.y[n], self.width[n], self.height[n], self.value[n])


def _rectangles(
    first: _Seen, last: _Seen, values: NDArray[np.uint16], shape: tuple[int, int]
) -> _Rectangles:
    """The rectangles between corners, as far as they lie in a picture of a shape."""
    x, width = _span(first.x, last.x, shape[1])
    y, height = _span(first.y, last.y, shape[0])
    seen = first.in_front & last.in_front & (width > 0) & (height > 0)
    return _Rectangles(x, y, width, height, values).only(seen)


def _span(start: Array, end: Array, size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First pixel and number of pixels from one position to another, within a picture's size.

    The SDK cuts fractions off towards 0, so what lies less than a pixel before the picture is on
    its first one. What is not a number is nowhere.
    """
    touches = (start < size) & (end > -1)
    low, high = (
        np.where(touches, np.clip(edge, 0, size - 1), 0).astype(np.intp) for edge in (start, end)
    )
    return low, np.where(touches, high - low + 1, 0)


def _fill(rectangles: _Rectangles, shape: tuple[int, int]) -> NDArray[np.uint16]:
    """A picture of the least value among the rectangles that cover a pixel, 0 where none does.

    A rectangle is covered by blocks, at most four, whose sides are the largest powers of two that
    fit in its own. A block is marked where it starts; blocks are then halved, the largest first,
    until all are single pixels. So the work does not grow with the area of the rectangles.
    """
    across, down = _power(rectangles.width), _power(rectangles.height)
    filled = np.full(shape, _NONE)
    for i in range(int(across.max(initial=0)), -1, -1):
        columns = np.full(shape, _NONE)
        for j in range(int(down.max(initial=0)), -1, -1):
            _mark(columns, rectangles.only((across == i) & (down == j)), 1 << i, 1 << j)
            if j:
                _repeat(columns, 1 << (j - 1))
        np.minimum(filled, columns, out=filled)
        if i:
            _repeat(filled.T, 1 << (i - 1))
    return filled + np.uint16(1)


def _power(sizes: NDArray[np.intp]) -> NDArray[np.intc]:
    """The exponents of the largest powers of two that sizes from 1 on hold."""
    return np.frexp(sizes)[1] - np.intc(1)


def _mark(picture: NDArray[np.uint16], rectangles: _Rectangles, width: int, height: int) -> None:
    """Note rectangles where the blocks of a size that cover them start, one in each corner."""
    x, y, value = rectangles.x, rectangles.y, rectangles.value - np.uint16(1)
    for right in (0, rectangles.width - width) if width > 1 else (0,):
        for below in (0, rectangles.height - height) if height > 1 else (0,):
            where = (y + below) * picture.shape[1] + x + right
            np.minimum.at(picture.ravel(), where, value)


def _repeat(picture: NDArray[np.uint16], rows: int) -> None:
    """Spread what is noted over as many rows below again."""
    np.minimum(picture[rows:], picture[:-rows], out=picture[rows:])
