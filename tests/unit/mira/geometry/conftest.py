"""A room that is simple enough to be traced here: balls before a mirror on a wall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.mirror_policy import DepthNoisePolicy
from mira.geometry.pixel_rings import polygons_of_mask
from mira.geometry.plane import (
    Plane,
    intersect_rays,
    plane_at,
    reflect_points,
)
from mira.geometry.plane_fitting import depth_sigma_m
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.capture import CameraIntrinsics, SurfaceType
from mira.schema.record import FileRef

Array = NDArray[np.float64]
Ball = tuple[tuple[float, float, float], float]

CAMERA = CameraIntrinsics(
    width_px=424, height_px=240, fx_px=305, fy_px=305, cx_px=211.5, cy_px=119.5
)
MIRROR = plane_at((0.15, 0.1, -1.0), (0.0, -0.1, 2.0))
BALLS: tuple[Ball, ...] = (
    ((-0.45, 0.35, 1.55), 0.07),
    ((-0.15, 0.40, 1.35), 0.05),
    ((0.25, 0.38, 1.45), 0.06),
    ((0.50, 0.33, 1.60), 0.08),
)


@dataclass(frozen=True)
class BallRoom:
    """A mirror, a wall behind it, a wall behind the camera, and balls with ids 1, 2, …

    Surface 100 is the mirror; the reflection of ball k has id 10 + k.
    """

    mirror: Plane = MIRROR
    half_width_m: float = 0.6
    half_height_m: float = 0.4
    wall_behind_m: float = 0.0
    balls: tuple[Ball, ...] = BALLS
    shows: str = "virtual"
    noise: float = 1.0
    surface_type: SurfaceType | None = "planar_mirror"
    seed: int = 0
    linked: dict[int, int] = field(default_factory=dict)

    def depth_m(self) -> Array:
        """What a stereo camera reports of it, shape (240, 424)."""
        depth = self._traced()[0]
        rng = np.random.default_rng(self.seed)
        sigma = depth_sigma_m(depth, DepthNoisePolicy())
        # Errors that blocks of pixels share, as those of stereo do.
        coarse = rng.standard_normal((30, 53)) * 0.7
        shared = np.kron(coarse, np.ones((8, 8)))[:240, :424]
        return depth + self.noise * sigma * (shared + 0.7 * rng.standard_normal(depth.shape))

    def annotation(self) -> ImageAnnotation:
        """Its outlines, with every reflection linked."""
        _, owner = self._traced()
        links = {10 + k: k for k in range(1, len(self.balls) + 1)} | self.linked
        found = {k: _rings(owner == k) for k in (*links.values(), *links.keys())}
        ids = sorted(k for k, rings in found.items() if rings)
        return ImageAnnotation(
            image_id="room",
            annotator="test",
            revision=1,
            width_px=424,
            height_px=240,
            surfaces=(
                Surface(
                    surface_id=100,
                    surface_type=self.surface_type,
                    polygons_px=_rings((owner == 100) | (owner > 10) & (owner < 100)),
                ),
            ),
            instances=tuple(
                Instance(
                    instance_id=k,
                    visibility="reflected" if k > 10 else "direct",
                    seen_in=(100,) if k > 10 else (),
                    polygons_px=found[k],
                )
                for k in ids
            ),
            links=tuple(
                Correspondence(
                    reflected_id=k, real_id=real, reflection_of_id=real, counterpart="in_frame"
                )
                for k, real in sorted(links.items())
                if k in ids and real in ids
            ),
            source=AnnotationSource(
                format="test", file=FileRef(path="a.json", sha256="0", size_bytes=0)
            ),
        )

    def _traced(self) -> tuple[Array, NDArray[np.int64]]:
        """True z and what is seen, by pixel: a ball, 10 + a ball, 100 for the mirror, or 0."""
        rows, columns = np.mgrid[:240, :424]
        rays = deproject_rays(CAMERA, np.stack((columns, rows), axis=-1))
        normal = np.array(self.mirror.normal)
        middle = intersect_rays(np.array((0.0, -0.05, 1.0)), self.mirror)
        glass = intersect_rays(rays, self.mirror)
        wall = plane_at(normal, middle - self.wall_behind_m * normal)
        depth, owner = intersect_rays(rays, wall)[..., 2], np.zeros((240, 424), np.int64)
        right = np.cross(normal, (0, 1, 0))
        right /= np.linalg.norm(right)
        off = glass - middle
        inside = (np.abs(off @ right) <= self.half_width_m) & (
            np.abs(off @ np.cross(normal, right)) <= self.half_height_m
        )
        image, image_owner = self._reflected(rays, normal)
        depth = np.where(inside, glass[..., 2] if self.shows == "surface" else image, depth)
        owner = np.where(inside, image_owner, owner)
        for k, ball in enumerate(self.balls, start=1):
            z = _ball_z(rays, ball)
            depth, owner = np.where(z < depth, z, depth), np.where(z < depth, k, owner)
        return depth, owner

    def _reflected(self, rays: Array, normal: Array) -> tuple[Array, NDArray[np.int64]]:
        back = reflect_points((0.0, 0.0, -1.5), self.mirror)
        turned = np.array((0.0, 0.0, 1.0)) - 2 * normal[2] * normal
        depth = intersect_rays(rays, plane_at(turned, back))[..., 2]
        owner = np.full(depth.shape, 100)
        for k, (centre, radius) in enumerate(self.balls, start=1):
            x, y, z = reflect_points(centre, self.mirror)
            seen = _ball_z(rays, ((x, y, z), radius))
            depth, owner = (
                np.where(seen < depth, seen, depth),
                np.where(seen < depth, 10 + k, owner),
            )
        return depth, owner


def _ball_z(rays: Array, ball: Ball) -> Array:
    """z at which rays with z = 1 meet a ball; infinite where they miss it."""
    centre, radius = np.array(ball[0]), ball[1]
    squared = (rays**2).sum(axis=-1)
    along = rays @ centre / squared
    inside = along**2 - (centre @ centre - radius**2) / squared
    with np.errstate(invalid="ignore"):
        return np.where(inside > 0, along - np.sqrt(inside), np.inf)


def _rings(mask: NDArray[np.bool_]) -> tuple[Ring, ...]:
    return tuple(
        tuple((float(x), float(y)) for x, y in polygon.exterior.coords[:-1])
        for polygon in polygons_of_mask(mask)
        if polygon.area >= 30
    )


@pytest.fixture
def ball_room() -> Callable[..., BallRoom]:
    """Makes a room of balls before a mirror."""
    return BallRoom


@pytest.fixture
def ball_camera() -> CameraIntrinsics:
    """The camera that looks at rooms of balls."""
    return CAMERA


@pytest.fixture
def ball_at() -> Callable[[Sequence[float], float], Array]:
    """Gives the visible side of a ball as points, shape (n, 3)."""

    def _side(centre: Sequence[float], radius: float) -> Array:
        rng = np.random.default_rng(1)
        points = rng.standard_normal((600, 3))
        points *= radius / np.linalg.norm(points, axis=1, keepdims=True)
        return np.array(centre) + points[points @ np.array(centre) < 0]

    return _side
