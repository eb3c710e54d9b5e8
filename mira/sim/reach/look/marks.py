"""Marks: stickers with a white rim that follow the front of a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from mira.schema.step import WorldPoint
from mira.sim.reach.look.modelling import Look
from mira.sim.reach.look.viewing import mirror_image, project
from mira.sim.rooms.things.parts import Finish, Mesh, Rgb, solid

Floats = NDArray[np.float64]

_RIM_M = 0.009
_RIM = Finish((1.0, 1.0, 1.0), specular=0.0, glow=0.35)
_GLOW = 0.5
_RIM_LIFT_M, _LIFT_M = 0.0005, 0.002
_ANGLES = np.linspace(0, 2 * np.pi, 120, endpoint=False)
_RINGS = 7
_ROUNDS = 3
_SIZE_PX = 1024
"""Width of the picture in which a sticker's middle is sought; any would do."""


class Front(NamedTuple):
    """The front of a body around its mark: x = x0 + a y + b z + c y² + d y z + e z².

    y and z are counted from the mark; x0 is the mark's own x.

    Attributes:
        slope: a, b.
        curve: c, d, e in 1/m.
    """

    slope: tuple[float, float] = (0.0, 0.0)
    curve: tuple[float, float, float] = (0.0, 0.0, 0.0)


class _Design(NamedTuple):
    """A sticker: its colour, its outline (right and up as it is looked at), a round hole."""

    colour: Rgb
    outline_m: Callable[[], Floats]
    hole_m: float = 0.0


def mark_look(name: str, mark_m: WorldPoint, front: Front) -> Look:
    """A mark on a body; the middle of what a mirror shows of it is where `mark_m` is seen.

    Args:
        name: Its look.
        mark_m: Where it is, in the world.
        front: The body around it.
    """
    design = _DESIGNS[name]
    outline = design.outline_m()
    rim = np.array(Polygon(outline).buffer(_RIM_M).exterior.coords[:-1])
    whole = _sheet(rim, max(design.hole_m - _RIM_M, 0.0))
    inner = _sheet(outline, design.hole_m)
    shift = _centring(whole, front, np.array(mark_m))
    colour = Finish(design.colour, specular=0.0, glow=_GLOW)
    parts = [
        solid(finish, _laid(sheet, front, np.array(mark_m), shift, lift_m))
        for finish, sheet, lift_m in ((_RIM, whole, _RIM_LIFT_M), (colour, inner, _LIFT_M))
    ]
    return Look(tuple(parts))


def _sheet(outline_m: Floats, hole_m: float) -> Mesh:
    """A flat sticker between a hole and an outline that its middle sees all of, at x = 0."""
    angle = np.arctan2(outline_m[:, 1], outline_m[:, 0])
    hole = hole_m * np.stack((np.cos(angle), np.sin(angle)), axis=-1)
    share = np.linspace(0, 1, _RINGS)[:, None, None]
    right_up = (hole + (outline_m - hole) * share).reshape(-1, 2)
    count = len(outline_m)
    ring, corner = np.meshgrid(np.arange(_RINGS - 1), np.arange(count), indexing="ij")
    a, b = ring * count + corner, ring * count + (corner + 1) % count
    c, d = a + count, b + count
    faces = np.stack((np.stack((a, c, d), -1), np.stack((a, d, b), -1))).reshape(-1, 3)
    # Who faces the body has its left on the right.
    return Mesh(np.column_stack((np.zeros(len(right_up)), right_up)), faces)


def _laid(sheet: Mesh, front: Front, mark_m: Floats, shift_m: Floats, lift_m: float) -> Mesh:
    """A sticker laid on a body, moved along it by y and z."""
    y, z = (sheet.vertices_m[:, 1:] + shift_m).T
    (a, b), (c, d, e) = front
    x = a * y + b * z + c * y * y + d * y * z + e * z * z + lift_m
    return Mesh(np.stack((x, y, z), axis=-1) + mark_m, sheet.faces)


def _centring(sheet: Mesh, front: Front, mark_m: Floats) -> Floats:
    """How far along y and z a sticker is moved so that its middle is seen at the mark.

    A body's slope shows one half of a sticker larger than the other.
    """
    wanted = project(mirror_image(mark_m), size_px=_SIZE_PX)
    shift = np.zeros(2)
    for _ in range(_ROUNDS):
        seen = project(
            mirror_image(_laid(sheet, front, mark_m, shift, _RIM_LIFT_M).vertices_m),
            size_px=_SIZE_PX,
        )[sheet.faces]
        one, other = seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0]
        area = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
        off = np.average(seen.mean(axis=1), axis=0, weights=area) - wanted
        metres = 0.01 / np.abs(
            project(mirror_image(mark_m + np.array((0.0, 0.01, 0.01))), size_px=_SIZE_PX) - wanted
        )
        # The body's left is on the left of the picture, and up is up, as in any mirror.
        shift += off * metres
    return shift


def _circle(radius_m: float) -> Floats:
    return radius_m * np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=-1)


def _polygon(corners: Floats) -> Floats:
    """A polygon with points along its edges, so that it bends with a body."""
    share = np.linspace(0, 1, 8, endpoint=False)[:, None]
    edges = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    return np.concatenate([start + (end - start) * share for start, end in edges])


def _square() -> Floats:
    return _polygon(0.055 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64))


def _cross() -> Floats:
    long, short = 0.066, 0.0225
    quarter = np.array([(short, -long), (short, -short), (long, -short)])
    turns = [np.array([(0, -1), (1, 0)]), np.eye(2)]
    corners = [quarter]
    for _ in range(3):
        corners.append(corners[-1] @ turns[0].T)
    return _polygon(np.concatenate(corners))


def _star() -> Floats:
    angle = np.pi / 2 + np.arange(10) * np.pi / 5
    radius = np.where(np.arange(10) % 2 == 0, 0.072, 0.033)
    return _polygon(radius[:, None] * np.stack((np.cos(angle), np.sin(angle)), axis=-1))


def _heart() -> Floats:
    t = -_ANGLES
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return 0.0042 * np.stack((x, y + 1.5), axis=-1)


_DESIGNS = {
    "dot": _Design((0.93, 0.04, 0.08), lambda: _circle(0.064)),
    "cross": _Design((0.05, 0.66, 0.13), _cross),
    "star": _Design((1.0, 0.82, 0.0), _star),
    "heart": _Design((1.0, 0.10, 0.55), _heart),
    "square": _Design((0.93, 0.04, 0.08), _square),
    "ring": _Design((1.0, 0.82, 0.0), lambda: _circle(0.066), hole_m=0.034),
}
MARKS = tuple(_DESIGNS)
"""Names of all marks."""
