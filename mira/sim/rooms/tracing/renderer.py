"""Pictures and truth of a room, ray by ray.

The ray through a pixel's centre decides what is true of the pixel. Light is traced from every other
pixel of every other row, straight from the lamps and scattered once, smoothed over each surface and
lent to the pixels between. Only pixels on edges get more rays, for a clean picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy, RoomPolicy
from mira.sim.rooms.tracing.film import developed
from mira.sim.rooms.tracing.finishes import Finishes, Shades
from mira.sim.rooms.tracing.lighting import Light, Strata
from mira.sim.rooms.tracing.rays import Floats, RayScene, lifted
from mira.sim.rooms.tracing.scene_mesh import SceneMesh, build_mesh
from mira.sim.rooms.tracing.sight import Chain, Sights, SightTracer
from mira.sim.rooms.tracing.smoothing import enlarged, smoothed
from mira.sim.rooms.tracing.vectors import along, dot, mapped, unit
from mira.sim.rooms.viewpoint import Viewpoint

_LUMA = np.array((0.2126, 0.7152, 0.0722), np.float32)
_FAINT_STEP = 0.06
_DULL = 0.06
"""Finishes with weaker highlights get none."""
_SUBPIXELS = ((0.0, 0.37), (0.32, -0.185), (-0.32, -0.185))
"""Extra samples of a pixel on an edge, from its centre: a triangle around it."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One of the two pictures that lie over each other: straight on, and reflected by glass.

    Attributes:
        item: Index of the item seen, directly or reflected, -1 for none, shape (height, width).
        side: Which side of the item, an index into `scene_mesh.SIDES`, same shape.
        part: Index of the part of the scene's mesh, -1 for none.
        chain_id: Index into `ViewTruth.chains` of how it is seen, -1 where the layer is empty.
        share: Share of the pixel's light that comes from this layer, in [0, 1].
    """

    item: NDArray[np.int32]
    side: NDArray[np.int8]
    part: NDArray[np.int32]
    chain_id: NDArray[np.int32]
    share: Floats


@dataclass(frozen=True, eq=False)
class ViewTruth:
    """One picture and everything true about its pixels.

    Attributes:
        colour: Picture, shape (height, width, 3), uint8 RGB.
        first_depth_m: z of the first surface, glass and mirrors included; infinite in the sky.
        virtual_depth_m: z at which two eyes would see the pixel's content: behind a mirror, the
            virtual image; behind glass, whichever of the two layers is brighter.
        first_surface: Index of the reflective surface seen at the pixel, -1 for none.
        layers: The picture straight on and, where there is glass, what the glass reflects.
        chains: Surfaces on the way, by chain id; the first is the empty chain.
    """

    colour: NDArray[np.uint8]
    first_depth_m: Floats
    virtual_depth_m: Floats
    first_surface: NDArray[np.int32]
    layers: tuple[Layer, ...]
    chains: tuple[Chain, ...]


@dataclass(frozen=True, eq=False)
class _Lit:
    """Sights of one layer with their light, spread over the picture's pixels."""

    key: NDArray[np.int32]
    """What each pixel shows, -1 for nothing, flat."""
    arriving: Floats
    """Light that arrives at each pixel's surface, flat."""
    shine: Floats
    """Highlights of each pixel, flat."""
    radiance: Floats
    """Light that comes back to the camera, flat."""


