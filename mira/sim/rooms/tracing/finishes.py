"""Colours of surfaces where rays end."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Finish, Texture
from mira.sim.rooms.tracing.rays import Floats
from mira.sim.rooms.tracing.scene_mesh import SceneMesh
from mira.sim.rooms.tracing.sight import Sights
from mira.sim.rooms.tracing.vectors import dot, unit

_GLOW = np.float32(2.4)
"""Radiance of a finish that glows with all its strength."""
_ROW = 4096
_CURVED = 1e-4
_CUBE = 6


@dataclass(frozen=True, eq=False)
class Shades:
    """What light meets at the ends of rays; arrays over k ends, colours linear.

    Attributes:
        albedo: Share of light that is scattered, shape (k, 3).
        glow: Radiance given off, shape (k, 3).
        gloss: Strength of highlights, shape (k,).
        sharpness: Exponent of highlights, shape (k,).
        normal: Unit shading normals on the side of the ray, shape (k, 3).
        flat_normal: Unit normals of the triangles, on the side of the ray, shape (k, 3).
    """

    albedo: Floats
    glow: Floats
    gloss: Floats
    sharpness: Floats
    normal: Floats
    flat_normal: Floats


def to_linear(colour: NDArray[np.floating]) -> Floats:
    """Display colours in [0, 1] as linear light."""
    return np.asarray(np.clip(colour, 0, 1), np.float32) ** np.float32(2.2)


_LINEAR_OF_BYTE = to_linear(np.arange(256) / 255)
_LIGHT_OF_BYTE = np.round(_LINEAR_OF_BYTE * 65535).astype(np.uint16)
_LIGHT_SHIFT = 2
_BYTE_OF_LIGHT = np.round(255 * (np.arange(1 << 14) / ((1 << 14) - 1)) ** (1 / 2.2)).astype(
    np.uint8
)
_SMALLEST_PX = 4


class Finishes:
    """The finishes of a scene, ready to be looked up by the thousand."""

    def __init__(self, mesh: SceneMesh) -> None:
        self._mesh = mesh
        finishes = mesh.finishes
        self._rgb = to_linear(np.array([finish.rgb for finish in finishes]))
        self._glow = np.array([finish.glow for finish in finishes], np.float32)
        self._gloss = np.array([finish.specular for finish in finishes], np.float32)
        shininess = np.array([finish.shininess for finish in finishes], np.float32)
        self._sharpness = np.float32(2) ** (2 + 7 * shininess)
        self._pictures: list[list[NDArray[np.uint8]]] = []
        first = self._load_pictures(finishes)
        triangle_first = first[mesh.part]
        self._picture = np.where(
            (mesh.picture >= 0) & (triangle_first >= 0), triangle_first + mesh.picture, -1
        )
        self._density = self._texels_per_metre()
        self._flat_normals = _flat_normals(mesh.corners)
        spread = np.abs(mesh.normals - self._flat_normals[:, None]).max(axis=(1, 2))
        self._curved = spread > _CURVED
        self.mean_albedo = self._mean_of_part[mesh.part]
        """Mean colour around each triangle, for light that has been scattered once already."""
        self.triangle_glow = self.mean_albedo * (_GLOW * self._glow[mesh.part])[:, None]
        """Radiance that each triangle gives off."""

    def flat_normals_of(self, triangle: NDArray[np.int32], direction: Floats) -> Floats:
        """Unit normals of triangles, on the side that rays of a direction come from."""
        return _towards(np.take(self._flat_normals, triangle, axis=0), direction, -1)

    def at(self, sights: Sights, footprint_m: Floats) -> Shades:
        """Shades at the ends of rays that end on something.

        Args:
            sights: The rays; none ends in the sky.
            footprint_m: Width of a pixel where each ray ends, shape (k,).
        """
        triangle = sights.triangle
        part = self._mesh.part[triangle]
        flat = self.flat_normals_of(triangle, sights.direction)
        normal = self._smooth_normals(sights, flat)
        slant = np.maximum(np.abs(dot(flat, sights.direction)), np.float32(0.05))
        width = np.asarray(footprint_m / np.sqrt(slant), np.float32)
        albedo = self._albedo(triangle, part, sights, width)
        return Shades(
            albedo=albedo,
            glow=albedo * (_GLOW * self._glow[part])[:, None],
            gloss=self._gloss[part],
            sharpness=self._sharpness[part],
            normal=normal,
            flat_normal=flat,
        )

    def _smooth_normals(self, sights: Sights, flat: Floats) -> Floats:
        """Shading normals on the side of the flat ones; triangles without a curve keep those."""
        curved = np.flatnonzero(np.take(self._curved, sights.triangle))
        triangle = sights.triangle[curved]
        corners = np.take(self._mesh.normals, triangle, axis=0)
        normal = flat.copy()
        bent = unit(_mixed(corners, sights.u[curved], sights.v[curved]))
        normal[curved] = _towards(bent, np.take(flat, curved, axis=0), 1)
        return normal

    def _albedo(
        self, triangle: NDArray[np.int32], part: NDArray[np.int32], sights: Sights, width_m: Floats
    ) -> Floats:
        albedo = self._mean_of_part[part]
        picture = self._picture[triangle]
        chosen = np.flatnonzero(picture >= 0)
        if not len(chosen):
            return albedo
        triangle, picture = triangle[chosen], picture[chosen]
        uv = _mixed(self._mesh.uv[triangle], sights.u[chosen], sights.v[chosen])
        level = np.log2(np.maximum(width_m[chosen] * self._density[triangle], 1.0))
        level = np.minimum(np.round(level).astype(np.int32), 7)
        key = picture * 8 + level
        order = np.argsort(key, kind="stable")
        bounds = np.flatnonzero(np.diff(key[order], prepend=-1))
        for group in np.split(order, bounds[1:]):
            pyramid = self._pictures[picture[group[0]]]
            image = pyramid[min(int(level[group[0]]), len(pyramid) - 1)]
            albedo[chosen[group]] = _looked_up(image, uv[group]) * self._rgb[part[chosen[group]]]
        return albedo

    def _load_pictures(self, finishes: tuple[Finish, ...]) -> NDArray[np.int32]:
        """Fill the list of pictures; index of each finish's first one, -1 for none."""
        first = np.full(len(finishes), -1, np.int32)
        self._mean_of_part = self._rgb.copy()
        seen: dict[int, tuple[int, Floats]] = {}
        for index, finish in enumerate(finishes):
            texture = finish.texture
            if texture is None:
                continue
            if id(texture) not in seen:
                start = len(self._pictures)
                self._pictures += [_pyramid(picture) for picture in _faces(texture)]
                mean = _LINEAR_OF_BYTE[self._pictures[start][-1]].mean(axis=(0, 1))
                seen[id(texture)] = start, mean
            first[index], mean = seen[id(texture)]
            self._mean_of_part[index] *= mean
        return first

    def _texels_per_metre(self) -> Floats:
        """How fine each triangle's picture is."""
        mesh = self._mesh
        with_picture = np.flatnonzero(self._picture >= 0)
        density = np.zeros(len(mesh.part), np.float32)
        corners, uv = mesh.corners[with_picture], mesh.uv[with_picture]
        edge = np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2).max(axis=1)
        span = np.linalg.norm(uv[:, 1:] - uv[:, :1], axis=2).max(axis=1)
        size = np.array([p[0].shape[1] for p in self._pictures] or [1], np.float32)
        density[with_picture] = span * size[self._picture[with_picture]] / np.maximum(edge, 1e-9)
        return density


