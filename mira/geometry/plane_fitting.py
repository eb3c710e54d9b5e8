"""The plane that most of a set of depth readings lie on.

Depth errs along the line of sight and with the square of z, so its inverse errs by the same
everywhere. A plane `polar · p = 1` (see `plane_of_polar`) gives the inverse depth `polar · r` on a
ray r with z = 1: linear, with exact rays on the one side and even errors on the other, which least
squares are made for.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mira.geometry.mirror_policy import DepthNoisePolicy, PlaneFitPolicy
from mira.geometry.plane import Plane, plane_of_polar, signed_distances_m
from mira.geometry.plane_belief import PlaneBelief

Array = NDArray[np.float64]

_SAME = 1e-9
"""Triples and fits whose determinant is smaller, as a share of what it could be, are on a line."""
_SPENT = 3
"""Numbers that a fit takes from its groups of readings."""


class PlaneFit(NamedTuple):
    """A plane and how well points lie on it.

    Attributes:
        plane: The plane.
        inliers: Which points belong to it, shape (n,).
        inlier_share: Their share of the points with a number.
        residual_m: Root mean square distance of the inliers from the plane.
        covariance: Of the polar vector, shape (3, 3); None where the inliers are in too few
            groups to tell.
        normal_error_deg: Standard error of the normal's direction; None with `covariance`.
    """

    plane: Plane
    inliers: NDArray[np.bool_]
    inlier_share: float
    residual_m: float
    covariance: Array | None
    normal_error_deg: float | None


def depth_sigma_m(z_m: ArrayLike, noise: DepthNoisePolicy) -> Array:
    """Standard deviation of depth readings at z, same shape."""
    z = np.asarray(z_m, dtype=np.float64)
    return np.asarray(np.hypot(noise.floor_m, noise.per_m * z * z))


def fit_plane(
    points_cam_m: Array,
    *,
    policy: PlaneFitPolicy,
    rng: Generator,
    groups: NDArray[np.integer] | None = None,
) -> PlaneFit | None:
    """The plane on which most points lie, within the errors of their depth.

    Triples of points are tried and scored by truncated squares (MSAC: Torr and Zisserman,
    MLESAC, 2000); least squares on the points that belong follow. The order of the points makes no
    difference.

    Args:
        points_cam_m: Depth readings as points, metres, shape (n, 3); rows with a NaN, and those
            that are not in front of the camera, are left out.
        policy: Thresholds.
        rng: Draws the triples.
        groups: A number for each point, shape (n,). The errors of one group may be alike, those
            of two may not; the standard error rests on that (Liang and Zeger, Biometrika 1986).
            Each point is its own group by default.

    Returns:
        The fit; None where fewer than three points, or points on one line, belong together.
    """
    points = np.asarray(points_cam_m, dtype=np.float64)
    usable = np.flatnonzero(np.isfinite(points).all(axis=1) & (points[:, 2] > 0))
    order = usable[np.lexsort(points[usable].T)]
    if len(order) < _SPENT:
        return None
    rays, inverse = _whitened(points[order], policy.noise)
    polar = _consensus(rays, inverse, policy, rng)
    found = None if polar is None else _settled(rays, inverse, polar, policy)
    if found is None:
        return None
    polar, belongs = found
    plane = plane_of_polar(polar)
    inliers = np.zeros(len(points), dtype=bool)
    inliers[order[belongs]] = True
    residuals = signed_distances_m(points[inliers], plane)
    covariance = _covariance(
        rays[belongs],
        rays[belongs] @ polar - inverse[belongs],
        None if groups is None else groups[order[belongs]],
    )
    if covariance is not None:
        covariance = covariance * _cut_off(policy.inlier_sigmas)
    return PlaneFit(
        plane=plane,
        inliers=inliers,
        inlier_share=float(belongs.mean()),
        residual_m=float(np.sqrt(np.mean(residuals**2))),
        covariance=covariance,
        normal_error_deg=(
            None if covariance is None else PlaneBelief(polar, covariance).normal_error_deg
        ),
    )


def _whitened(points: Array, noise: DepthNoisePolicy) -> tuple[Array, Array]:
    """Rays and inverse depths over the standard deviation of the inverse depth."""
    z = points[:, 2]
    sigma = depth_sigma_m(z, noise) / z**2
    return points / (z * sigma)[:, None], 1 / (z * sigma)


def _consensus(rays: Array, inverse: Array, policy: PlaneFitPolicy, rng: Generator) -> Array | None:
    """The polar vector of the best of the tried triples; None where all lie on lines."""
    triples = rng.integers(len(rays), size=(policy.trials, 3))
    corners = rays[triples].transpose(1, 2, 0)
    sizes = np.prod(np.sqrt((corners**2).sum(axis=1)), axis=0)
    # Cramer's rule: solving so many systems of three one by one takes ten times as long.
    turned = [_cross(corners[k - 2], corners[k - 1]) for k in range(3)]
    volume = (corners[0] * turned[0]).sum(axis=0)
    spans = np.abs(volume) > _SAME * sizes
    if not spans.any():
        return None
    polars = np.sum([inverse[triples[:, k]] * turned[k] for k in range(3)], axis=0)
    polars = polars[:, spans] / volume[spans]
    # Most are far off, as a few points tell: nearly all trials go to the few that may be right.
    for points, kept in ((policy.screening_points, policy.screened), (policy.scored_points, 1)):
        cost = _cost(rays, inverse, polars, points, policy.inlier_sigmas)
        polars = polars[:, np.argsort(cost, kind="stable")[:kept]]
    return np.array(polars[:, 0])


def _cost(rays: Array, inverse: Array, polars: Array, points: int, sigmas: float) -> Array:
    """Truncated squares of planes, shape (3, n), on about so many points; shape (n,)."""
    chosen = slice(None, None, max(len(rays) // points, 1))
    errors = rays[chosen] @ polars
    errors -= inverse[chosen, None]
    errors *= errors
    return np.asarray(np.minimum(errors, sigmas**2, out=errors).sum(axis=0))


def _cross(first: Array, second: Array) -> Array:
    """Cross products of vectors, shape (3, n)."""
    return first[[1, 2, 0]] * second[[2, 0, 1]] - first[[2, 0, 1]] * second[[1, 2, 0]]


def _settled(
    rays: Array, inverse: Array, polar: Array, policy: PlaneFitPolicy
) -> tuple[Array, NDArray[np.bool_]] | None:
    """Least squares on the points that belong, and which those are, until they stay the same."""
    belongs = np.abs(rays @ polar - inverse) <= policy.inlier_sigmas
    for _ in range(policy.rounds):
        kept = rays[belongs]
        normal = kept.T @ kept
        if len(kept) < _SPENT or not _spans(normal):
            return None
        polar = np.asarray(np.linalg.solve(normal, kept.T @ inverse[belongs]), np.float64)
        before, belongs = belongs, np.abs(rays @ polar - inverse) <= policy.inlier_sigmas
        if (before == belongs).all():
            break
    return (polar, belongs) if belongs.sum() >= _SPENT else None


def _spans(normal: Array) -> bool:
    """Whether rays with these products lie in more than a plane, so that points are on no line."""
    smallest, _, largest = np.linalg.eigvalsh(normal)
    return bool(smallest > _SAME**1.5 * largest)


def _covariance(rays: Array, errors: Array, groups: NDArray[np.integer] | None) -> Array | None:
    """Of least squares whose errors are alike within groups (the cluster-robust sandwich)."""
    sums = rays * errors[:, None]
    if groups is not None:
        _, member = np.unique(groups, return_inverse=True)
        sums = np.stack([np.bincount(member, pulls) for pulls in sums.T], axis=1)
    count = len(sums)
    if count <= _SPENT:
        return None
    inverse = np.linalg.inv(rays.T @ rays)
    return np.asarray(inverse @ (sums.T @ sums) @ inverse * (count / (count - _SPENT)))


def _cut_off(sigmas: float) -> float:
    """How much wider a covariance is for errors beyond a limit being left out.

    Those left out change with the plane, so it is held less firmly than by points that stay: for
    normal errors by `P(|e| < c) / (P(|e| < c) - 2 c pdf(c))`, squared (the skipped mean of Huber,
    Robust Statistics, 1981).
    """
    within = math.erf(sigmas / math.sqrt(2))
    edge = 2 * sigmas * math.exp(-(sigmas**2) / 2) / math.sqrt(2 * math.pi)
    return (within / max(within - edge, _SAME)) ** 2
