"""What visibility labels and links say to a question of perception, and why."""

from __future__ import annotations

from typing import NamedTuple

from mira.schema.proposal import Proposal
from mira.schema.qa import Answer, ChoiceAnswer, YesNoAnswer
from qa_gen.asking import Ask
from qa_gen.choosing import digest
from qa_gen.drafts import Draft, derivation_of
from qa_gen.facts import ImageFacts
from qa_gen.objects import PhysicalObject

VISIBILITY = {"vc_001": "reflected_only", "vc_002": "direct_only", "vc_003": "both"}
"""How an object is seen of which the answer is yes, by template."""
PERCEPTION = (*VISIBILITY, "mc_001", "mc_002", "mc_003")
"""Templates that labels and links answer."""


class Said(NamedTuple):
    """An answer by labels.

    Attributes:
        answer: The answer; a choice gives the id of the right candidate.
        rule: Name of the rule.
        reason: Why, in plain words.
    """

    answer: Answer
    rule: str
    reason: str


def what_labels_say(ask: Ask, facts: ImageFacts) -> Said:
    """The answer of a question of perception, which is put only where labels decide it."""
    obj = facts.object_of(ask.slots[0][1])
    if ask.template_id in VISIBILITY:
        return _visibility(ask, obj)
    if ask.candidates:
        right = next(one for one in ask.candidates if facts.object_of(one) is obj)
        return Said(ChoiceAnswer(value=str(right)), "link-of-instance", _pair(ask, obj, right))
    real_id = ask.slots[1][1]
    is_same = facts.object_of(real_id) is obj
    reason = _pair(ask, obj, real_id) if is_same else _no_pair(ask, obj, real_id)
    return Said(YesNoAnswer(value="yes" if is_same else "no"), "link-of-pair", reason)


def label_draft(ask: Ask, facts: ImageFacts) -> Draft:
    """A question of perception with the answer that labels give."""
    said = what_labels_say(ask, facts)
    return Draft(
        item_id=ask.item_id,
        template_id=ask.template_id,
        slots=ask.slots,
        answer=said.answer,
        rule=said.rule,
        subject=_once(ask.subject),
        candidates=ask.candidates,
        joint_group=joint_group(ask),
    )


def label_proposal(ask: Ask, facts: ImageFacts) -> Proposal:
    """What labels say, in the form in which geometry proposes."""
    said = what_labels_say(ask, facts)
    return Proposal(
        item_id=ask.item_id,
        template_id=ask.template_id,
        image_id=ask.image_id,
        slots=dict(ask.slots),
        answer=said.answer,
        reason=said.reason,
        derivation=derivation_of(label_draft(ask, facts), facts),
    )


def joint_group(ask: Ask) -> str | None:
    """What the three questions on the visibility of an appearance have in common."""
    if ask.template_id not in VISIBILITY:
        return None
    return f"vc-{digest(ask.image_id, ask.slots[0][1]).hex()}"


def _visibility(ask: Ask, obj: PhysicalObject) -> Said:
    is_so = obj.seen == VISIBILITY[ask.template_id]
    answer = YesNoAnswer(value="yes" if is_so else "no")
    return Said(answer, "visibility-of-object", _how_seen(obj))


def _how_seen(obj: PhysicalObject) -> str:
    ids = [instance.instance_id for instance in obj.reflections]
    if obj.real is None:
        shows = "shows" if len(ids) == 1 else "show"
        what = f"{_named(ids)} {shows} an object outside the picture"
        return f"{what}, so it is seen only as a reflection"
    real = f"instance {obj.real.instance_id}"
    if not ids:
        return f"no reflection in the picture is one of {real}, so it is seen only directly"
    verb = "is the reflection" if len(ids) == 1 else "are reflections"
    return f"{_named(ids)} {verb} of {real}, so it is seen both ways"


def _pair(ask: Ask, obj: PhysicalObject, other_id: int) -> str:
    asked_id = ask.slots[0][1]
    real_id = obj.real.instance_id if obj.real else asked_id
    reflected_id = other_id if asked_id == real_id else asked_id
    article = "the" if len(obj.reflections) == 1 else "a"
    return f"instance {reflected_id} is {article} reflection of instance {real_id}"


def _no_pair(ask: Ask, obj: PhysicalObject, other_id: int) -> str:
    asked_id = ask.slots[0][1]
    if obj.real is None:
        return f"instance {asked_id} shows an object outside the picture, not instance {other_id}"
    return f"{_pair(ask, obj, obj.real.instance_id)}, not of instance {other_id}"


def _named(ids: list[int]) -> str:
    if len(ids) == 1:
        return f"instance {ids[0]}"
    return f"instances {', '.join(map(str, ids[:-1]))} and {ids[-1]}"


def _once(subject: tuple[PhysicalObject, ...]) -> tuple[PhysicalObject, ...]:
    """The objects, each once."""
    return tuple({id(obj): obj for obj in subject}.values())
