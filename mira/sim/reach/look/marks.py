"""Marks, as stickers that follow the front of a body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.schema.step import WorldPoint
from mira.sim.rooms.things.parts import Finish, Mesh, Part, Rgb, solid

Floats = NDArray[np.float64]

_COLOURS: dict[str, Rgb] = {
    "dot": (0.95, 0.05, 0.10),
    "cross": (0.10, 0.75, 0.15),
    "star": (1.00, 0.85, 0.00),
    "heart": (1.00, 0.15, 0.60),
    "square": (0.95, 0.05, 0.10),
    "ring": (1.00, 0.85, 0.00),
}
_RADIUS_M = 0.075
_RIM_M = 0.012
_RIM = Finish((0.97, 0.97, 0.97), specular=0.0, glow=0.3)
_LIFT_M = 0.002
_SLICES = 24


class Front(NamedTuple):
    """The front of a body around its mark: x = x0 + a y + b z + c y² + d y z + e z².

    y and z are counted from the mark, x0 is the mark's own x.

    Attributes:
        slope: a, b.
        curve: c, d, e; 1/m.
    """

    slope: tuple[float, float] = (0.0, 0.0)
    curve: tuple[float, float, float] = (0.0, 0.0, 0.0)


def mark_parts(name: str, mark_m: WorldPoint, front: Front) -> list[Part]:
    """A mark on a body, its middle where the scene has it.

    Args:
        name: Its look.
        mark_m: Where it is, in the world.
        front: The body around it.
    """
    finish = Finish(_COLOURS[name], specular=0.0, glow=0.45)
    outline = _OUTLINES[name]()
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    disc = np.stack((np.cos(angles), np.sin(angles)), -1)
    return [solid(finish, _sticker(np.zeros((64, 2)), outline, mark_m, front, _LIFT_M))]


def _sticker(
    inner_m: Floats, outer_m: Floats, mark_m: WorldPoint, front: Front, lift_m: float
) -> Mesh:
    """The area between two outlines of as many corners, laid on a body; shape (n, 2), (y, z)."""
    share = np.linspace(0, 1, 6)[:, None, None]
    flat = (inner_m + (outer_m - inner_m) * share).reshape(-1, 2)
    y, z = flat[:, 0], flat[:, 1]
    (a, b), (c, d, e) = front
    x = a * y + b * z + c * y * y + d * y * z + e * z * z + lift_m
    vertices = np.stack((x, y, z), axis=-1) + np.array(mark_m)
    count = len(outer_m)
    row, column = np.meshgrid(np.arange(5), np.arange(count), indexing="ij")
    after = (column + 1) % count
    p, q = row * count + column, row * count + after
    r, s = p + count, q + count
    faces = np.concatenate(
        (np.stack((p, r, s), -1).reshape(-1, 3), np.stack((p, s, q), -1).reshape(-1, 3))
    )
    return Mesh(vertices, faces)


def _dot() -> Floats:
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return _RADIUS_M * np.stack((np.cos(angles), np.sin(angles)), -1)


_OUTLINES = dict.fromkeys(_COLOURS, _dot)
