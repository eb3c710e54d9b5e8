"""Answers worked out anew from what the pictures' links say."""

from __future__ import annotations

from collections.abc import Callable

from export.verify.rows import QuestionRow
from export.verify.sightings import HowSeen, Sightings

_ASKED: dict[str, HowSeen] = {
    "vc_001": "reflected_only",
    "vc_002": "direct_only",
    "vc_003": "both",
}


def answer_fault(question: QuestionRow, sightings: Sightings) -> str | None:
    """Why the answer is not the one that the links give, None where it is.

    Answers by other rules than those of visibility and links are not worked out.

    Args:
        question: Its marks are instances of the picture.
        sightings: Objects of the picture.
    """
    derive = _RULES.get(question.derivation.rule)
    if derive is None:
        return None
    derived = derive(question, sightings)
    if derived is None:
        return "the links of the picture give it no one answer"
    stated = [entry.value for entry in question.options if entry.label == question.answer]
    if stated == [derived]:
        return None
    return f"expected the option of value {derived!r} by the links, found {question.answer!r}"


def _visibility(question: QuestionRow, sightings: Sightings) -> str | None:
    asked = _ASKED.get(question.template_id)
    slots = question.slots
    if asked is None or len(slots) != 1:
        return None
    how_seen = sightings.how_seen.get(sightings.object_of[slots[0].instance_id])
    return how_seen and ("yes" if how_seen == asked else "no")


def _pair(question: QuestionRow, sightings: Sightings) -> str | None:
    ids = {mark.instance_id for mark in question.slots}
    if len(ids) != 2 or len(question.slots) != 2 or ids & sightings.undecided:
        return None
    return "yes" if len({sightings.object_of[k] for k in ids}) == 1 else "no"


def _partner(question: QuestionRow, sightings: Sightings) -> str | None:
    """The one candidate that shows the object asked about, seen the other way."""
    if len(question.slots) != 1:
        return None
    asked = question.slots[0].instance_id
    offered = [mark.instance_id for mark in question.candidates]
    alike = [k for k in offered if (k in sightings.reflected) == (asked in sightings.reflected)]
    if alike or sightings.undecided.intersection([asked, *offered]):
        return None
    wanted = sightings.object_of[asked]
    partners = [k for k in offered if sightings.object_of[k] == wanted]
    return str(partners[0]) if len(partners) == 1 else None


_RULES: dict[str, Callable[[QuestionRow, Sightings], str | None]] = {
    "visibility-of-object": _visibility,
    "link-of-pair": _pair,
    "link-of-instance": _partner,
}
