"""What stands around the camera, as far as depth and mirrors show it.

Readings that are seen directly, readings in flat mirrors put back across them, and the mirrors
themselves. What nothing was measured of is unknown, neither free nor taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.ground import Ground, find_ground, level_ground
from mira.geometry.plane import Plane, intersect_rays, reflect_points
from mira.geometry.walking import free_distance
from mira.schema.capture import CameraIntrinsics
from qa_gen.proposing.measured import MeasuredPicture

Array = NDArray[np.float64]
WAYS: Mapping[str, tuple[float, float]] = {
    "left": (-1.0, 0.0),
    "right": (1.0, 0.0),
    "forward": (0.0, 1.0),
    "backward": (0.0, -1.0),
}
"""Movements over the floor, as unit vectors of the ground frame."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Readings in the frame of the ground: x right, y ahead, z up, metres, camera over the origin.

    Attributes:
        ground: The floor.
        is_floor_seen: Whether it was found among the readings; else the camera is taken to be
            level and at a usual height.
        points_m: Readings, shape (n, 3).
        picture: The picture.
    """

    ground: Ground
    is_floor_seen: bool
    points_m: Array
    picture: MeasuredPicture

    @cached_property
    def obstacles_m(self) -> Array:
        """Readings in the way of a walking body, over the floor, shape (n, 2)."""
        walker = self.picture.policy.spatial.walker
        height = self.points_m[:, 2]
        way = (height > walker.step_height_m) & (height < walker.body_height_m)
        return self._dense(self.points_m[way][:, :2])

    @cached_property
    def floor_m(self) -> Array:
        """Readings of the floor, shape (n, 2)."""
        step = self.picture.policy.spatial.walker.step_height_m
        return np.asarray(self.points_m[np.abs(self.points_m[:, 2]) < step][:, :2])

    def free_m(self, direction: Sequence[float]) -> float:
        """Way over the floor in a direction before the body meets a reading; infinite if none.

        Args:
            direction: Unit vector x, y.
        """
        way = (float(direction[0]), float(direction[1]))
        if way not in self._free_m:
            self._free_m[way] = self._measured_free_m(np.array(way))
        return self._free_m[way]

    @cached_property
    def _free_m(self) -> dict[tuple[float, float], float]:
        return {}

    def _measured_free_m(self, direction: Array) -> float:
        return free_distance(
            self.obstacles_m,
            origin_m=np.zeros(2),
            direction=direction,
            radius_m=self.picture.policy.spatial.walker.radius_m,
        )

    def readings_ahead(self, direction: Sequence[float], *, within_m: float) -> int:
        """Readings in the body's way over the floor, in a direction up to a distance."""
        ahead = self.obstacles_m @ np.array(direction)
        aside = self.obstacles_m @ np.array((-direction[1], direction[0]))
        radius = self.picture.policy.spatial.walker.radius_m
        return int(((ahead > 0) & (ahead < within_m + radius) & (np.abs(aside) < radius)).sum())

    def seen_share(self, target_m: Array, *, until_m: float) -> float:
        """Share of the way to a place on whose floor there are readings.

        The first part of the way is left out: the picture's lower edge hides it.

        Args:
            target_m: Place on the floor, x, y.
            until_m: How far from the place the way ends.
        """
        distance = float(np.linalg.norm(target_m))
        policy = self.picture.policy
        spots = np.arange(policy.blind_zone_m, distance - until_m, policy.look_step_m)
        if not len(spots):
            return 1.0
        if not len(self.floor_m):
            return 0.0
        way = spots[:, None] * target_m / distance
        apart = np.linalg.norm(way[:, None] - self.floor_m[None], axis=2).min(axis=1)
        return float((apart < policy.spatial.walker.radius_m).mean())

    def _dense(self, points: Array) -> Array:
        """Points that are not alone in their cell: readings at edges hang in the air."""
        if not len(points):
            return points
        policy = self.picture.policy
        cells = np.floor(points / policy.spatial.walker.cell_m).astype(np.int64)
        cells -= cells.min(axis=0)
        place = cells[:, 0] * (int(cells[:, 1].max()) + 1) + cells[:, 1]
        dense = points[np.bincount(place)[place] >= policy.least_readings]
        # Ways are looked for along them often, all x and all y at once.
        return np.asfortranarray(dense)


def look_around(picture: MeasuredPicture, rng: Generator) -> Surroundings | None:
    """What stands around the camera; None without metric depth or camera.

    Args:
        picture: A picture in metres.
        rng: For the fit of the floor.
    """
    camera, depth_m = picture.camera, picture.depth_m
    if camera is None or depth_m is None:
        return None
    direct, reflected = _readings(picture, camera)
    points = np.concatenate((direct, reflected))
    found = find_ground(points, policy=picture.policy.ground, rng=rng)
    ground = found or level_ground(picture.policy.usual_height_m)
    reflected = ground.from_camera(reflected)
    others = np.hypot(reflected[:, 0], reflected[:, 1]) > picture.policy.carrier_m
    points = np.concatenate((ground.from_camera(direct), reflected[others]))
    return Surroundings(ground, found is not None, points, picture)


def _readings(picture: MeasuredPicture, camera: CameraIntrinsics) -> tuple[Array, Array]:
    """Points of all that is measured, where it really is, camera frame.

    Returns:
        What is seen directly, the glass of flat surfaces too, and what mirrors show.
    """
    assert picture.depth_m is not None
    every = slice(picture.policy.every_px // 2, None, picture.policy.every_px)
    depth = picture.depth_m[every, every].ravel()
    owner = _surface_at(picture)[every, every].ravel()
    valid = (depth > 0) & (depth < picture.policy.farthest_m)
    rays = _rays(camera, picture.policy.every_px)
    direct = valid & (owner == 0)
    found = [rays[direct] * depth[direct, None]]
    reflected = [np.zeros((0, 3))]
    for surface in picture.scene.surfaces:
        mirror = surface.mirror
        inside = owner == surface.surface_id
        if mirror.plane is None or not inside.any():
            continue
        glass = intersect_rays(rays[inside], mirror.plane)
        found.append(glass[glass[:, 2] < picture.policy.farthest_m])
        trusted = mirror.trust >= picture.policy.geometry.verdict.trust_to_place
        if mirror.depth_shows == "reflection" and trusted:
            seen = inside & valid
            reflected.append(_put_back(rays[seen] * depth[seen, None], mirror.plane))
    return np.concatenate(found), np.concatenate(reflected)


@lru_cache(maxsize=2)
def _rays(camera: CameraIntrinsics, every_px: int) -> Array:
    """Rays with z = 1 on which a camera's chosen pixels see, row by row; shape (n, 3)."""
    sizes = (camera.width_px, camera.height_px)
    pixels = np.stack(np.meshgrid(*(np.arange(every_px // 2, n, every_px) for n in sizes)), axis=-1)
    return deproject_rays(camera, pixels.reshape(-1, 2))


def _put_back(points: Array, plane: Plane) -> Array:
    """Readings behind a mirror, where they really are."""
    back = reflect_points(points, plane)
    behind = points @ np.array(plane.normal) + plane.offset_m < 0
    return np.asarray(back[behind])


def _surface_at(picture: MeasuredPicture) -> NDArray[np.int32]:
    """Id of the surface at each pixel, 0 for none."""
    view = picture.facts.view
    owner = np.zeros((view.height_px, view.width_px), np.int32)
    for number, area in picture.areas.surfaces.items():
        area.of(owner)[area.mask] = number
    return owner
