"""A whole plan as one list of triangles, each of which knows what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things.parts import Finish, Part
from mira.sim.rooms.things.rotation import IDENTITY, Quaternion, Vector, matrix, yaw
from mira.sim.rooms.tracing.solids import triangles_of

SIDES = ("right", "left", "back", "front", "top", "bottom")
"""Sides of an item in its own frame, in which it looks towards -y: +x, -x, +y, -y, +z, -z."""
_PANE = Finish((0.05, 0.05, 0.055))
"""Look of a mirror where no further reflection is followed."""


@dataclass(frozen=True, eq=False)
class SceneMesh:
    """Triangles of a scene; n triangles, p parts.

    Attributes:
        corners: Positions in the room frame, metres, shape (n, 3, 3).
        normals: Unit shading normals, float32, same shape.
        uv: Texture coordinates, float32, shape (n, 3, 2).
        picture: Which picture of its finish's texture a triangle shows, -1 for none, shape (n,).
        part: Which part a triangle belongs to, shape (n,).
        side: Which of `SIDES` of its item a triangle belongs to, shape (n,).
        finishes: Finish of each part.
        part_names: Name of each part, empty for most.
        item_of_part: Index into the plan's items, -1 for none, shape (p,).
        surface_of_part: Index into the plan's reflective surfaces for their reflecting sides,
            -1 for everything else, shape (p,).
    """

    corners: NDArray[np.float64]
    normals: NDArray[np.float32]
    uv: NDArray[np.float32]
    picture: NDArray[np.int32]
    part: NDArray[np.int32]
    side: NDArray[np.int8]
    finishes: tuple[Finish, ...]
    part_names: tuple[str, ...]
    item_of_part: NDArray[np.int32]
    surface_of_part: NDArray[np.int32]

    @cached_property
    def item(self) -> NDArray[np.int32]:
        """Item of each triangle, -1 for none, shape (n,)."""
        return self.item_of_part[self.part]

    @cached_property
    def surface(self) -> NDArray[np.int32]:
        """Reflective surface of each triangle, -1 for none, shape (n,)."""
        return self.surface_of_part[self.part]


@dataclass(frozen=True)
class _Piece:
    part: Part
    at_m: Vector
    turn: Quaternion
    item: int = -1
    surface: int = -1


def build_mesh(plan: RoomPlan) -> SceneMesh:
    """All triangles of a plan."""
    corners, normals, uvs, pictures, counts = [], [], [], [], []
    pieces = list(_pieces(plan))
    for piece in pieces:
        own = triangles_of(piece.part)
        inner, outer = matrix(piece.part.turn), matrix(piece.turn)
        shifted = own.corners @ inner.T + piece.part.at_m
        corners.append(shifted @ outer.T + piece.at_m)
        normals.append(own.normals @ (outer @ inner).T)
        uvs.append(own.uv)
        pictures.append(own.picture)
        counts.append(len(own.corners))
    part = np.repeat(np.arange(len(pieces), dtype=np.int32), counts)
    item_of_part = np.array([piece.item for piece in pieces], np.int32)
    turns = np.radians([placed.yaw_deg for placed in plan.items] + [0.0])
    whole = np.concatenate(corners)
    return SceneMesh(
        corners=whole,
        normals=np.concatenate(normals).astype(np.float32),
        uv=np.concatenate(uvs).astype(np.float32),
        picture=np.concatenate(pictures).astype(np.int32),
        part=part,
        side=_sides(whole, turns[item_of_part[part]]),
        finishes=tuple(piece.part.finish for piece in pieces),
        part_names=tuple(piece.part.name for piece in pieces),
        item_of_part=item_of_part,
        surface_of_part=np.array([piece.surface for piece in pieces], np.int32),
    )


def _pieces(plan: RoomPlan) -> Iterator[_Piece]:
    for part in plan.structure:
        yield _Piece(part, (0.0, 0.0, 0.0), IDENTITY)
    for index, surface in enumerate(plan.surfaces):
        yield _Piece(_pane(surface), surface.centre_m, surface.turn, surface=index)
        for part in surface.parts:
            yield _Piece(part, surface.centre_m, surface.turn)
    for index, placed in enumerate(plan.items):
        for part in placed.item.parts:
            yield _Piece(part, placed.at_m, yaw(placed.yaw_deg), item=index)


def _pane(surface: ReflectiveSurface) -> Part:
    return Part("mesh", _PANE, mesh=surface.mesh())


def _sides(corners: NDArray[np.float64], yaw_rad: NDArray[np.float64]) -> NDArray[np.int8]:
    """The side of its item that each triangle mostly looks to, as an index into `SIDES`.

    Args:
        corners: Positions in the room frame, shape (n, 3, 3).
        yaw_rad: Turn of each triangle's item about the upward axis, shape (n,).
    """
    x, y, z = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).T
    cos, sin = np.cos(yaw_rad), np.sin(yaw_rad)
    own = np.stack((cos * x + sin * y, cos * y - sin * x, z))
    axis = np.argmax(np.abs(own), axis=0)
    down = own[axis, np.arange(len(z))] < 0
    return np.asarray(2 * axis + down, np.int8)
