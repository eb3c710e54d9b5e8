"""Planes that may be a mirror's, and how much speaks for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        ring: The plane around the surface that it rests on; None for pairs alone.
    """

    trust: float
    found: PairedPlane
    ring: SurroundingPlane | None


def find_options(
    around: Surroundings,
    pairs: Sequence[MirrorPair],
    *,
    middle_ray: NDArray[np.float64],
    policy: MirrorGeometryPolicy,
) -> list[PlaneOption]:
    """Planes that may be the mirror's: each one around it with the pairs, then the pairs alone.

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
    options = []
    for ring in (*rings, None):
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
    if best.ring is not None and pairs and not best.found.agrees.any():
        notes.append("pairs_disagree")
    if best.ring is not None and best.ring.coverage < policy.one_sided_coverage:
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
    covered = 0.0 if best is None or best.ring is None else best.ring.coverage
    reason = f"the best plane is seen in {covered:.0%} of the directions around it ({seen})"
    return Refusal("thin_evidence", reason)
