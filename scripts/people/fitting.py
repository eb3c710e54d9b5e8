"""People made ready: nothing that nobody sees, shades, the mark's place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from baking import Piece
from light import Solid
from makehuman import Floats

_SEEN = 0.02
_PATCH_M, _PATCH_STEP_M = 0.076, 0.004
_CLEAR_M = 0.002


class Shaded(NamedTuple):
    """A piece and how much light gets to its vertices, shape (n,), from 0 to 1."""

    piece: Piece
    shade: Floats


class Front(NamedTuple):
    """x = x0 + a y + b z + c y² + d y z + e z², counted from the mark's y and z."""

    x0: float
    terms: Floats


def shaded(pieces: Sequence[Piece]) -> list[Shaded]:
    """What of the pieces gets any light, and how much."""
    ground = np.array([[(-9, -9, 0), (9, -9, 0), (9, 9, 0)], [(-9, -9, 0), (9, 9, 0), (-9, 9, 0)]])
    solid = Solid(np.concatenate([*(piece.corners for piece in pieces), ground]))
    found = []
    for piece in pieces:
        light = solid.openness(piece.vertices, piece.normals)
        faces = piece.faces[(light[piece.faces] > _SEEN).any(axis=1)]
        used, numbers = np.unique(faces, return_inverse=True)
        kept = piece._replace(
            vertices=piece.vertices[used],
            faces=numbers.reshape(-1, 3),
            tint=piece.tint[used],
            normals=piece.normals[used],
        )
        if len(faces):
            found.append(Shaded(kept, light[used]))
    return found


def openness(piece: Piece) -> Floats:
    """How much light gets to the vertices of a piece that floats, shape (n,)."""
    return Solid(piece.corners).openness(piece.vertices, piece.normals)


def front_of(pieces: Sequence[Piece], y_m: float, z_m: float) -> Front:
    """A smooth surface that lies closely before a body around a place, for a sticker.

    Args:
        pieces: The body, which looks along x.
        y_m: Middle of the sticker.
        z_m: Its height.
    """
    solid = Solid(np.concatenate([piece.corners for piece in pieces]))
    steps = np.arange(-_PATCH_M, _PATCH_M + 1e-9, _PATCH_STEP_M)
    y, z = (grid.ravel() for grid in np.meshgrid(steps, steps))
    inside = np.hypot(y, z) <= _PATCH_M
    y, z = y[inside], z[inside]
    origins = np.stack((np.ones_like(y), y + y_m, z + z_m), axis=-1)
    far, _ = solid.distances(origins, np.tile((-1.0, 0.0, 0.0), (len(y), 1)))
    if not np.isfinite(far).all():
        raise ValueError(f"the body ends before y = {y[np.isinf(far)].max() + y_m:.3f} m")
    terms = np.stack((np.ones_like(y), y, z, y * y, y * z, z * z), axis=-1)
    found = np.linalg.lstsq(terms, 1.0 - far, rcond=None)[0]
    over = (1.0 - far - terms @ found).max() + _CLEAR_M
    return Front(float(found[0] + over), found[1:])