class RoomRenderer:
    """Draws views of one room."""

    def __init__(self, plan: RoomPlan, policy: RoomPolicy) -> None:
        """Prepare a room.

        Raises:
            MissingExtraError: Embree is not installed.
        """
        self.mesh: SceneMesh = build_mesh(plan)
        self._plan, self._policy = plan, policy
        see_through = np.array([surface.see_through > 0 for surface in plan.surfaces] + [False])
        self.rays = RayScene(self.mesh, see_through=see_through[self.mesh.surface])
        self._tracer = SightTracer(
            plan, self.mesh, self.rays, max_order=policy.reflection.max_order
        )
        self._finishes = Finishes(self.mesh)
        self._light = Light(plan, self._finishes, self.rays)

    def sights(self, viewpoint: Viewpoint, camera: CameraPolicy) -> tuple[Sights, Sights]:
        """Where the rays through all pixels' centres end, row by row; what glass reflects apart."""
        return self._tracer.follow(
            viewpoint.eye_m.astype(np.float32),
            pixel_directions(viewpoint, camera),
            viewpoint.axes[0],
        )

    def glances(
        self, viewpoints: Sequence[Viewpoint], camera: CameraPolicy
    ) -> tuple[Sights, Sights]:
        """What several cameras see, in one go: camera k's rays come after those of all before it.

        `virtual_length` is not to be used: it is that of the first camera's eyes.
        """
        directions = np.concatenate([pixel_directions(view, camera) for view in viewpoints])
        eyes = np.array([view.eye_m for view in viewpoints], np.float32)
        count = camera.width_px * camera.height_px
        return self._tracer.follow(
            np.repeat(eyes, count, axis=0), directions, viewpoints[0].axes[0]
        )

    def chain_of(self, code: int) -> Chain:
        """The surfaces that a chain's code in `Sights` stands for."""
        return self._tracer.chain_of(code)

    def view(self, viewpoint: Viewpoint, rng: Generator) -> ViewTruth:
        """Picture and truth from one camera.

        Args:
            viewpoint: The camera.
            rng: Source of the picture's grain; the truth does not depend on it.
        """
        camera = self._policy.camera
        straight, by_glass = self.sights(viewpoint, camera)
        layers = [straight, by_glass] if len(by_glass) else [straight]
        lit = [self._lit(layer, rng) for layer in layers]
        radiance = sum((layer.radiance for layer in lit[1:]), lit[0].radiance)
        luma = [along(layer.radiance, _LUMA) for layer in lit]
        whole = np.maximum(sum(luma[1:], luma[0]), np.float32(1e-9))
        shares = [np.asarray(part / whole, np.float32) for part in luma]
        radiance = self._with_clean_edges(viewpoint, radiance, lit)
        size = (camera.height_px, camera.width_px)
        codes = sorted(set().union({0}, *(np.unique(layer.chain).tolist() for layer in layers)))
        return ViewTruth(
            colour=developed(radiance.reshape(*size, 3), self._policy.film),
            first_depth_m=self._depth(straight.first_length).reshape(size),
            virtual_depth_m=self._virtual_depth(layers, shares).reshape(size),
            first_surface=straight.first_surface.reshape(size),
            layers=tuple(
                self._layer(layer, share, codes)
                for layer, share in zip(layers, shares, strict=True)
            ),
            chains=tuple(self._tracer.chain_of(code) for code in codes),
        )

    def _depth(self, length: Floats) -> Floats:
        """Depth z of points at given distances along all pixels' rays."""
        z = length * _slant(self._policy.camera)
        return np.where(length < 1e6, z, np.inf).astype(np.float32)

    def _virtual_depth(self, layers: list[Sights], shares: list[Floats]) -> Floats:
        length = layers[0].virtual_length.copy()
        for layer, share in zip(layers[1:], shares[1:], strict=True):
            stronger = share[layer.ray] > 0.5
            length[layer.ray[stronger]] = layer.virtual_length[stronger]
        return self._depth(length)

    def _layer(self, sights: Sights, share: Floats, codes: list[int]) -> Layer:
        size = (self._policy.camera.height_px, self._policy.camera.width_px)
        triangle, landed = sights.triangle, sights.triangle >= 0
        part = np.where(landed, self.mesh.part[triangle], -1)
        return Layer(
            item=_spread(np.where(landed, self.mesh.item[triangle], -1), sights.ray, size),
            side=_spread(np.where(landed, self.mesh.side[triangle], -1), sights.ray, size),
            part=_spread(part.astype(np.int32), sights.ray, size),
            chain_id=_spread(
                np.searchsorted(codes, sights.chain).astype(np.int32), sights.ray, size
            ),
            share=np.asarray(share.reshape(size), np.float32),
        )

    def _lit(self, sights: Sights, rng: Generator) -> _Lit:
        """Light at the ends of one ray a pixel, or of none."""
        count = self._policy.camera.width_px * self._policy.camera.height_px
        key = np.full(count, -1, np.int32)
        arriving, shine, radiance = (np.zeros((count, 3), np.float32) for _ in range(3))
        sky = sights.triangle < 0
        radiance[sights.ray[sky]] = self._light.sky(sights.direction[sky]) * sights.weight[sky]
        ends = sights.without(sky)
        place = _places(ends, count)
        shades = self._shades(ends)
        key[place] = self._keys(ends)
        arriving[place] = self._arriving(ends, shades, key, rng)[place]
        light = arriving[place]
        glossy = np.flatnonzero(shades.gloss > _DULL)
        highlights = self._light.highlights(
            np.take(ends.point, glossy, axis=0),
            np.take(shades.normal, glossy, axis=0),
            -np.take(ends.direction, glossy, axis=0),
            np.take(shades.sharpness, glossy),
        )
        shine[ends.ray[glossy]] = highlights * _shadow(np.take(light, glossy, axis=0))
        radiance[place] += ends.weight * _outgoing(shades, light, shine[place])
        return _Lit(key, arriving, shine, radiance)

    def _shades(self, ends: Sights) -> Shades:
        return self._finishes.at(ends, ends.length / np.float32(self._policy.camera.focal_px))

    def _keys(self, ends: Sights) -> NDArray[np.int32]:
        """A number for what is seen and how, the same all over one surface."""
        return np.take(self.mesh.part, ends.triangle) + len(self.mesh.finishes) * ends.chain

    def _arriving(
        self, ends: Sights, shades: Shades, key: NDArray[np.int32], rng: Generator
    ) -> Floats:
        """Smoothed light at every pixel's surface, flat; it is traced at every other one."""
        camera, policy = self._policy.camera, self._policy.light
        size = (camera.height_px, camera.width_px)
        normals, keys = _planes(shades.normal, ends, size), key.reshape(size)
        row, column = np.divmod(ends.ray, camera.width_px)
        few = np.flatnonzero((row % 2 == 0) & (column % 2 == 0))
        row, column = row[few] // 2, column[few] // 2
        there = np.take(shades.normal, few, axis=0)
        points = lifted(np.take(ends.point, few, axis=0), np.take(shades.flat_normal, few, axis=0))
        strata = Strata(rng, len(few), column % 2 + 2 * (row % 2))
        small_key = np.ascontiguousarray(keys[::2, ::2])
        small_normals = np.ascontiguousarray(normals[:, ::2, ::2])

        def even(light: Floats, steps_px: tuple[int, ...]) -> Floats:
            planes = np.zeros((3, *small_key.shape), np.float32)
            planes[:, row, column] = light.T
            return smoothed(planes, small_key, small_normals, steps_px=steps_px)

        straight = self._averaged(self._light.direct, points, there, strata, policy.lamp_samples)
        scattered = self._averaged(
            self._light.scattered, points, there, strata, policy.scatter_samples
        )
        light = even(straight, policy.lamp_smoothing_px)
        light += even(scattered, policy.scatter_smoothing_px)
        full = enlarged(light, small_key, small_normals, keys, normals)
        return np.ascontiguousarray(full.reshape(3, -1).T)

    @staticmethod
    def _averaged(
        light: Callable[[Floats, Floats, Strata], Floats],
        points: Floats,
        normals: Floats,
        strata: Strata,
        samples: int,
    ) -> Floats:
        total = light(points, normals, strata)
        for _ in range(samples - 1):
            total += light(points, normals, strata)
        return total / np.float32(samples)

    def _with_clean_edges(self, viewpoint: Viewpoint, radiance: Floats, lit: list[_Lit]) -> Floats:
        """Pixels on edges averaged over more rays."""
        camera = self._policy.camera
        shape = (camera.height_px, camera.width_px)
        edge = np.zeros(shape, bool)
        shown = np.sqrt(radiance).reshape(*shape, 3)
        for layer in lit:
            _mark_edges(edge, layer.key.reshape(shape), shown)
        pixels = np.flatnonzero(edge)
        total = radiance[pixels]
        eye = viewpoint.eye_m.astype(np.float32)
        for offset in _SUBPIXELS:
            directions = pixel_directions(viewpoint, camera, pixels, offset)
            layers = self._tracer.follow(eye, directions, viewpoint.axes[0])
            for sights, layer in zip(layers, lit, strict=False):
                self._add_borrowed(total, sights, pixels, layer)
        cleaned = radiance.copy()
        cleaned[pixels] = total / np.float32(1 + len(_SUBPIXELS))
        return cleaned

    def _add_borrowed(
        self, total: Floats, sights: Sights, pixels: NDArray[np.intp], layer: _Lit
    ) -> None:
        """Add extra rays' light, lit as the nearest pixel that shows the same surface."""
        camera = self._policy.camera
        sky = np.flatnonzero(sights.triangle < 0)
        total[sights.ray[sky]] += self._light.sky(sights.direction[sky]) * sights.weight[sky]
        ends = sights.without(sights.triangle < 0)
        place = _nearest_alike(
            self._keys(ends), pixels[ends.ray], layer.key, (camera.height_px, camera.width_px)
        )
        light = _outgoing(self._shades(ends), layer.arriving[place], layer.shine[place])
        total[ends.ray] += light * ends.weight


def pixel_directions(
    viewpoint: Viewpoint,
    camera: CameraPolicy,
    pixels: NDArray[np.intp] | None = None,
    offset: tuple[float, float] = (0.0, 0.0),
) -> Floats:
    """Unit directions of rays through pixels, in the room frame, shape (n, 3).

    Args:
        viewpoint: Pose of the camera.
        camera: Its picture.
        pixels: Flat indices of pixels; all of them, row by row, when missing.
        offset: Columns and rows from the pixels' centres.
    """
    return unit(mapped(_camera_rays(camera, pixels, offset), viewpoint.axes.T))


def _camera_rays(
    camera: CameraPolicy, pixels: NDArray[np.intp] | None, offset: tuple[float, float]
) -> Floats:
    """Directions with z = 1 in the camera frame, shape (n, 3)."""
    if pixels is None:
        return _all_camera_rays(camera)
    lens = camera.intrinsics()
    row, column = np.divmod(pixels, camera.width_px)
    rays = np.ones((len(pixels), 3), np.float32)
    rays[:, 0] = (column + (offset[0] - lens.cx_px)) / lens.fx_px
    rays[:, 1] = (row + (offset[1] - lens.cy_px)) / lens.fy_px
    return rays


@lru_cache(maxsize=4)
def _all_camera_rays(camera: CameraPolicy) -> Floats:
    """The rays through all pixels' centres."""
    return _camera_rays(camera, np.arange(camera.width_px * camera.height_px), (0.0, 0.0))


