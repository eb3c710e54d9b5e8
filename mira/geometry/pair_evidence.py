"""Real things and their images as numbers that a mirror's plane is fitted to.

What is fitted are states of four numbers: the plane's polar vector, and the share of half its
width by which a thing's middle lies behind its visible side, which is much the same for the things
of a picture. Several states are tried at once; leading axes of results are theirs (h), then those
of pairs (n).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.instance_points import InstanceExtent
from mira.geometry.mirror_policy import PairPolicy
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.plane_fitting import depth_sigma_m

Array = NDArray[np.float64]

_LEAST = 1e-6
"""What keeps a step finite where pairs say nothing of a direction."""
_SAME = np.eye(3)
"""The matrix that changes nothing."""


class MirrorPair(NamedTuple):
    """A thing that is seen both directly and reflected.

    Attributes:
        reflected_id: The reflection.
        real_id: The thing.
        real: Its visible side.
        virtual: The visible side of its virtual image.
    """

    reflected_id: int
    real_id: int
    real: InstanceExtent
    virtual: InstanceExtent


def body_shift(extent: InstanceExtent) -> Array:
    """Half of a thing's width, along the line of sight; shape (3,)."""
    side = np.array(extent.centre_m)
    return np.asarray(side * (extent.half_width_m / np.linalg.norm(side)))


def body_centre(extent: InstanceExtent, policy: PairPolicy) -> Array:
    """Where the middle of a thing may be: behind its visible side, along the line of sight."""
    return np.asarray(np.array(extent.centre_m) + policy.body_share * body_shift(extent))


def pair_doubt_m(real: InstanceExtent, virtual: InstanceExtent, policy: PairPolicy) -> Array:
    """Standard deviations of the two middles, shape (2, 2): of each, across and along the sight.

    What one look shows wider than the other is hidden in the other, whose middle is off by half
    of it. Readings behind a thing widen the doubt of where it is.
    """
    hidden = _hidden_m(real, virtual)
    half = max(real.half_width_m, virtual.half_width_m)
    across = math.hypot(policy.across_doubt * half, hidden)
    along = math.hypot(policy.body_doubt * half, policy.hidden_along * hidden)
    doubts = []
    for one in (real, virtual):
        bled = policy.bleeding_doubt * max(one.spread_m - 2 * half, 0.0)
        noise = float(depth_sigma_m(one.centre_m[2], policy.noise))
        noise /= math.sqrt(1 + one.pixels / policy.noise.block_px**2)
        doubts.append((across, math.hypot(along, bled, noise)))
    return np.array(doubts)


def sight_spread(centres: Array, doubts_m: Array) -> Array:
    """Covariances that differ across and along lines of sight, shape (n, 3, 3).

    Args:
        centres: Points, shape (n, 3).
        doubts_m: Standard deviations across and along, shape (n, 2).
    """
    ahead = centres / np.linalg.norm(centres, axis=1, keepdims=True)
    across, along = doubts_m[:, 0, None, None] ** 2, doubts_m[:, 1, None, None] ** 2
    return np.asarray(across * np.eye(3) + (along - across) * ahead[:, :, None] * ahead[:, None])


def _hidden_m(real: InstanceExtent, virtual: InstanceExtent) -> float:
    """Half of the difference of two looks' sizes, across the sight; the larger of both axes."""
    sizes = [
        np.array(one.extents_m.high_m[:2]) - np.array(one.extents_m.low_m[:2])
        for one in (real, virtual)
    ]
    return float(np.abs(sizes[0] - sizes[1]).max() / 2)


