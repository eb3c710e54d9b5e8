"""Planes around a reflective surface: its frame, the wall it hangs on, or something else.

Whatever a mirror reflects is measured behind it. So a plane that has readings of the reflection
before it is no plane of the mirror: it is a wall far behind a mirror on a stand, the floor, a side
wall.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.plane import Plane, polar_of_plane, signed_distances_m
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.plane_fitting import PlaneFit, depth_sigma_m, fit_plane
from mira.geometry.ring_readings import (
    Depth,
    Readings,
    blocks_of,
    coverage_of,
    inside_readings,
    ring_readings,
)
from mira.schema.capture import CameraIntrinsics

Array = NDArray[np.float64]


class SurroundingPlane(NamedTuple):
    """A plane that readings around a surface lie on.

    Attributes:
        fit: The plane; `inliers` are among the ring's readings.
        belief: What it says of the mirror, whose glass may lie before or behind it.
        share: Share of the ring's readings on it.
        coverage: Share of the directions from the surface's middle in which it is seen next to
            the outline; directions that leave the picture count as not seen.
        before_share: Share of the readings inside the surface that are before it.
        on_share: Share of the readings inside that lie on it.
    """

    fit: PlaneFit
    belief: PlaneBelief
    share: float
    coverage: float
    before_share: float
    on_share: float

    def continues_inside(self, policy: MirrorGeometryPolicy) -> bool:
        """Whether depth inside is that of the surface itself, in this plane."""
        verdict = policy.verdict
        return (
            self.on_share >= verdict.own_depth_share
            and self.before_share <= verdict.before_share
            and self.coverage >= verdict.own_depth_coverage
        )


class Surroundings(NamedTuple):
    """What depth shows around a surface and inside.

    Attributes:
        planes: Planes around it, the one with most readings first.
        inside_fit: The plane that most readings inside lie on, where they lie on one around too.
    """

    planes: tuple[SurroundingPlane, ...]
    inside_fit: PlaneFit | None


def find_surroundings(
    depth_m: Depth,
    surface: CroppedMask,
    camera: CameraIntrinsics,
    *,
    outlined: NDArray[np.uint8],
    mount_m: float,
    policy: MirrorGeometryPolicy,
    rng: Generator,
) -> Surroundings:
    """The planes around a surface.

    Args:
        depth_m: z of every pixel of the picture, metres, shape (height, width); 0 or NaN where
            there is no reading.
        surface: The surface's mask, with a pixel at least.
        camera: The picture's camera.
        outlined: `DIRECT` and `OUTLINED` pixels of the picture, others 0, shape (height, width).
        mount_m: Standard deviation of how far the glass is from the plane around it.
        policy: Thresholds.
        rng: For the fits.

    Returns:
        As many planes as `SurroundingsPolicy.planes`, fewer where fewer are found.
    """
    ring, inside = (
        read(depth_m, surface, camera, outlined=outlined, policy=policy.surroundings)
        for read in (ring_readings, inside_readings)
    )
    planes = []
    for fit in _planes_of(ring, policy, rng):
        before, on_it = inside_shares(inside.points_cam_m, fit.plane, mount_m, policy)
        plane = SurroundingPlane(
            fit=fit,
            belief=_belief(fit, ring.points_cam_m, mount_m, policy),
            share=float(fit.inliers.mean()),
            coverage=coverage_of(ring, fit.inliers, surface, policy=policy.surroundings),
            before_share=before,
            on_share=on_it,
        )
        planes.append(plane)
    inside_fit = None
    if any(plane.continues_inside(policy) for plane in planes):
        groups = blocks_of(inside, size_px=policy.fit.noise.block_px)
        inside_fit = fit_plane(inside.points_cam_m, policy=policy.fit, rng=rng, groups=groups)
    return Surroundings(tuple(planes), inside_fit)


def _planes_of(ring: Readings, policy: MirrorGeometryPolicy, rng: Generator) -> list[PlaneFit]:
    """Planes of a ring, one after the other; `inliers` are among all of its readings."""
    found: list[PlaneFit] = []
    points, groups = ring.points_cam_m, blocks_of(ring, size_px=policy.fit.noise.block_px)
    least = max(policy.surroundings.least_points, policy.surroundings.least_share * len(points))
    left = np.arange(len(points))
    while len(found) < policy.surroundings.planes and len(left) >= least:
        fit = fit_plane(points[left], policy=policy.fit, rng=rng, groups=groups[left])
        if fit is None or fit.inliers.sum() < least:
            break
        on_plane = np.zeros(len(points), dtype=bool)
        on_plane[left[fit.inliers]] = True
        left = left[~fit.inliers]
        if fit.covariance is not None and fit.plane.offset_m > 0:
            found.append(fit._replace(inliers=on_plane))
    return found


def inside_shares(
    inside: Array, plane: Plane, mount_m: float, policy: MirrorGeometryPolicy
) -> tuple[float, float]:
    """Shares of the readings inside a surface that are before a plane, and on it.

    Args:
        inside: The readings as points, shape (n, 3).
        plane: The plane.
        mount_m: Standard deviation of how far the glass is from it.
        policy: Thresholds.
    """
    if not len(inside):
        return 0.0, 0.0
    off = signed_distances_m(inside, plane)
    slack = policy.fit.inlier_sigmas * depth_sigma_m(inside[:, 2], policy.fit.noise)
    slack = slack + mount_m
    return float(np.mean(off > slack)), float(np.mean(np.abs(off) <= slack))


def _belief(
    fit: PlaneFit, points: Array, mount_m: float, policy: MirrorGeometryPolicy
) -> PlaneBelief:
    """What a plane around a mirror says of the mirror's.

    Beside the errors of depth, the glass may lie behind its frame or before its wall, and lean: it
    differs more where the evidence ends than in its middle, the more so the narrower the evidence.
    A shift by b along the normal changes inverse depths by `b · |polar|` of themselves; least
    squares carry that on to the polar vector.
    """
    polar = polar_of_plane(fit.plane)
    size = float(np.linalg.norm(polar))
    on_plane = points[fit.inliers]
    rays, inverse = on_plane / on_plane[:, 2:], 1 / on_plane[:, 2]
    weight = 1 / (depth_sigma_m(on_plane[:, 2], policy.fit.noise) * inverse**2) ** 2
    lean = _ends(on_plane) * policy.surroundings.lean_m
    shifts = (rays * (weight * inverse * size)[:, None]).T @ lean
    carried = np.linalg.inv((rays * weight[:, None]).T @ rays) @ shifts
    whole = np.outer(polar, polar) * (size * mount_m) ** 2
    assert fit.covariance is not None
    return PlaneBelief(polar, fit.covariance + carried @ carried.T + whole)


def _ends(points: Array) -> Array:
    """Where points are along the two axes of a flat set, in standard deviations; shape (n, 2)."""
    off = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(off.T @ off)
    along = off @ axes[:, 1:]
    return np.asarray(along / along.std(axis=0))
