"""Unit quaternions in MuJoCo's order (w, x, y, z)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def about(axis: Vector, angle_deg: float) -> Quaternion:
    """Rotation about a unit axis, right-handed, in degrees."""
    half = math.radians(angle_deg) / 2
    x, y, z = (component * math.sin(half) for component in axis)
    return (math.cos(half), x, y, z)


def yaw(angle_deg: float) -> Quaternion:
    """Rotation about the upward axis, anticlockwise seen from above."""
    return about((0.0, 0.0, 1.0), angle_deg)


UPRIGHT: Quaternion = about((1.0, 0.0, 0.0), 90.0)
"""Turns a panel that faces up (+z) so that it faces the viewer (-y), its top edge up."""


def compose(outer: Quaternion, inner: Quaternion) -> Quaternion:
    """The rotation that applies `inner` first and `outer` second."""
    a, b, c, d = outer
    e, f, g, h = inner
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def rotate(turn: Quaternion, point: Vector) -> Vector:
    """A point turned about the origin."""
    w, x, y, z = turn
    axis = np.array((x, y, z))
    moved = np.array(point) + 2 * np.cross(axis, np.cross(axis, point) + w * np.array(point))
    return (float(moved[0]), float(moved[1]), float(moved[2]))


def along(direction: NDArray[np.float64]) -> Quaternion:
    """A rotation that turns +z into a direction, shape (3,), not zero."""
    unit = direction / np.linalg.norm(direction)
    if unit[2] < -0.999999:
        # All but straight down, 1 + z is lost to rounding; the distance from the axis is not.
        level = math.hypot(unit[0], unit[1])
        if level == 0:
            return (0.0, 1.0, 0.0, 0.0)
        half = math.sqrt((1 - unit[2]) / 2)
        x, y = (float(value) * half / level for value in (-unit[1], unit[0]))
        return (level / (2 * half), x, y, 0.0)
    raw = np.array((1 + unit[2], -unit[1], unit[0], 0.0))
    w, x, y, z = (float(value) for value in raw / np.linalg.norm(raw))
    return (w, x, y, z)


def matrix(turn: Quaternion) -> NDArray[np.float64]:
    """The rotation matrix of a unit quaternion, shape (3, 3); it multiplies columns."""
    w, x, y, z = turn
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )
