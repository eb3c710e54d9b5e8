"""Planes that may be a mirror's, and how much speaks for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.foot_plane import FootPlane
from mira.geometry.mirror_policy import MirrorGeometryPolicy, VerdictPolicy
from mira.geometry.mirror_verdict import PairVerdict, PlaneNote, Refusal, trust_of
from mira.geometry.pair_evidence import MirrorPair
from mira.geometry.pair_plane import PairedPlane, fit_pair_plane
from mira.geometry.surroundings import SurroundingPlane, Surroundings


class PlaneOption(NamedTuple):
    """A plane that may be the mirror's.

    Attributes:
        trust: Share of the evidence that speaks for it (see `trust_of`).
        found: The plane, with what became of each pair.
        ring: The plane around the surface that it rests on; None for a foot or pairs alone.
        foot: The plane of what the surface stands on, if it rests on that.
    """

    trust: float
    found: PairedPlane
    ring: SurroundingPlane | None
    foot: FootPlane | None = None

    @property
    def coverage(self) -> float:
        """Share of the directions around the surface in which it is seen; 0 for pairs alone."""
        base = self.ring or self.foot
        return 0.0 if base is None else base.coverage


def find_options(
    around: Surroundings,
    pairs: Sequence[MirrorPair],
    *,
    middle_ray: NDArray[np.float64],
    policy: MirrorGeometryPolicy,
) -> list[PlaneOption]:
    """Planes that may be the mirror's: each one around it with the pairs, then the pairs alone.

    Pairs are tried alone where no plane around has most of them on its side. Else they gain nothing
    by leaving it out but the odd pair of which depth shows too little, and lose its firm hold.

    Args:
        around: What depth shows around the surface.
        pairs: Things and their images in it.
        middle_ray: The ray to the surface's middle, which every option meets; shape (3,).
        policy: Thresholds.
    """
    verdict = policy.verdict
    rings = [
        plane
        for plane in around.planes
        if plane.before_share <= verdict.before_share and plane.coverage >= verdict.least_coverage
    ]
    options: list[PlaneOption] = []
    for ring in (*rings, None):
        if ring is None and any(_has_most(option, pairs) for option in options):
            break
        found = fit_pair_plane(
            pairs,
            policy=policy.pairs,
            prior=None if ring is None else ring.belief,
            starts=[other.belief.polar for other in rings],
        )
        if found is None or not found.belief.polar @ middle_ray > 0:
            continue
        agreeing = int(found.agrees.sum())
        if ring is None and agreeing < verdict.least_pairs:
            continue
        coverage = 0.0 if ring is None else ring.coverage
        trust = trust_of(coverage, agreeing, len(pairs), verdict)
        options.append(PlaneOption(trust, found, ring))
    return options


def _has_most(option: PlaneOption, pairs: Sequence[MirrorPair]) -> bool:
    """Whether most pairs agree with a plane."""
    return 2 * int(option.found.agrees.sum()) > len(pairs)


def is_walled(options: Sequence[PlaneOption], policy: VerdictPolicy) -> bool:
    """Whether a plane around a surface has, without pairs, more support than a foot can have.

    What a surface stands on is looked at where none has: a wall says more.

    Args:
        options: Planes that may be the surface's.
        policy: Thresholds.
    """
    return any(
        option.ring is not None
        and trust_of(option.ring.coverage, 0, 0, policy) >= policy.foot_support
        for option in options
    )


def foot_option(
    foot: FootPlane | None,
    pairs: Sequence[MirrorPair],
    *,
    middle_ray: NDArray[np.float64],
    policy: MirrorGeometryPolicy,
) -> PlaneOption | None:
    """The plane of what a surface stands on, with the pairs; arguments as `find_options`.

    Returns:
        The option; None where there is no such plane, or too much of the reflection before it.
    """
    verdict = policy.verdict
    if foot is None or foot.before_share > policy.foot.before_share:
        return None
    found = fit_pair_plane(pairs, policy=policy.pairs, prior=foot.belief)
    if found is None or not found.belief.polar @ middle_ray > 0:
        return None
    # Its support is no matter of how many sides it is seen on: it can be seen on one alone.
    support = verdict.foot_support * foot.share * (1 - foot.before_share)
    agreeing = int(found.agrees.sum())
    trust = trust_of(support * verdict.full_coverage, agreeing, len(pairs), verdict)
    return PlaneOption(trust, found, None, foot)


def notes_on(
    best: PlaneOption,
    options: Sequence[PlaneOption],
    pairs: Sequence[MirrorPair],
    unused: Sequence[PairVerdict],
    policy: VerdictPolicy,
) -> tuple[PlaneNote, ...]:
    """What the user of a plane should know.

    Args:
        best: The plane that was taken.
        options: All that were tried.
        pairs: Pairs that could be evidence.
        unused: Pairs that could not.
        policy: Thresholds.
    """
    notes: list[PlaneNote] = []
    if unused or not best.found.agrees.all():
        notes.append("pairs_left_out")
    if best.ring is None and any(option.ring is not None for option in options):
        notes.append("surroundings_disagree")
    alone = best.ring is None and best.foot is None
    if not alone and pairs and not best.found.agrees.any():
        notes.append("pairs_disagree")
    if not alone and best.coverage < policy.one_sided_coverage:
        notes.append("one_sided")
    return tuple(notes)


def no_plane(
    best: PlaneOption | None, around: Surroundings, pairs: int, policy: VerdictPolicy
) -> Refusal:
    """Why no plane is taken.

    Args:
        best: The plane with most support; None where nothing gives one.
        around: What depth shows around the surface.
        pairs: Number of pairs that could be evidence.
        policy: Thresholds.
    """
    seen = f"planes around the surface: {len(around.planes)}, pairs seen in it: {pairs}"
    agree = 0 if best is None else int(best.found.agrees.sum())
    if pairs >= policy.least_pairs and agree < pairs:
        reason = f"no plane suits most of the evidence ({seen}, of which {agree} agree)"
        return Refusal("contradictory_evidence", reason)
    covered = 0.0 if best is None else best.coverage
    reason = f"the best plane is seen in {covered:.0%} of the directions around it ({seen})"
    return Refusal("thin_evidence", reason)