@lru_cache(maxsize=4)
def _slant(camera: CameraPolicy) -> Floats:
    """Depth z of a unit step along each pixel's ray."""
    rays = _all_camera_rays(camera)
    return np.asarray(1 / np.sqrt(dot(rays, rays)), np.float32)


def _outgoing(shades: Shades, arriving: Floats, shine: Floats) -> Floats:
    return shades.albedo * arriving + shades.glow + shades.gloss[:, None] * shine


def _shadow(arriving: Floats) -> Floats:
    """How much of the highlights is left in the shade: none without light."""
    luma = along(arriving, _LUMA)
    return np.asarray(np.clip(luma / np.float32(0.15), 0, 1)[:, None], np.float32)


def _spread(values: NDArray[Any], ray: NDArray[np.int32], size: tuple[int, int]) -> NDArray[Any]:
    """Values at some pixels as a picture, -1 elsewhere."""
    picture = np.full(size[0] * size[1], -1, values.dtype)
    picture[ray] = values
    return picture.reshape(size)


def _places(sights: Sights, count: int) -> slice | NDArray[np.int32]:
    """Where sights go in a flat picture of `count` pixels; all of it if each pixel has one."""
    return slice(None) if len(sights) == count else sights.ray


def _planes(values: Floats, sights: Sights, size: tuple[int, int]) -> Floats:
    """Vectors of some pixels as three pictures, zero elsewhere, shape (3, height, width)."""
    planes = np.zeros((3, size[0] * size[1]), np.float32)
    planes[:, _places(sights, planes.shape[1])] = values.T
    return planes.reshape(3, *size)


def _mark_edges(edge: NDArray[np.bool_], key: NDArray[np.int32], shown: Floats) -> None:
    """Mark both sides of edges that can be seen.

    Args:
        edge: Takes the marks, shape (height, width).
        key: What each pixel shows.
        shown: Brightness as the eye sees it: the root of light, shape (height, width, 3).
    """
    for here, there in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:], np.s_[:-1])):
        row, column = np.nonzero(key[here] != key[there])
        one, other = shown[here][row, column], shown[there][row, column]
        step, level = np.abs(one - other).max(axis=1), np.maximum(one, other).max(axis=1)
        seen = step > _FAINT_STEP * level
        edge[here][row[seen], column[seen]] = True
        edge[there][row[seen], column[seen]] = True


def _nearest_alike(
    keys: NDArray[np.int32],
    pixels: NDArray[np.intp],
    layer_key: NDArray[np.int32],
    shape: tuple[int, int],
) -> NDArray[np.intp]:
    """For each key a pixel within one step that shows the same, else the pixel itself."""
    row, column = np.divmod(pixels, shape[1])
    best = pixels.copy()
    found = layer_key[pixels] == keys
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            near = np.clip(row + down, 0, shape[0] - 1) * shape[1] + np.clip(
                column + right, 0, shape[1] - 1
            )
            better = ~found & (layer_key[near] == keys)
            best[better] = near[better]
            found |= better
    return best
