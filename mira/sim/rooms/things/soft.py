"""Soft surfaces: cushions, bags, coats and shoes, as skins over level outlines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.meshes import _grid_faces
from mira.sim.rooms.things.parts import Mesh

Outline = NDArray[np.float64]
_AROUND = 28


def outline(
    half_x_m: float,
    half_y_m: float,
    z_m: float,
    *,
    centre_m: tuple[float, float] = (0.0, 0.0),
    squareness: float = 2.0,
    folds: int = 0,
    fold_depth: float = 0.0,
    around: int = _AROUND,
) -> Outline:
    """A level closed curve, anticlockwise seen from above, shape (around, 3).

    Args:
        half_x_m: Half its width.
        half_y_m: Half its depth.
        z_m: Its height.
        centre_m: Its middle.
        squareness: 2 for an ellipse, more for a rectangle with round corners.
        folds: Number of folds that run up and down, as in hanging cloth.
        fold_depth: Their depth as a share of the half width.
        around: Number of points.
    """
    angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
    power = 2 / squareness
    x = np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** power
    y = np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** power
    swell = 1 + fold_depth * np.cos(folds * angle)
    return np.stack(
        (
            centre_m[0] + half_x_m * x * swell,
            centre_m[1] + half_y_m * y * swell,
            np.full(around, z_m),
        ),
        axis=-1,
    )


def skin(outlines: Sequence[Outline]) -> Mesh:
    """A skin over level outlines from the lowest to the highest, closed at both ends."""
    middles = [np.repeat(ring.mean(axis=0)[None], len(ring), axis=0) for ring in outlines]
    tight = 1e-3
    first = middles[0] + tight * (outlines[0] - middles[0])
    last = middles[-1] + tight * (outlines[-1] - middles[-1])
    rings = np.stack((first, *outlines, last))
    return Mesh(rings.reshape(-1, 3), _grid_faces(len(rings), rings.shape[1]))


def pillow(
    size_m: tuple[float, float, float], *, squareness: float = 4.0, edge: float = 3.0
) -> Mesh:
    """A soft block around its middle.

    Args:
        size_m: Width, depth and height.
        squareness: How square it is seen from above; 2 is round.
        edge: How square it is seen from the side.
    """
    rings = []
    power = 2 / edge
    for angle in np.linspace(-np.pi / 2 * 0.97, np.pi / 2 * 0.97, 13).tolist():
        rise = float(np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** power)
        width = float(np.abs(np.cos(angle)) ** power)
        half_x, half_y = size_m[0] / 2 * width, size_m[1] / 2 * width
        rings.append(outline(half_x, half_y, size_m[2] / 2 * rise, squareness=squareness))
    return skin(rings)
