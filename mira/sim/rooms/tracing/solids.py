"""Parts as triangles: corners, smooth normals, texture coordinates.

Every renderer of a room takes its triangles from here, so that two renderers differ in how they
look at a scene and not in what they look at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Part

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_AROUND_M = ((0.008, 10), (0.025, 20), (0.15, 36))
"""Radius up to which a cylinder has so many sides; thicker ones have more."""
_MOST_AROUND = 56
_CREASE_COS = 0.77
"""Faces that meet at less than 40 degrees are shaded as one smooth surface."""
_SPHERE_STEPS_M = ((0.02, 1), (0.06, 2), (1.5, 3))
"""Largest half axis up to which a ball is divided so often; larger ones once more."""
_SAME_POINT_M = 1e-5
_CUBE_FACE = {(0, 1): 0, (0, -1): 1, (1, 1): 2, (1, -1): 3, (2, 1): 4, (2, -1): 5}


class Triangles(NamedTuple):
    """A part's surface in its own frame.

    Attributes:
        corners: Positions, metres, shape (n, 3, 3): triangle, corner, axis.
        normals: Unit shading normals, same shape.
        uv: Texture coordinates, 1 a tile, v down, shape (n, 3, 2).
        picture: Which of its texture's pictures a triangle shows, shape (n,): 0 to 5 of a cube
            texture, 0 of any other, -1 where it shows the texture's mean colour.
    """

    corners: Floats
    normals: Floats
    uv: Floats
    picture: Ints


@dataclass(frozen=True, eq=False)
class _Surface:
    corners: Floats
    normals: Floats


def triangles_of(part: Part) -> Triangles:
    """The surface of a part."""
    surface = _surface(part)
    uv, picture = _texture_coordinates(part, surface)
    return Triangles(surface.corners, surface.normals, uv, picture)


def _surface(part: Part) -> _Surface:
    size = np.array(part.size_m)
    if part.mesh is not None:
        mesh = part.mesh
        vertices = np.asarray(mesh.vertices_m, np.float64)
        return _smoothed(vertices.tobytes(), mesh.faces.tobytes(), mesh.faces.dtype.str)
    if part.shape == "box":
        unit = _unit_box()
        return _Surface(unit.corners * size, unit.normals)
    if part.shape == "cylinder":
        unit = _unit_cylinder(_sides_around(float(size[0])))
        return _Surface(unit.corners * (size[0], size[0], size[1]), unit.normals)
    if part.shape == "capsule":
        unit = _unit_capsule(_sides_around(float(size[0])) // 2 + 2)
        shift = np.sign(unit.normals[..., 2:]) * (0.0, 0.0, 1.0) * size[1]
        return _Surface(unit.corners * size[0] + shift, unit.normals)
    axes = size if len(size) == 3 else np.repeat(size, 3)
    unit = _unit_ball(_divisions(float(axes.max())))
    normals = unit.normals / axes
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return _Surface(unit.corners * axes, normals)


def _sides_around(radius_m: float) -> int:
    for limit, count in _AROUND_M:
        if radius_m <= limit:
            return count
    return _MOST_AROUND


def _divisions(half_axis_m: float) -> int:
    for limit, divisions in _SPHERE_STEPS_M:
        if half_axis_m <= limit:
            return divisions
    return _SPHERE_STEPS_M[-1][1] + 1


@lru_cache(maxsize=1)
def _unit_box() -> _Surface:
    corners, normals = [], []
    for axis in range(3):
        for sign in (1.0, -1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            out = sign * np.eye(3)[axis]
            a, b = (u, v) if sign > 0 else (v, u)
            ring = [out - a - b, out + a - b, out + a + b, out - a + b]
            corners += [[ring[0], ring[1], ring[2]], [ring[0], ring[2], ring[3]]]
            normals += [[out] * 3] * 2
    return _Surface(np.array(corners), np.array(normals))


@lru_cache(maxsize=8)
def _unit_cylinder(around: int) -> _Surface:
    angles = np.linspace(0, 2 * np.pi, around + 1)
    rim = np.stack((np.cos(angles), np.sin(angles), np.zeros_like(angles)), axis=-1)
    rim[-1] = rim[0]
    up = np.array((0.0, 0.0, 1.0))
    low, high = rim - up, rim + up
    side = np.concatenate(
        (
            np.stack((low[:-1], low[1:], high[1:]), axis=1),
            np.stack((low[:-1], high[1:], high[:-1]), axis=1),
        )
    )
    side_normals = np.concatenate(
        (
            np.stack((rim[:-1], rim[1:], rim[1:]), axis=1),
            np.stack((rim[:-1], rim[1:], rim[:-1]), axis=1),
        )
    )
    centre = np.zeros((around, 3))
    lid = np.stack((centre + up, high[:-1], high[1:]), axis=1)
    base = np.stack((centre - up, low[1:], low[:-1]), axis=1)
    caps = np.concatenate((np.broadcast_to(up, lid.shape), np.broadcast_to(-up, base.shape)))
    return _Surface(np.concatenate((side, lid, base)), np.concatenate((side_normals, caps)))


@lru_cache(maxsize=8)
def _unit_capsule(around: int) -> _Surface:
    """A ball whose halves are told apart by the sign of the normal's z; the seam is the side."""
    rise = np.linspace(0, np.pi / 2, max(around // 4, 2) + 1)
    upper = np.stack((np.cos(rise), np.sin(rise)), axis=-1)
    lower = upper[::-1] * (1, -1)
    tiny = 1e-9
    lower[-1, 1], upper[0, 1] = -tiny, tiny
    profile = np.concatenate((lower, upper))
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    grid = np.stack(
        (
            profile[:, :1] * np.cos(angles),
            profile[:, :1] * np.sin(angles),
            np.repeat(profile[:, 1:], around, axis=1),
        ),
        axis=-1,
    )
    after = np.roll(grid, -1, axis=1)
    a, b, c, d = grid[:-1], after[:-1], grid[1:], after[1:]
    corners = np.concatenate(
        (
            np.stack((a, b, d), axis=2).reshape(-1, 3, 3),
            np.stack((a, d, c), axis=2).reshape(-1, 3, 3),
        )
    )
    return _Surface(corners, corners.copy())


@lru_cache(maxsize=8)
def _unit_ball(divisions: int) -> _Surface:
    """A regular icosahedron, divided and blown up."""
    golden = (1 + 5**0.5) / 2
    raw = [(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0)]
    turned = [(z, x, y) for x, y, z in raw] + [(y, z, x) for x, y, z in raw]
    points = np.array(raw + turned, np.float64) / np.hypot(1.0, golden)
    distance = np.linalg.norm(points[:, None] - points[None], axis=-1)
    near = distance < distance[distance > 1e-9].min() * 1.01
    faces = [
        (i, j, k)
        for i in range(12)
        for j in range(i + 1, 12)
        for k in range(j + 1, 12)
        if near[i, j] and near[j, k] and near[i, k]
    ]
    corners: Floats = points[np.array(faces)]
    flipped = np.einsum(
        "ni,ni->n",
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]),
        corners.mean(axis=1),
    )
    corners[flipped < 0] = corners[flipped < 0][:, ::-1]
    for _ in range(divisions):
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        quarters = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        corners = np.concatenate([np.stack(quarter, axis=1) for quarter in quarters])
        corners = corners / np.linalg.norm(corners, axis=-1, keepdims=True)
    return _Surface(corners, corners.copy())


