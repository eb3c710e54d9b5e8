"""A question before it has words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mira.schema.qa import Answer, Derivation
from qa_gen.facts import ImageFacts
from qa_gen.objects import PhysicalObject


@dataclass(frozen=True)
class Draft:
    """Who is asked about, what may be answered, what is right, and why."""

    item_id: str
    template_id: str
    slots: tuple[tuple[str, int], ...]
    """Slot name and instance id."""
    answer: Answer
    """The right answer; a choice gives the taxonomy's word, or the id of the right candidate."""
    rule: str
    subject: tuple[PhysicalObject, ...]
    """Objects that the answer rests on."""
    candidates: tuple[int, ...] = ()
    """Candidates in the order they are offered."""
    joint_group: str | None = None
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    source: Literal["auto", "annotator"] = "auto"
    """Who gave the answer."""
    margin: float | None = None
    """Distance to the nearest threshold, in the rule's unit."""
    derivation: Derivation | None = None
    """What the answer rests on; worked out from the subject if None."""


def derivation_of(draft: Draft, facts: ImageFacts) -> Derivation:
    """Instances, surfaces and links that an answer rests on."""
    instances = [instance for obj in draft.subject for instance in obj.instances]
    return Derivation(
        rule=draft.rule,
        annotator=facts.annotation.annotator,
        annotation_sha256=facts.annotation_sha256,
        instance_ids=tuple(instance.instance_id for instance in instances),
        surface_ids=tuple(sorted({s for instance in instances for s in instance.seen_in})),
        links=tuple(
            (reflection.instance_id, obj.real.instance_id)
            for obj in draft.subject
            if obj.real
            for reflection in obj.reflections
        ),
    )
