"""Surfaces that a potter or a plumber would make: turned profiles and bent tubes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Mesh

_AROUND = 40
_TUBE_AROUND = 12


def turned(profile_m: Sequence[tuple[float, float]], *, around: int = _AROUND) -> Mesh:
    """A solid of revolution about z.

    Args:
        profile_m: (radius, height) points from the bottom over the outside to the top and, for a
            hollow piece, down the inside; radius 0 closes the surface on the axis.
        around: Number of corners of each ring.

    Returns:
        The surface, its outside to the right of the profile's direction.
    """
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    radius = np.array([max(point[0], 1e-4) for point in profile_m])
    height = np.array([point[1] for point in profile_m])
    x = radius[:, None] * np.cos(angles)
    y = radius[:, None] * np.sin(angles)
    z = np.broadcast_to(height[:, None], x.shape)
    return Mesh(np.stack((x, y, z), axis=-1).reshape(-1, 3), _grid_faces(len(profile_m), around))


def smooth(points: Sequence[tuple[float, float]], *, steps: int = 6) -> list[tuple[float, float]]:
    """A profile through the given points, rounded (Catmull-Rom) with `steps` pieces a span."""
    given = np.array(points)
    padded = np.vstack((2 * given[0] - given[1], given, 2 * given[-1] - given[-2]))
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        cubic = -a + 3 * b - 3 * c + d
        square = 2 * a - 5 * b + 4 * c - d
        spans.append(0.5 * (2 * b + (c - a) * t + square * t**2 + cubic * t**3))
    dense = np.vstack((*spans, given[-1:]))
    return [(max(float(r), 0.0), float(z)) for r, z in dense]


def tube(path_m: NDArray[np.float64], radius_m: float, *, around: int = _TUBE_AROUND) -> Mesh:
    """A round tube along a path, closed at both ends.

    Args:
        path_m: Points of the centre line, shape (n, 3), n at least 2.
        radius_m: Radius of the tube.
        around: Number of corners of each ring.
    """
    forward = np.gradient(path_m, axis=0)
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    side = np.cross(forward, _least_used_axis(forward))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(forward, side)
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.cos(angles)[:, None] * side[:, None] + np.sin(angles)[:, None] * up[:, None]
    body = path_m[:, None] + radius_m * ring
    ends = (path_m[:1, None] + 1e-4 * ring[:1], path_m[-1:, None] + 1e-4 * ring[-1:])
    rings = np.concatenate((ends[0], body, ends[1]))
    return Mesh(rings.reshape(-1, 3), _grid_faces(len(rings), around))


def arc(
    radius_m: float, start_deg: float, end_deg: float, *, count: int = 14
) -> NDArray[np.float64]:
    """Points on a circle in the x-z plane, shape (count, 3); 0 degrees is +x, 90 is +z."""
    angles = np.radians(np.linspace(start_deg, end_deg, count))
    unit = np.stack((np.cos(angles), np.zeros(count), np.sin(angles)), axis=-1)
    return np.asarray(radius_m * unit, np.float64)


def ring(radius_m: float, thickness_m: float, *, around: int = 64) -> Mesh:
    """A torus in the x-y plane with the given centre-line radius and tube radius."""
    profile = [
        (radius_m + thickness_m * np.cos(angle), thickness_m * np.sin(angle))
        for angle in np.linspace(0, 2 * np.pi, 13)
    ]
    return turned(profile, around=around)


def _grid_faces(rows: int, columns: int) -> NDArray[np.int64]:
    """Two triangles for each cell of a grid whose columns close on themselves."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
    after = (column + 1) % columns
    a, b = row * columns + column, row * columns + after
    c, d = a + columns, b + columns
    lower = np.stack((a, b, d), axis=-1)
    upper = np.stack((a, d, c), axis=-1)
    return np.concatenate((lower.reshape(-1, 3), upper.reshape(-1, 3)))


def _least_used_axis(forward: NDArray[np.float64]) -> NDArray[np.float64]:
    """The coordinate axis that a path follows least, a safe reference for its frames."""
    axis = np.zeros(3)
    axis[int(np.argmin(np.abs(forward).max(axis=0)))] = 1.0
    return axis


def plate(width_m: float, height_m: float, *, round: bool = False) -> Mesh:
    """A flat rectangle or ellipse in the x-y plane whose outside is +z."""
    if not round:
        x, y = width_m / 2, height_m / 2
        corners = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], np.float64)
        return Mesh(corners, np.array([(0, 1, 2), (0, 2, 3)]))
    around = 96
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    rim = np.stack(
        (width_m / 2 * np.cos(angles), height_m / 2 * np.sin(angles), np.zeros(around)), axis=-1
    )
    index = np.arange(around)
    faces = np.stack((np.full(around, around), index, (index + 1) % around), axis=-1)
    return Mesh(np.vstack((rim, np.zeros((1, 3)))), faces)


def dome(width_m: float, height_m: float, radius_m: float, *, round: bool = True) -> Mesh:
    """A piece of a ball of `radius_m`, its top at the origin, its outside towards +z.

    Args:
        width_m: Width of its outline.
        height_m: Height of its outline.
        radius_m: Radius of the ball, more than half the outline's diagonal.
        round: Whether the outline is an ellipse; else it is a rectangle.
    """
    steps = 48
    grid = np.linspace(-1, 1, steps + 1)
    u, v = np.meshgrid(grid, grid)
    if round:
        # Square to disc without a seam: rings of the square become rings of the disc.
        largest = np.maximum(np.abs(u), np.abs(v))
        length = np.where(largest > 0, np.hypot(u, v), 1.0)
        u, v = u * largest / length, v * largest / length
    x, y = u * width_m / 2, v * height_m / 2
    z = np.sqrt(radius_m**2 - x**2 - y**2) - radius_m
    row, column = np.meshgrid(np.arange(steps), np.arange(steps), indexing="ij")
    a = (row * (steps + 1) + column).ravel()
    b, c, d = a + 1, a + steps + 1, a + steps + 2
    faces = np.concatenate((np.stack((a, b, d), -1), np.stack((a, d, c), -1)))
    return Mesh(np.stack((x, y, z), -1).reshape(-1, 3), faces)