class PairEvidence:
    """Pairs, and what else is known of the plane."""

    def __init__(
        self, pairs: Sequence[MirrorPair], policy: PairPolicy, prior: PlaneBelief | None
    ) -> None:
        """Take pairs in; `prior` counts like one more observation."""
        self._limit = policy.agreeing_sigmas**2
        self._real = np.array([pair.real.centre_m for pair in pairs]).reshape(-1, 3)
        self._image = np.array([pair.virtual.centre_m for pair in pairs]).reshape(-1, 3)
        self._real_shift = np.array([body_shift(pair.real) for pair in pairs]).reshape(-1, 3)
        self._image_shift = np.array([body_shift(pair.virtual) for pair in pairs]).reshape(-1, 3)
        doubts = [pair_doubt_m(pair.real, pair.virtual, policy) for pair in pairs]
        across_along = np.array(doubts).reshape(-1, 2, 2)
        self._real_spread = sight_spread(self._real, across_along[:, 0])
        self._image_spread = sight_spread(self._image, across_along[:, 1])
        self._known = np.zeros((4, 4))
        self._known[3, 3] = 1 / max(policy.body_bias, _LEAST) ** 2
        self._expected = np.array((0.0, 0.0, 0.0, policy.body_share))
        if prior is not None:
            self._known[:3, :3] = np.linalg.inv(prior.covariance)
            self._expected[:3] = prior.polar

    def states(self, polars: Array) -> Array:
        """States to start from, shape (h, 4), of polar vectors, shape (h, 3)."""
        return np.column_stack((polars, np.full(len(polars), self._expected[3])))

    def gaps(self, states: Array) -> Array:
        """From each thing to its image put back, middle to middle, shape (h, n, 3)."""
        return self._gaps(states)[0]

    def squares(self, states: Array) -> Array:
        """Squares of the gaps over their variance, mean of the three directions, (h, n)."""
        return _squares(self.gaps(states), self._certainty(states))

    def cost(self, states: Array) -> Array:
        """Squared errors of all pairs, each up to a limit, and of what is known; shape (h,)."""
        off = states - self._expected
        known = ((off @ self._known) * off).sum(axis=1) / 3
        return np.asarray(known + np.minimum(self.squares(states), self._limit).sum(axis=1))

    def improved(self, states: Array) -> Array:
        """States after a step towards all pairs, those that are far off counting little."""
        gaps, slope = self._gaps(states)
        certainty = self._certainty(states)
        weights = (self._limit / (self._limit + _squares(gaps, certainty))) ** 2
        return self._step(states, gaps, slope, weights[..., None, None] * certainty)[0]

    def improved_by(self, state: Array, agrees: NDArray[np.bool_]) -> tuple[Array, Array]:
        """A state after a step towards some pairs, shape (4,), and its covariance, (4, 4)."""
        states = state[None]
        counted = self._certainty(states) * agrees[:, None, None]
        states, products = self._step(states, *self._gaps(states), counted)
        return states[0], np.linalg.inv(products[0])

    def _gaps(self, states: Array) -> tuple[Array, Array]:
        """Gaps, and how they change with the states, shape (h, n, 3, 4)."""
        polars, share = states[:, None, :3], states[:, 3, None, None]
        squared = (polars * polars).sum(axis=-1)
        image = self._image + share * self._image_shift
        beyond = ((image @ polars.swapaxes(1, 2))[..., 0] - 1) / squared
        back = image - 2 * beyond[..., None] * polars
        slope = np.empty((*back.shape, 4))
        slope[..., :3] = polars[..., None] * (-2 / squared[..., None] * back)[:, :, None]
        slope[..., :3] -= 2 * beyond[..., None, None] * _SAME
        turned = (self._image_shift @ polars.swapaxes(1, 2))[..., 0] / squared
        slope[..., 3] = self._image_shift - self._real_shift - 2 * turned[..., None] * polars
        return back - self._real - share * self._real_shift, slope

    def _certainty(self, states: Array) -> Array:
        """The inverse of the gaps' covariances, shape (h, n, 3, 3)."""
        polars = states[:, :3]
        units = polars / np.sqrt((polars * polars).sum(axis=1))[:, None]
        mirror = (_SAME - 2 * units[:, :, None] * units[:, None])[:, None]
        return np.linalg.inv(self._real_spread + mirror @ self._image_spread @ mirror)

    def _step(
        self, states: Array, gaps: Array, slope: Array, counted: Array
    ) -> tuple[Array, Array]:
        """One step of Gauss and Newton, and the products that it solved by, shape (h, 4, 4)."""
        pulling = slope.swapaxes(-1, -2) @ counted
        sizes = np.sqrt((states[:, :3] ** 2).sum(axis=1))
        products = (pulling @ slope).sum(axis=1) + self._known
        products[:, :3, :3] += _LEAST / sizes[:, None, None] ** 2 * _SAME
        pull = (self._expected - states) @ self._known
        pull -= (pulling @ gaps[..., None])[..., 0].sum(axis=1)
        step = np.linalg.solve(products, pull[..., None])[..., 0]
        # A plane moves by half of its distance at most: beyond that the slope says nothing.
        length = np.sqrt((step[:, :3] ** 2).sum(axis=1))
        step *= np.minimum(1, sizes / 2 / np.maximum(length, _LEAST * sizes))[:, None]
        return states + step, products


def _squares(gaps: Array, certainty: Array) -> Array:
    """Squared errors in variances, mean of the three directions, shape (h, n)."""
    turned = (certainty @ gaps[..., None])[..., 0]
    return np.asarray((turned * gaps).sum(axis=-1) / 3)
