"""How two placed things stand to each other, and whether measuring leaves room for doubt."""

from __future__ import annotations

import math

from mira.geometry.relations import AxisRelation, SpatialRelation, relation_of
from qa_gen.proposing.placing import Placed
from qa_gen.proposing.policy import ProposalPolicy


def relate(thing: Placed, reference: Placed, policy: ProposalPolicy) -> SpatialRelation:
    """How a thing stands to a reference; too close to call also where doubts reach a threshold.

    Args:
        thing: The one.
        reference: What it is held against.
        policy: Thresholds, and how many standard deviations are sure.
    """
    plain = relation_of(thing.extents_m, reference.extents_m, policy.spatial.relation)
    return SpatialRelation(
        *(
            _with_doubt(axis, _doubt_m(thing, reference, place), policy)
            for place, axis in enumerate(plain)
        )
    )


def _doubt_m(thing: Placed, reference: Placed, axis: int) -> float:
    """Standard deviation of a clearance: of both middles, and of the limit that spans make."""
    spans = math.hypot(thing.span_doubt_m[axis], reference.span_doubt_m[axis]) / 2
    return math.hypot(thing.doubt_m[axis], reference.doubt_m[axis], spans if axis < 2 else 0.0)


def _with_doubt(axis: AxisRelation, doubt_m: float, policy: ProposalPolicy) -> AxisRelation:
    close = axis.close_call or abs(axis.clearance_m) < policy.sure_sigmas * doubt_m
    return axis._replace(close_call=close)
