"""A line in plan through readings along a surface's lower side, many of which lie elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.foot_policy import FootPolicy

Array = NDArray[np.float64]

_SPENT = 2
"""Numbers that a line takes from its groups of readings."""


class FootLine(NamedTuple):
    """A line in plan: x to the camera's right, y ahead, metres, the camera at the origin.

    Attributes:
        normal: Unit normal in plan, towards the camera, shape (2,).
        middle_m: Middle of the readings on it, shape (2,).
        inliers: Which readings are on it, shape (n,).
        length_m: From the first to the last of them, along it.
        spread_m: Their standard deviation along it.
        residual_m: Root mean square of their distances from it.
        turn_error: Standard error of its direction, radians.
        place_error_m: Standard error of its place at the middle, across it.
    """

    normal: Array
    middle_m: Array
    inliers: NDArray[np.bool_]
    length_m: float
    spread_m: float
    residual_m: float
    turn_error: float
    place_error_m: float

    def along(self, points: Array) -> Array:
        """Where points are along the line from its middle, shape (...) of (..., 2 or more)."""
        return _along(points[..., :2] - self.middle_m, self.normal)

    def off_m(self, points: Array) -> Array:
        """How far points are before the line, on the camera's side, shape (...)."""
        return np.asarray((points[..., :2] - self.middle_m) @ self.normal)


def fit_foot_line(
    points: Array, sigmas: Array, *, groups: NDArray[np.integer], policy: FootPolicy
) -> FootLine | None:
    """The line in plan on which most readings lie.

    Lines through two readings are tried, evenly chosen ones in place of random ones, and scored by
    truncated squares (MSAC: Torr and Zisserman, MLESAC, 2000); least squares on the readings that
    belong follow.

    Args:
        points: Readings in order along the side, x and y in plan first, shape (n, 2 or more);
            rows with a NaN are on no line.
        sigmas: Standard deviations of their depth, metres, shape (n,).
        groups: A number for each reading; errors of one group may be alike.
        policy: Thresholds.

    Returns:
        The line; None where the readings that belong together are in too few groups to tell how
        well it is known.
    """
    plan = points[:, :2]
    limits = policy.inlier_sigmas * np.hypot(sigmas, policy.line_m)
    found = _consensus(plan, limits, policy)
    if found is None:
        return None
    normal, middle = found
    for _ in range(policy.rounds):
        inliers = np.abs((plan - middle) @ normal) <= limits
        if inliers.sum() <= _SPENT:
            return None
        middle, normal = _through(plan[inliers], sigmas[inliers])
    inliers = np.abs((plan - middle) @ normal) <= limits
    return _measured(plan, normal, middle, inliers, groups)


def _consensus(plan: Array, limits: Array, policy: FootPolicy) -> tuple[Array, Array] | None:
    """Normal and a point of the best of the lines that are tried; None where all are too short."""
    chosen = np.unique(np.linspace(0, len(plan) - 1, policy.tried_columns).astype(np.int64))
    first, second = (chosen[k] for k in np.triu_indices(len(chosen), 1))
    steps = plan[second] - plan[first]
    lengths = np.linalg.norm(steps, axis=1)
    long = lengths >= policy.least_length_m / 2
    if not long.any():
        return None
    first, steps = first[long], steps[long] / lengths[long, None]
    normals = np.stack((-steps[:, 1], steps[:, 0]), axis=1)
    off = normals @ plan.T - np.einsum("hi,hi->h", normals, plan[first])[:, None]
    best = int(np.argmin(np.fmin((off / limits) ** 2, 1).sum(axis=1)))
    return normals[best], plan[first[best]]


def _through(plan: Array, sigmas: Array) -> tuple[Array, Array]:
    """Middle and normal, towards the camera, of the line with least squares."""
    weight = 1 / sigmas**2
    middle = weight @ plan / weight.sum()
    off = plan - middle
    normal = np.linalg.eigh((off * weight[:, None]).T @ off)[1][:, 0]
    return middle, normal if normal @ middle < 0 else -normal


def _measured(
    plan: Array,
    normal: Array,
    middle: Array,
    inliers: NDArray[np.bool_],
    groups: NDArray[np.integer],
) -> FootLine | None:
    """A line with its errors, those of groups alike (Liang and Zeger, Biometrika 1986)."""
    off = plan[inliers] - middle
    across, along = off @ normal, _along(off, normal)
    _, member = np.unique(groups[inliers], return_inverse=True)
    count = int(member.max(initial=-1)) + 1
    spread = float(along.std()) if len(along) else 0.0
    if count <= _SPENT or not spread > 0:
        return None
    # Least squares for a shift and a turn of the line.
    slopes = np.stack((np.ones(len(along)), along), axis=1)
    sums = np.stack([np.bincount(member, slopes[:, k] * across) for k in range(2)], axis=1)
    inverse = np.linalg.inv(slopes.T @ slopes)
    covariance = inverse @ (sums.T @ sums) @ inverse * (count / (count - _SPENT))
    place_error, turn_error = np.sqrt(np.diagonal(covariance))
    return FootLine(
        normal=normal,
        middle_m=middle,
        inliers=inliers,
        length_m=float(np.ptp(along)),
        spread_m=spread,
        residual_m=float(np.sqrt(np.mean(across**2))),
        turn_error=float(turn_error),
        place_error_m=float(place_error),
    )


def _along(off: Array, normal: Array) -> Array:
    return np.asarray(off @ np.array((normal[1], -normal[0])))
