"""Where things really are that are seen directly or through mirrors, and whether the two fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.instance_points import InstanceExtent, quantiles, vector_of
from mira.geometry.mirror_policy import MirrorGeometryPolicy, PairPolicy
from mira.geometry.mirror_verdict import MirrorPlane, Refusal
from mira.geometry.pair_evidence import MirrorPair, body_centre, pair_doubt_m, sight_spread
from mira.geometry.plane import (
    reflect_points,
    reflect_through,
    signed_distances_m,
    turn_of_mirror,
)
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.plane_fitting import depth_sigma_m
from mira.geometry.relations import Extents
from mira.schema.capture import Vector

Array = NDArray[np.float64]


class RealPlace(NamedTuple):
    """Where the visible side of a thing really is, camera frame, metres.

    Attributes:
        centre_m: Median of its points along each axis.
        extents_m: Box around them, a few percent left out at each end. What one look shows: of a
            reflection, the side that faces the mirror.
        doubt_m: Standard deviation of the place, in its worst direction: that of the depth, of
            readings that bleed into the background, and of the mirrors' planes.
        doubts_m: The same along x, y and z.
    """

    centre_m: Vector
    extents_m: Extents
    doubt_m: float
    doubts_m: Vector


class LinkGap(NamedTuple):
    """How far a reflection put back is from the thing that it is linked to.

    Attributes:
        reflected_id: The reflection.
        real_id: The thing.
        gap_m: Distance of their middles, as guessed from how wide they look; None if untold.
        sigmas: The same in standard deviations of what a right link may be off by.
        agrees: Whether that is within `PairPolicy.agreeing_sigmas`; None if untold.
        refusal: Why there is no gap, or why it does not agree.
    """

    reflected_id: int
    real_id: int
    gap_m: float | None = None
    sigmas: float | None = None
    agrees: bool | None = None
    refusal: Refusal | None = None


def place_direct(seen: InstanceExtent, *, policy: MirrorGeometryPolicy) -> RealPlace:
    """Where a directly seen thing is: where it is measured."""
    doubt, doubts = _doubts_of(_seen_spread(seen, policy))
    return RealPlace(seen.centre_m, seen.extents_m, doubt, doubts)


def place_reflected(
    seen: InstanceExtent,
    seen_in: Sequence[int],
    mirrors: Mapping[int, MirrorPlane],
    *,
    policy: MirrorGeometryPolicy,
) -> RealPlace | Refusal:
    """Where the thing is whose reflection is seen.

    Args:
        seen: The virtual image.
        seen_in: Surfaces on the light's way, from the camera on.
        mirrors: What is known of each of them, by id.
        policy: Thresholds.

    Returns:
        The place, or why it cannot be told.
    """
    refusal = _untold(seen, seen_in, mirrors, policy)
    if refusal is not None:
        return refusal
    beliefs = [belief for one in seen_in if (belief := mirrors[one].belief) is not None]
    centre, spread = np.array(seen.centre_m), _seen_spread(seen, policy)
    for belief in beliefs:
        turn = turn_of_mirror(belief.plane)
        spread = turn @ spread @ turn + belief.reflected_spread(centre)
        centre = reflect_points(centre, belief.plane)
    doubt, doubts = _doubts_of(spread)
    limit = policy.verdict.most_doubt_m
    if doubt > limit:
        reason = f"expected a doubt of {limit:.2f} m at most, found {doubt:.2f} m"
        return Refusal("uncertain_place", reason)
    points = reflect_through(seen.points_cam_m, [belief.plane for belief in beliefs])
    low, middle, high = quantiles(points, policy.instances.percentile)
    box = Extents(vector_of(low), vector_of(high))
    return RealPlace(vector_of(middle), box, doubt, doubts)


def link_gap(pair: MirrorPair, beliefs: Sequence[PlaneBelief], *, policy: PairPolicy) -> LinkGap:
    """How far a reflection put back is from its thing, middle to middle.

    Args:
        pair: The thing and the virtual image.
        beliefs: Planes on the light's way, from the camera on.
        policy: What a right link may be off by.
    """
    image, thing = body_centre(pair.virtual, policy), body_centre(pair.real, policy)
    doubts = pair_doubt_m(pair.real, pair.virtual, policy)
    spread = sight_spread(image[None], doubts[1:])[0]
    for belief in beliefs:
        turn = turn_of_mirror(belief.plane)
        spread = turn @ spread @ turn + belief.reflected_spread(image)
        image = reflect_points(image, belief.plane)
    spread = spread + sight_spread(thing[None], doubts[:1])[0]
    gap = image - thing
    sigmas = math.sqrt(float(gap @ np.linalg.solve(spread, gap)) / 3)
    distance, agrees = float(np.linalg.norm(gap)), sigmas <= policy.agreeing_sigmas
    reason = (
        f"the reflection put back is {distance:.2f} m from the thing, {sigmas:.1f} times what a "
        "right link may be off by: another thing, or depth of the background"
    )
    refusal = None if agrees else Refusal("apart", reason)
    return LinkGap(pair.reflected_id, pair.real_id, distance, sigmas, agrees, refusal)


def _seen_spread(seen: InstanceExtent, policy: MirrorGeometryPolicy) -> Array:
    """Covariance of where a visible side is measured: along the line of sight alone, (3, 3)."""
    noise = float(depth_sigma_m(seen.centre_m[2], policy.instances.noise))
    spare = max(seen.spread_m - 2 * seen.half_width_m, 0.0)
    along = math.hypot(noise, policy.pairs.bleeding_doubt * spare * (1 - seen.kept_share))
    centre = np.array(seen.centre_m)
    return np.asarray(sight_spread(centre[None], np.array(((0.0, along),)))[0])


def _doubts_of(spread: Array) -> tuple[float, Vector]:
    """Standard deviations in the worst direction, and along each axis, of a covariance (3, 3)."""
    largest = float(np.linalg.eigvalsh(spread)[-1])
    return math.sqrt(max(largest, 0.0)), vector_of(np.sqrt(np.maximum(np.diag(spread), 0.0)))


def _untold(
    seen: InstanceExtent,
    seen_in: Sequence[int],
    mirrors: Mapping[int, MirrorPlane],
    policy: MirrorGeometryPolicy,
) -> Refusal | None:
    """Why a reflection cannot be put back, by the surfaces on its way."""
    if not seen_in:
        return Refusal("no_surface", "nobody said in which surface it is seen")
    for which in seen_in:
        mirror = mirrors[which]
        if mirror.refusal is not None:
            reason = f"surface {which} has no plane: {mirror.refusal.reason}"
            return Refusal("no_plane", reason)
        if mirror.trust < policy.verdict.trust_to_place:
            reason = f"the plane of surface {which} rests on too little: trust {mirror.trust:.2f}"
            return Refusal("uncertain_plane", reason)
        if mirror.depth_shows != "reflection":
            reason = f"depth in surface {which} is not known to be the reflection's"
            return Refusal("depth_not_of_reflection", reason)
    return _before(seen, seen_in[0], mirrors[seen_in[0]], policy)


def _before(
    seen: InstanceExtent, which: int, mirror: MirrorPlane, policy: MirrorGeometryPolicy
) -> Refusal | None:
    """Why something measured before a surface is no image in it."""
    assert mirror.plane is not None
    off = float(signed_distances_m(seen.centre_m, mirror.plane))
    slack = math.hypot(
        float(depth_sigma_m(seen.centre_m[2], policy.instances.noise)),
        mirror.distance_error_m or 0.0,
    )
    if off <= policy.fit.inlier_sigmas * slack:
        return None
    return Refusal("before_surface", f"it is measured {off:.2f} m before surface {which}")
