"""Rays against triangles: how open surfaces lie, and what lies under what."""

from __future__ import annotations

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from makehuman import Floats, Ints

_DIRECTIONS = 128
_LIFT_M = 3e-4
_REACH_M = 0.6


class Solid:
    """Triangles that rays can be sent into."""

    def __init__(self, corners: Floats) -> None:
        """Build the search tree of triangles, shape (n, 3, 3)."""
        self._scene = EmbreeScene()
        vertices = np.ascontiguousarray(corners.reshape(-1, 3), np.float32)
        TriangleMesh(self._scene, vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3))
        edges = corners[:, 1:] - corners[:, :1]
        self._normals = _unit(np.cross(edges[:, 0], edges[:, 1]))

    def distances(self, origins: Floats, directions: Floats) -> tuple[Floats, Floats]:
        """How far rays get, infinity where nothing is, and the normals they end on."""
        hits = self._scene.run(
            np.ascontiguousarray(origins, np.float32),
            np.ascontiguousarray(directions, np.float32),
            query="INTERSECT",
            output=True,
        )
        number = hits["primID"]
        return np.where(number >= 0, hits["tfar"], np.inf), self._normals[number]

    def depths_under(
        self, points: Floats, normals: Floats, *, margin: float, through: float
    ) -> Floats:
        """How far points are to be drawn in to lie under the triangles by a margin, shape (n,).

        Args:
            points: Of a surface that should be under the triangles, shape (n, 3).
            normals: Which way it faces, shape (n, 3).
            margin: How far under.
            through: By how much they may be above at most; others are left where they are.
        """
        inwards, facing = self.distances(points + 1e-4 * normals, -normals)
        above = (inwards < through) & ((facing * normals).sum(axis=1) > 0)
        outwards, _ = self.distances(points, normals)
        return np.where(above, inwards + margin, np.clip(margin - outwards, 0, None))

    def openness(self, points: Floats, normals: Floats, *, reach: float = _REACH_M) -> Floats:
        """Share of the light of an even sky that gets to points, shape (n,).

        Args:
            points: Shape (n, 3).
            normals: Which way they face, shape (n, 3).
            reach: How far off things still take light.
        """
        rng = np.random.default_rng(0)
        total = np.zeros(len(points))
        origins = np.ascontiguousarray(points + normals * _LIFT_M, np.float32)
        far = np.full(len(points), reach, np.float32)
        for _ in range(_DIRECTIONS):
            # A normal and a point of the unit ball's surface: directions as light counts.
            ray = _unit(normals + _unit(rng.normal(size=points.shape)) * 0.999)
            blocked = self._scene.run(
                origins, np.ascontiguousarray(ray, np.float32), dists=far, query="OCCLUDED"
            )
            total += blocked < 0
        return total / _DIRECTIONS


def vertex_normals(points: Floats, faces: Ints) -> Floats:
    """Unit normals, by the area of the triangles around, shape (n, 3)."""
    corners = points[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total = np.zeros_like(points)
    for column in range(3):
        np.add.at(total, faces[:, column], across)
    return _unit(total)


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12))
