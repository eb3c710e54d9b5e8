"""The plane of a mirror from real things and their reflections in it.

A thing's image lies as far behind the mirror as the thing before it. But depth shows only sides:
of the thing the one towards the camera, of its image another. So each pair is compared middle with
middle, guessed from how wide the thing looks, and counts the less the larger the thing is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.errors import GeometryError
from mira.geometry.mirror_policy import PairPolicy
from mira.geometry.pair_evidence import MirrorPair, PairEvidence, body_centre
from mira.geometry.plane import bisector_plane, polar_of_plane
from mira.geometry.plane_belief import PlaneBelief

Array = NDArray[np.float64]

_SETTLED = 1e-6
"""A step that changes a plane by a smaller share ends the fit."""


class PairedPlane(NamedTuple):
    """The plane on which most pairs agree.

    Attributes:
        belief: The plane.
        agrees: Which pairs agree with it, shape (n,).
        residuals_m: How far each pair's things are apart once the image is put back, shape (n,).
        sigmas: The same in standard deviations, root mean square over the directions, shape (n,).
    """

    belief: PlaneBelief
    agrees: NDArray[np.bool_]
    residuals_m: Array
    sigmas: Array


def fit_pair_plane(
    pairs: Sequence[MirrorPair],
    *,
    policy: PairPolicy,
    prior: PlaneBelief | None = None,
    starts: Sequence[Array] = (),
) -> PairedPlane | None:
    """The plane on which most pairs agree.

    Each pair's own plane, and every given start, is improved against all pairs with weights that
    fall with the error (those of Geman and McClure, 1987); the best of them decides which pairs
    agree, and to those the plane is fitted once more. The order of the pairs makes no difference.

    Args:
        pairs: Things and their images.
        policy: Thresholds.
        prior: What else is known of the plane; counts like one more observation.
        starts: Polar vectors of other planes that may be right.

    Returns:
        The plane; None where there is nothing to start from, or where no pair agrees and nothing
        else is known.
    """
    order = sorted(range(len(pairs)), key=lambda k: (pairs[k].reflected_id, pairs[k].real_id))
    arranged = [pairs[k] for k in order]
    tried = [*_own_planes(arranged, policy), *starts]
    if prior is not None:
        tried.append(prior.polar)
    if not tried:
        return None
    evidence = PairEvidence(arranged, policy, prior)
    states = evidence.states(np.array(tried))
    for _ in range(policy.rounds):
        before, states = states, evidence.improved(states)
        if _is_settled(before, states):
            break
    state = states[int(np.argmin(evidence.cost(states)))]
    found = _settled(evidence, state, policy, alone=prior is None)
    if found is None:
        return None
    back = np.argsort(order)
    return found._replace(
        agrees=found.agrees[back],
        residuals_m=found.residuals_m[back],
        sigmas=found.sigmas[back],
    )


def _own_planes(pairs: Sequence[MirrorPair], policy: PairPolicy) -> list[Array]:
    """The plane halfway between each pair, where there is one that the camera looks at."""
    planes = []
    for pair in pairs:
        thing, image = (body_centre(one, policy) for one in (pair.real, pair.virtual))
        try:
            planes.append(polar_of_plane(bisector_plane(thing, image)))
        except GeometryError:
            continue
    return planes


def _is_settled(before: Array, states: Array) -> bool:
    """Whether a step hardly changed any state, shape (h, 4)."""
    moved, size = np.abs(states - before).max(axis=1), np.abs(states).max(axis=1)
    return bool((moved <= _SETTLED * size).all())


def _settled(
    evidence: PairEvidence, state: Array, policy: PairPolicy, *, alone: bool
) -> PairedPlane | None:
    """The plane by the pairs that agree with it, all alike; None where none does, alone."""
    for _ in range(policy.rounds):
        agrees = np.sqrt(evidence.squares(state[None])[0]) <= policy.agreeing_sigmas
        if alone and not agrees.any():
            return None
        before, (state, covariance) = state, evidence.improved_by(state, agrees)
        if _is_settled(before[None], state[None]):
            break
    squares = evidence.squares(state[None])[0]
    agrees = np.sqrt(squares) <= policy.agreeing_sigmas
    excess = max(1.0, float(squares[agrees].mean())) if agrees.any() else 1.0
    return PairedPlane(
        belief=PlaneBelief(state[:3], covariance[:3, :3] * excess),
        agrees=agrees,
        residuals_m=np.linalg.norm(evidence.gaps(state[None])[0], axis=1),
        sigmas=np.sqrt(squares),
    )
