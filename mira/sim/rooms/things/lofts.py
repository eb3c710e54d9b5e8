"""Surfaces drawn through a row of closed outlines, as a coachbuilder or a shoemaker would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Finish, Mesh, Part, solid
from mira.sim.rooms.things.rotation import IDENTITY, Quaternion, Vector

Floats = NDArray[np.float64]


def loft(rings_m: Floats) -> Mesh:
    """A surface through closed outlines.

    Args:
        rings_m: Outlines one after another, shape (rows, columns, 3). Seen from outside, columns
            run to the right and rows run up, or both the other way round.
    """
    rows, columns = rings_m.shape[:2]
    return Mesh(rings_m.reshape(-1, 3), _cells(rows, columns).reshape(-1, 3))


def loft_parts(
    rings_m: Floats, labels: NDArray[np.int64], finishes: Mapping[int, tuple[Finish, str]]
) -> list[Part]:
    """A surface through closed outlines, painted cell by cell.

    Args:
        rings_m: Outlines, as for `loft`.
        labels: Kind of each cell, shape (rows - 1, columns); cells whose kind is not in
            `finishes` are left out.
        finishes: Finish and part name of each kind.
    """
    cells = _cells(*rings_m.shape[:2])
    points = rings_m.reshape(-1, 3)
    parts = []
    for kind, (finish, name) in finishes.items():
        faces = cells[labels == kind].reshape(-1, 3)
        if len(faces):
            used, index = np.unique(faces, return_inverse=True)
            parts.append(solid(finish, Mesh(points[used], index.reshape(-1, 3)), name=name))
    return parts


def rounded_outline(half_w: float, half_h: float, *, power: float, count: int) -> Floats:
    """A rectangle with round corners (superellipse), from its top over the right, shape (count, 2).

    Args:
        half_w: Half its width.
        half_h: Half its height.
        power: 2 makes an ellipse, 6 almost a rectangle.
        count: Number of points.
    """
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    right, up = np.sin(angle), np.cos(angle)
    exponent = 2 / power
    x = half_w * np.sign(right) * np.abs(right) ** exponent
    y = half_h * np.sign(up) * np.abs(up) ** exponent
    return np.stack((x, y), axis=-1)


def capped(rings_m: Floats) -> Floats:
    """The same outlines with both ends closed by their middles."""
    first = np.broadcast_to(rings_m[0].mean(axis=0), rings_m[:1].shape)
    last = np.broadcast_to(rings_m[-1].mean(axis=0), rings_m[:1].shape)
    return np.concatenate((first, rings_m, last))


def body(
    finish: Finish,
    stations: Sequence[tuple[float, float, float, float, float]],
    *,
    power: float = 3.0,
    count: int = 28,
    name: str = "",
) -> Part:
    """A closed body along y.

    Args:
        finish: Its look.
        stations: (y, middle x, middle z, half width, half height), y rising.
        power: Squareness of its outlines, see `rounded_outline`.
        count: Points of an outline.
        name: Name of the part.
    """
    rings = []
    for y, x, z, half_w, half_h in stations:
        outline = rounded_outline(half_w, half_h, power=power, count=count)
        across, up = x + outline[:, 0], z + outline[:, 1]
        rings.append(np.stack((across, np.full(count, y), up), axis=-1))
    return solid(finish, loft(capped(np.stack(rings))), name=name)


def lens(
    finish: Finish, half_m: Vector, at_m: Vector, turn: Quaternion = IDENTITY, *, name: str = ""
) -> Part:
    """An ellipsoid of few triangles, for lamps and handles."""
    rise = np.linspace(-np.pi / 2, np.pi / 2, 9)[:, None]
    around = np.linspace(0, 2 * np.pi, 20, endpoint=False)[None]
    globe = np.stack(
        (np.cos(rise) * np.cos(around), np.cos(rise) * np.sin(around), np.sin(rise) + 0 * around),
        axis=-1,
    )
    return solid(finish, loft(globe * half_m), at_m, turn, name=name)


def _cells(rows: int, columns: int) -> NDArray[np.int64]:
    """Two triangles for each cell, shape (rows - 1, columns, 2, 3)."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
    after = (column + 1) % columns
    a, b = row * columns + column, row * columns + after
    c, d = a + columns, b + columns
    return np.stack((np.stack((a, b, d), -1), np.stack((a, d, c), -1)), axis=-2)
