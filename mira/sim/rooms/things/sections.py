"""Surfaces that a tailor or a carpenter would make: rounded sections, cut-out boards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import Mesh

Section = tuple[float, float, float, float, float]
"""Height, half width along x, half depth along y, middle x, middle y; metres."""


def lofted(
    sections: Sequence[Section | tuple[float, float, float]],
    *,
    power: float = 2.0,
    around: int = 28,
) -> Mesh:
    """A closed body through rounded sections stacked along z.

    Args:
        sections: From the bottom to the top; the middle is the axis if it is left out.
        power: 2 makes ellipses, 4 and more make boxes with rounded corners.
        around: Number of corners of each section.
    """
    full = [(*section, 0.0, 0.0)[:5] for section in sections]
    closed = [_point(full[0]), *full, _point(full[-1])]
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    x, y = _rounded(np.cos(angles), power), _rounded(np.sin(angles), power)
    rings = [
        np.stack((mid_x + half_x * x, mid_y + half_y * y, np.full(around, z)), axis=-1)
        for z, half_x, half_y, mid_x, mid_y in closed
    ]
    template = turned([(1.0, float(step)) for step in range(len(rings))], around=around)
    return Mesh(np.concatenate(rings), template.faces)


def between(sections: Sequence[Section], *, steps: int = 5) -> list[Section]:
    """Sections with rounded transitions (Catmull-Rom), `steps` pieces a span."""
    dense = _spline(np.array(sections, np.float64), steps)
    dense[:, 1:3] = np.maximum(dense[:, 1:3], 1e-4)
    return [(float(z), float(hx), float(hy), float(x), float(y)) for z, hx, hy, x, y in dense]


def cut_out(outline_m: NDArray[np.float64], thickness_m: float, *, hub: int | None = None) -> Mesh:
    """A board with a given outline, from z = 0 to its thickness.

    Args:
        outline_m: Corners in the x-y plane, anticlockwise, shape (n, 2).
        thickness_m: Thickness.
        hub: Number of a corner that sees all others; None if the middle does.
    """
    count = len(outline_m)
    middle = outline_m.mean(axis=0) if hub is None else outline_m[hub]
    flat = np.vstack((outline_m, middle))
    low = np.column_stack((flat, np.zeros(count + 1)))
    high = np.column_stack((flat, np.full(count + 1, thickness_m)))
    here = np.arange(count)
    after = (here + 1) % count
    centre, up = np.full(count, count), count + 1
    faces = np.concatenate(
        (
            np.stack((after, here, centre), -1),
            np.stack((here + up, after + up, centre + up), -1),
            np.stack((here, after, after + up), -1),
            np.stack((here, after + up, here + up), -1),
        )
    )
    return Mesh(np.vstack((low, high)), faces)


def curve(points_m: Sequence[tuple[float, float, float]], *, steps: int = 5) -> NDArray[np.float64]:
    """A smooth path through points (Catmull-Rom), shape (n, 3)."""
    return _spline(np.array(points_m, np.float64), steps)


def _spline(given: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """Rows between the given ones, passing through each of them."""
    padded = np.vstack((2 * given[0] - given[1], given, 2 * given[-1] - given[-2]))
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        cubic = -a + 3 * b - 3 * c + d
        square = 2 * a - 5 * b + 4 * c - d
        spans.append(0.5 * (2 * b + (c - a) * t + square * t**2 + cubic * t**3))
    return np.asarray(np.vstack((*spans, given[-1:])), np.float64)


def _point(section: tuple[float, ...]) -> Section:
    z, _, _, x, y = section
    return (z, 1e-4, 1e-4, x, y)


def _rounded(unit: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    return np.asarray(np.sign(unit) * np.abs(unit) ** (2 / power), np.float64)
