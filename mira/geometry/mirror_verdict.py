"""What is said of a reflective surface, and how sure it is."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from mira.geometry.mirror_policy import VerdictPolicy
from mira.geometry.plane import Plane
from mira.geometry.plane_belief import PlaneBelief

PlaneSource = Literal["surroundings", "foot", "pairs", "both", "surface"]
"""What a plane rests on; `foot` is the line on which the surface stands, `surface` depth of the
surface itself, `both` pairs and either what is around it or its foot."""
DepthShows = Literal["reflection", "surface", "unknown"]
"""What depth inside a surface is of: virtual images, the surface itself, or nobody knows."""
PlaneNote = Literal[
    "pairs_left_out", "surroundings_disagree", "pairs_disagree", "depth_of_surface", "one_sided"
]
"""Something that a plane's user should know."""
RefusalCode = Literal[
    "no_depth",
    "no_camera",
    "normalised_depth",
    "surface_type_unset",
    "curved_surface",
    "outside_picture",
    "thin_evidence",
    "contradictory_evidence",
    "no_surface",
    "counterpart_undecided",
    "no_plane",
    "depth_not_of_reflection",
    "too_few_readings",
    "before_surface",
    "behind_pane",
    "another_surface",
    "uncertain_plane",
    "uncertain_place",
    "apart",
]
"""Stable name of a reason why something is not said."""


class Refusal(NamedTuple):
    """Why something is not said.

    Attributes:
        code: Kind of reason.
        reason: The same in plain words.
    """

    code: RefusalCode
    reason: str


class PairVerdict(NamedTuple):
    """What became of a pair as evidence of a plane.

    Attributes:
        reflected_id: The reflection.
        real_id: The thing.
        used: Whether the plane rests on it.
        residual_m: From the thing to its image put back across the plane, middle to middle; None
            where there is no plane, or depth does not show the image.
        sigmas: The same in standard deviations of what such a pair may be off by.
        reason: Why it was left out; None where it was used.
    """

    reflected_id: int
    real_id: int
    used: bool
    residual_m: float | None = None
    sigmas: float | None = None
    reason: str | None = None


class MirrorPlane(NamedTuple):
    """The plane of a reflective surface, or why there is none.

    Attributes:
        belief: The plane with its doubt; None where it is refused.
        refusal: Why; None where there is a plane.
        source: What it rests on.
        depth_shows: What depth inside the surface is of.
        trust: Share of the evidence that speaks for it, from 0 to 1: how much of the outline lies
            on it, how many pairs agree, and how many do not.
        confidence: Estimated probability, from 0 to 1, that the normal is within
            `good_angle_deg`, and the plane at the surface's middle within `good_distance_m`, of
            the truth: that of the doubts below, times the trust.
        normal_error_deg: Standard error of the normal's direction.
        distance_error_m: Standard error of the plane's place at the surface's middle.
        residual_m: Root mean square distance of the readings around (or on) the surface from
            their plane; None where it rests on pairs alone.
        inlier_share: Share of those readings that lie on it.
        coverage: Share of the directions around the surface in which it is seen.
        pairs: What became of each pair, by reflection.
        notes: What else to know.
    """

    belief: PlaneBelief | None = None
    refusal: Refusal | None = None
    source: PlaneSource | None = None
    depth_shows: DepthShows = "unknown"
    trust: float = 0.0
    confidence: float = 0.0
    normal_error_deg: float | None = None
    distance_error_m: float | None = None
    residual_m: float | None = None
    inlier_share: float | None = None
    coverage: float = 0.0
    pairs: tuple[PairVerdict, ...] = ()
    notes: tuple[PlaneNote, ...] = ()

    @property
    def plane(self) -> Plane | None:
        """The plane, where there is one."""
        return None if self.belief is None else self.belief.plane


def trust_of(coverage: float, agreeing: int, pairs: int, policy: VerdictPolicy) -> float:
    """Share of the evidence that speaks for a plane.

    Args:
        coverage: Share of the directions around the surface in which the plane is seen.
        agreeing: Pairs that agree with it.
        pairs: All pairs.
        policy: Thresholds.

    Returns:
        From 0 to 1. Outline and pairs add up to a full measure of support; pairs that disagree
        take up to half of it away.
    """
    most = 1.0 if agreeing else policy.lone_support
    support = min(coverage / policy.full_coverage + policy.pair_support * agreeing, most)
    return support if not pairs else support * (1 + agreeing / pairs) / 2


def confidence_of(
    trust: float, normal_error_deg: float, distance_error_m: float, policy: VerdictPolicy
) -> float:
    """Estimated probability that a plane is good.

    Tilts to two sides are normal (their angle is Rayleigh distributed), so is the distance.

    Args:
        trust: As `trust_of` gives it.
        normal_error_deg: Root of the summed variance of the two tilts.
        distance_error_m: Standard deviation of the distance.
        policy: What is good.
    """
    tilt = policy.good_angle_deg / max(normal_error_deg, _LEAST)
    off = policy.good_distance_m / max(distance_error_m, _LEAST)
    return trust * -math.expm1(-min(tilt**2, 700.0)) * math.erf(off / math.sqrt(2))


_LEAST = 1e-9
