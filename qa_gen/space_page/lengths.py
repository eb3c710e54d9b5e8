"""Lengths of the page: rounded, so that equal input gives equal bytes everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mira.geometry.mirror_verdict import Refusal
from mira.geometry.relations import Extents
from mira.schema.capture import Vector
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceBox, WhyNot


def vector(values: ArrayLike, policy: SpacePolicy, *, more: int = 0) -> Vector:
    """Three numbers, rounded.

    Args:
        values: Shape (3,).
        policy: To how many decimals.
        more: So many more, for directions.
    """
    x, y, z = (round(float(value), policy.decimals + more) + 0.0 for value in np.asarray(values))
    return x, y, z


def box(extents: Extents, policy: SpacePolicy) -> SpaceBox:
    """A box, rounded."""
    return SpaceBox(low_m=vector(extents.low_m, policy), high_m=vector(extents.high_m, policy))


def rounded(value: float | None, policy: SpacePolicy) -> float | None:
    """A number, rounded; None where there is none."""
    return None if value is None else round(value, policy.decimals) + 0.0


def why_not(refusal: Refusal | None) -> WhyNot | None:
    """A refusal as a record."""
    return None if refusal is None else WhyNot(code=refusal.code, reason=refusal.reason)