def _faces(texture: Texture) -> list[NDArray[np.uint8]]:
    if not texture.cube:
        return [texture.pixels]
    return np.split(texture.pixels, _CUBE)


def _pyramid(picture: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """The picture at half, a quarter … of its size, averaged as light is."""
    levels = [np.ascontiguousarray(picture)]
    light = np.take(_LIGHT_OF_BYTE, levels[0])
    while min(light.shape[:2]) > _SMALLEST_PX:
        height, width = light.shape[:2]
        half = cv2.resize(light, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        light = np.asarray(half, np.uint16)
        levels.append(np.take(_BYTE_OF_LIGHT, light >> _LIGHT_SHIFT))
    return levels


def _looked_up(image: NDArray[np.uint8], uv: Floats) -> Floats:
    """Linear colours of a repeated picture, shape (n, 3)."""
    height, width = image.shape[:2]
    count = len(uv)
    rows = -(-count // _ROW)
    place = np.zeros((rows * _ROW, 2), np.float32)
    place[:count] = (uv - np.floor(uv)) * (width, height) - 0.5
    across, down = np.ascontiguousarray(place.reshape(rows, _ROW, 2).transpose(2, 0, 1))
    mapped = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return np.take(_LINEAR_OF_BYTE, np.asarray(mapped, np.uint8).reshape(-1, 3)[:count])


def _mixed(corners: Floats, u: Floats, v: Floats) -> Floats:
    """Values at points of triangles from values at their corners, shape (n, 3, d)."""
    mixed = corners[:, 0] * (1 - u - v)[:, None]
    mixed += corners[:, 1] * u[:, None]
    mixed += corners[:, 2] * v[:, None]
    return mixed


def _flat_normals(corners: NDArray[np.float64]) -> Floats:
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / np.maximum(length, 1e-30), np.float32)


def _towards(normals: Floats, vectors: Floats, sign: int) -> Floats:
    """Normals turned so that their products with vectors have a sign."""
    turn = np.where(dot(normals, vectors) < 0, np.float32(-sign), np.float32(sign))
    return np.asarray(normals * turn[:, None], np.float32)
