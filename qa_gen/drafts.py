"""A question before it has words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mira.schema.qa import Answer, Derivation
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
