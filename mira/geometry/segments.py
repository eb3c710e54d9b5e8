"""Straight lines between points, and triangles in their way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_PARALLEL = 1e-12


def blocked_segments(starts_m: Floats, ends_m: Floats, triangles_m: Floats) -> NDArray[np.bool_]:
    """Whether some triangle lies between two points (Möller and Trumbore 1997), shape (m,).

    Args:
        starts_m: One end of each line, shape (m, 3).
        ends_m: The other end, shape (m, 3).
        triangles_m: Corners, shape (n, 3, 3).
    """
    a, b, c = _near(starts_m, ends_m, triangles_m)
    way = (ends_m - starts_m).T[:, :, None]
    first, second = b - a, c - a
    across = _cross(way, second)
    scale = _dot(first, across)
    meets = np.abs(scale) > _PARALLEL
    inverse = 1 / np.where(meets, scale, 1.0)
    from_corner = starts_m.T[:, :, None] - a
    u = _dot(from_corner, across) * inverse
    other = _cross(from_corner, first)
    v = _dot(way, other) * inverse
    share = _dot(second, other) * inverse
    meets &= (u >= 0) & (v >= 0) & (u + v <= 1) & (share >= 0) & (share <= 1)
    return np.asarray(meets.any(axis=1))


def _near(starts_m: Floats, ends_m: Floats, triangles_m: Floats) -> Floats:
    """Triangles in the box around all lines, shape (corner, axis, 1, n)."""
    low = np.minimum(starts_m, ends_m).min(axis=0)
    high = np.maximum(starts_m, ends_m).max(axis=0)
    near = np.arange(len(triangles_m))
    for axis in range(3):
        a, b, c = (triangles_m[:, corner, axis].take(near) for corner in range(3))
        inside = np.maximum(np.maximum(a, b), c) >= low[axis]
        inside &= np.minimum(np.minimum(a, b), c) <= high[axis]
        near = near[inside]
    return np.ascontiguousarray(triangles_m[near].transpose(1, 2, 0))[:, :, None]


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _cross(a: Floats, b: Floats) -> Floats:
    return np.stack(
        (
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        )
    )
