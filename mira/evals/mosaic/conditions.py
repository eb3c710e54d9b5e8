"""The four conditions of MOSAIC: the subject helps or hinders, with or without theory of mind."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mira.schema.episode import MosaicDetails

ConditionId = Literal["coop-tom0", "coop-tom1", "comp-tom0", "comp-tom1"]
"""Names of the conditions in records and tables."""


class Condition(NamedTuple):
    """One condition of the experiment."""

    mode: Literal["cooperative", "competitive"]
    """Whether the subject gains or loses by the participant's success."""
    tom_order: Literal[0, 1]
    """Order of theory of mind imposed on the subject."""
    id: ConditionId
    """Its name in records and tables."""
    title: str
    """What the paper calls it."""
    expected_score: Literal[-1, 1]
    """What the participant should score (y in Eq. 2): -1 where the subject is to deceive."""


CONDITIONS = (
    Condition("cooperative", 0, "coop-tom0", "Coop-ToM0", 1),
    Condition("cooperative", 1, "coop-tom1", "Coop-ToM1", 1),
    Condition("competitive", 0, "comp-tom0", "Comp-ToM0", 1),
    Condition("competitive", 1, "comp-tom1", "Comp-ToM1", -1),
)
"""In the order of the paper's tables."""
_BY_FACTORS = {(one.mode, one.tom_order): one for one in CONDITIONS}


def condition_of(details: MosaicDetails) -> Condition:
    """The condition that a trial was played in."""
    return _BY_FACTORS[details.mode, details.tom_order]