@lru_cache(maxsize=128)
def _smoothed(vertices: bytes, faces: bytes, face_type: str) -> _Surface:
    """A mesh with normals averaged over neighbours, but not across creases.

    Takes contents, not a mesh: most things are made alike in scene after scene.
    """
    points = np.frombuffer(vertices, np.float64).reshape(-1, 3)
    corners = points[np.frombuffer(faces, face_type).reshape(-1, 3)]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(across, axis=1, keepdims=True)
    keep = area[:, 0] > 1e-14
    corners, across, area = corners[keep], across[keep], area[keep]
    face_normals = across / area
    vertex = _vertex_numbers(corners.reshape(-1, 3))
    order = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex)
    start = np.cumsum(count) - count
    # Every pair of corners that share a vertex, as (corner, other corner).
    sizes = count[vertex]
    first = np.repeat(np.arange(len(vertex)), sizes)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    other = order[start[vertex[first]] + offset]
    mine, theirs = face_normals[first // 3], across[other // 3]
    smooth = np.einsum("ni,ni->n", mine, face_normals[other // 3]) > _CREASE_COS
    total = np.stack(
        [np.bincount(first[smooth], theirs[smooth, k], len(vertex)) for k in range(3)], axis=-1
    )
    unit: Floats = total / np.linalg.norm(total, axis=1, keepdims=True)
    return _Surface(corners, unit.reshape(-1, 3, 3))


def _vertex_numbers(points: Floats) -> Ints:
    """A number for each point, the same for points that coincide."""
    steps = np.round((points - points.min(axis=0)) / _SAME_POINT_M).astype(np.int64)
    size = steps.max(axis=0) + 1
    packed = (steps[:, 0] * size[1] + steps[:, 1]) * size[2] + steps[:, 2]
    return np.unique(packed, return_inverse=True)[1]


def _texture_coordinates(part: Part, surface: _Surface) -> tuple[Floats, Ints]:
    texture, corners = part.finish.texture, surface.corners
    count = len(corners)
    if texture is None:
        return np.zeros((count, 3, 2)), np.full(count, -1)
    axis, sign = _dominant(surface)
    across, down = _face_plane(corners, axis, sign)
    if texture.cube or part.finish.tile_m is None:
        half = np.abs(corners).max(axis=(0, 1))
        wide = np.where(axis == 0, half[1], half[0])[:, None]
        high = np.where(axis == 2, half[1], half[2])[:, None]
        uv = np.stack((0.5 + across / (2 * wide + 1e-12), 0.5 + down / (2 * high + 1e-12)), -1)
        if texture.cube:
            table = np.array([[_CUBE_FACE[k, 1], _CUBE_FACE[k, -1]] for k in range(3)])
            return uv, table[axis, (sign < 0).astype(int)]
        if part.shape in ("sphere", "ellipsoid"):
            return _around_the_ball(corners, half), np.zeros(count, np.int64)
        flat = (axis == 2) & (part.shape in ("box", "cylinder"))
        return uv, np.where(flat, 0, -1)
    return np.stack((across, down), axis=-1) / part.finish.tile_m, np.zeros(count, np.int64)


def _dominant(surface: _Surface) -> tuple[Ints, Ints]:
    """Axis along which each triangle mostly looks, and whether up or down it."""
    out = np.cross(
        surface.corners[:, 1] - surface.corners[:, 0],
        surface.corners[:, 2] - surface.corners[:, 0],
    )
    axis = np.argmax(np.abs(out), axis=1)
    return axis, np.sign(out[np.arange(len(out)), axis]).astype(np.int64)


def _face_plane(corners: Floats, axis: Ints, sign: Ints) -> tuple[Floats, Floats]:
    """Metres to the right and down on each triangle's side, as seen from outside.

    Up is +z on upright sides and +y on those that lie flat.
    """
    x, y, z = corners[..., 0], corners[..., 1], corners[..., 2]
    side, turned = axis[:, None], sign[:, None]
    across = np.where(side == 0, y * turned, np.where(side == 1, -x * turned, x * turned))
    down = np.where(side == 2, -y, -z)
    return across, down


def _around_the_ball(corners: Floats, half: Floats) -> Floats:
    """Longitude and latitude; triangles on the seam go on past 1."""
    unit = corners / np.maximum(half, 1e-12)
    u = np.arctan2(unit[..., 1], unit[..., 0]) / (2 * np.pi) + 0.5
    u = np.where(u.max(axis=1, keepdims=True) - u > 0.5, u + 1, u)
    return np.stack((u, 0.5 - np.arcsin(np.clip(unit[..., 2], -1, 1)) / np.pi), axis=-1)
