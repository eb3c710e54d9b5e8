"""A rule's outcome as a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mira.geometry.mirror_verdict import Refusal
from mira.schema.proposal import Proposal, ProposalFlag
from mira.schema.qa import Answer, Derivation
from mira.schema.spatial import MarginUnit
from qa_gen.asking import Ask
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.placing import Placed

_DECIMALS = 4


class Outcome(NamedTuple):
    """What a rule says of a question.

    Attributes:
        answer: The answer; a choice gives the taxonomy's word.
        reason: Why, in plain words.
        close_call: Whether a person should decide.
        margin: Distance to the nearest threshold; None where none took part.
        unit: Its unit.
        flags: What else to know.
        rests_on: Places that the answer rests on.
    """

    answer: Answer
    reason: str
    close_call: bool
    margin: float | None = None
    unit: MarginUnit | None = None
    flags: tuple[ProposalFlag, ...] = ()
    rests_on: tuple[Placed, ...] = ()


def proposal_of(
    ask: Ask, picture: MeasuredPicture, outcome: Outcome | Refusal, *, rule: str
) -> Proposal:
    """The record of what a rule says, or of why it says nothing."""
    known = {
        "item_id": ask.item_id,
        "template_id": ask.template_id,
        "image_id": ask.image_id,
        "slots": dict(ask.slots),
        "direction": ask.direction,
        "reason": outcome.reason,
    }
    if isinstance(outcome, Refusal):
        code = outcome.code.replace("_", "-")
        return Proposal(**known, refusal=code, derivation=_derivation(ask, picture, (), rule))
    flags = list(outcome.flags)
    close_call = outcome.close_call
    instances = (i.instance_id for obj in ask.subject for i in obj.instances)
    if not picture.denied.isdisjoint(instances):
        flags.append("link_denied")
        close_call = True
    margin = None if outcome.margin is None else round(outcome.margin, _DECIMALS)
    return Proposal(
        **known,
        answer=outcome.answer,
        margin=margin,
        margin_unit=None if margin is None else outcome.unit,
        close_call=close_call,
        flags=tuple(dict.fromkeys(flags)),
        derivation=_derivation(ask, picture, outcome.rests_on, rule),
    )


def _derivation(
    ask: Ask, picture: MeasuredPicture, rests_on: Iterable[Placed], rule: str
) -> Derivation:
    places = tuple(rests_on)
    subject = [i.instance_id for obj in ask.subject for i in obj.instances]
    measured = [number for placed in places for number in placed.rests_on]
    return Derivation(
        rule=rule,
        annotator=picture.facts.annotation.annotator,
        annotation_sha256=picture.facts.annotation_sha256,
        instance_ids=tuple(dict.fromkeys((*subject, *measured))),
        surface_ids=tuple(sorted({which for placed in places for which in placed.surface_ids})),
        links=tuple(
            (reflection.instance_id, obj.real.instance_id)
            for obj in ask.subject
            if obj.real
            for reflection in obj.reflections
        ),
    )
