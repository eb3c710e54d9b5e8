"""Rays against triangles, by Embree."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.errors import MissingExtraError, SimulationError
from mira.sim.rooms.tracing.scene_mesh import SceneMesh

Floats = NDArray[np.float32]
_SHIFT_M = np.float32(2e-4)
"""Rays start so far off the surface they leave, or they would meet it again."""


class Hits(NamedTuple):
    """Where rays end; arrays over rays.

    Attributes:
        distance: Metres to the first triangle in units of the direction's length, shape (n,).
        triangle: Index of that triangle, -1 for none, shape (n,).
        u: Share of its second corner, shape (n,).
        v: Share of its third corner, shape (n,).
    """

    distance: Floats
    triangle: NDArray[np.int32]
    u: Floats
    v: Floats


class RayScene:
    """A scene that rays can be sent into."""

    def __init__(self, mesh: SceneMesh, *, see_through: NDArray[np.bool_]) -> None:
        """Build the search trees.

        Args:
            mesh: The triangles.
            see_through: Which triangles let light through and throw no shadow, shape (n,).

        Raises:
            MissingExtraError: Embree is not installed.
        """
        self._solid = _tree(mesh.corners[~see_through])
        self._solid_number = np.flatnonzero(~see_through).astype(np.int32)
        self._panes = _tree(mesh.corners[see_through]) if see_through.any() else None
        self._pane_number = np.flatnonzero(see_through).astype(np.int32)

    def first(self, origins: Floats, directions: Floats) -> Hits:
        """The first triangle on each ray, shapes (n, 3)."""
        if not len(origins):
            empty = np.zeros(0, np.float32)
            return Hits(empty, np.zeros(0, np.int32), empty, empty)
        origins = np.ascontiguousarray(origins, np.float32)
        directions = np.ascontiguousarray(directions, np.float32)
        hits = _first_of(self._solid, origins, directions, self._solid_number)
        if self._panes is None:
            return hits
        pane = _first_of(self._panes, origins, directions, self._pane_number)
        nearer = np.flatnonzero(pane.distance < hits.distance)
        for values, instead in zip(hits, pane, strict=True):
            values[nearer] = instead[nearer]
        return hits

    def blocked(self, origins: Floats, directions: Floats, reach: Floats) -> NDArray[np.bool_]:
        """Whether anything solid lies on each ray before `reach`, shape (n,).

        Args:
            origins: Where rays start, shape (n, 3).
            directions: Where they go, shape (n, 3).
            reach: How far, in units of the direction's length, shape (n,).
        """
        if not len(origins):
            return np.zeros(0, bool)
        found = self._solid.run(
            np.ascontiguousarray(origins, np.float32),
            np.ascontiguousarray(directions, np.float32),
            dists=np.ascontiguousarray(reach, np.float32),
            query="OCCLUDED",
        )
        return np.asarray(found >= 0)


def lifted(points: Floats, normals: Floats) -> Floats:
    """Points moved off their surface along normals that look to the side rays leave from."""
    return points + normals * _SHIFT_M


def embree_version() -> str:
    """Version of the ray tracer; pixels depend on it.

    Raises:
        MissingExtraError: Embree is not installed.
    """
    _embree()
    return metadata.version("embreex")


def _first_of(tree: Any, origins: Floats, directions: Floats, number: NDArray[np.int32]) -> Hits:
    """First triangles of one tree, under their numbers in the whole mesh."""
    found = tree.run(origins, directions, query="INTERSECT", output=True)
    triangle = found["primID"]
    if len(number):
        triangle = np.where(triangle >= 0, number[triangle], np.int32(-1))
    return Hits(found["tfar"], triangle, found["u"], found["v"])


def _tree(corners: NDArray[np.float64]) -> Any:
    scene_module, mesh_module = _embree()
    scene = scene_module.EmbreeScene(_device())
    vertices = np.ascontiguousarray(corners.reshape(-1, 3), np.float32)
    faces = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    mesh_module.TriangleMesh(scene, vertices, faces)
    return scene


@cache
def _embree() -> tuple[Any, Any]:
    if importlib.util.find_spec("embreex") is None:
        raise MissingExtraError("embreex", "sim")
    try:
        return (
            importlib.import_module("embreex.rtcore_scene"),
            importlib.import_module("embreex.mesh_construction"),
        )
    except ImportError as error:
        problem = f"is installed and cannot be loaded: {error}"
        raise SimulationError("embreex", problem) from None


@cache
def _device() -> Any:
    return importlib.import_module("embreex.rtcore").EmbreeDevice()
