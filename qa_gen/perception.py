"""Questions of reflection-aware perception, answered from visibility labels and links alone."""

from __future__ import annotations

from collections.abc import Iterator

from mira.schema.annotation import Instance
from mira.schema.qa import ChoiceAnswer, Drop, YesNoAnswer
from qa_gen.choosing import digest, item_id, ranked
from qa_gen.drafts import Draft
from qa_gen.facts import ImageFacts
from qa_gen.objects import PhysicalObject

_ASKS: dict[str, str] = {"vc_001": "reflected_only", "vc_002": "direct_only", "vc_003": "both"}
_SLOT: dict[str, str] = {"vc_001": "X", "vc_002": "Y", "vc_003": "X"}


def perception_drafts(facts: ImageFacts) -> Iterator[Draft | Drop]:
    """Every question of perception that a picture holds, or why it does not.

    Visibility: three questions an object, about one of its appearances, picked by a hash so that
    the place of the box does not tell the answer. Correspondence: see `_correspondence_drafts`.
    """
    for obj in facts.objects:
        yield from _visibility_drafts(facts, obj)
    for obj in facts.objects:
        if obj.seen == "both" and obj.real is not None:
            yield from _correspondence_drafts(facts, obj, obj.real)


def _visibility_drafts(facts: ImageFacts, obj: PhysicalObject) -> Iterator[Draft | Drop]:
    everyone = tuple(instance.instance_id for instance in obj.instances)
    reason = _why_not(facts, obj)
    if reason:
        for template_id in _ASKS:
            yield _drop(facts, template_id, everyone, reason)
        return
    fit = facts.fit(obj.instances)
    image_id = facts.view.image_id
    referent = ranked(fit, facts.policy.seed, image_id, everyone[0], "referent")[0]
    for template_id, asked in _ASKS.items():
        yield Draft(
            item_id=item_id(template_id, image_id, (referent,), None),
            template_id=template_id,
            slots=((_SLOT[template_id], referent),),
            answer=YesNoAnswer(value="yes" if obj.seen == asked else "no"),
            rule="visibility-of-object",
            subject=(obj,),
            joint_group=f"vc-{digest(image_id, referent).hex()}",
        )


def _why_not(facts: ImageFacts, obj: PhysicalObject) -> str | None:
    """Why the visibility of an object cannot be asked about, None where it can."""
    if obj.seen == "undecided":
        lost = facts.annotation.lost_reflections and not obj.reflections
        return "reflection-lost" if lost else "counterpart-undecided"
    if not facts.fit(obj.instances):
        return facts.unfit[obj.instances[0].instance_id]
    # A side that nobody can make out must not decide the answer.
    sides = [side for side in (obj.instances[: obj.real is not None], obj.reflections) if side]
    if any(all(facts.unfit.get(i.instance_id) == "box-too-small" for i in side) for side in sides):
        return "box-too-small"
    return None


def _correspondence_drafts(
    facts: ImageFacts, obj: PhysicalObject, real: Instance
) -> Iterator[Draft | Drop]:
    """Questions on an object seen both ways.

    mc_001 asks for the real object of each reflection, mc_002 for a reflection of the real object
    (one of them where there are several: the others are no options). mc_003 asks of each
    reflection whether it shows the object, once of its own and once of another.
    """
    others = [other for other in facts.objects if other is not obj]
    direct = facts.fit(tuple(other.real for other in others if other.real))
    # An undecided reflection might show this very object, so it is never a wrong option.
    reflected = facts.fit(
        tuple(r for other in others if other.seen != "undecided" for r in other.reflections)
    )
    for reflection in obj.reflections:
        yield _choice(facts, "mc_001", obj, "X", reflection, real, direct)
    fit = facts.fit(obj.reflections) or [obj.reflections[0].instance_id]
    shown = ranked(fit, facts.policy.seed, facts.view.image_id, real.instance_id, "gold")[0]
    yield _choice(facts, "mc_002", obj, "Y", real, facts.instance(shown), reflected)
    for reflection in obj.reflections:
        yield from _same_object(facts, obj, reflection, real, direct)


def _choice(
    facts: ImageFacts,
    template_id: str,
    obj: PhysicalObject,
    slot: str,
    asked: Instance,
    gold: Instance,
    wrong: list[int],
) -> Draft | Drop:
    ids = (asked.instance_id, gold.instance_id)
    for instance_id in ids:
        if instance_id in facts.unfit:
            return _drop(facts, template_id, ids, facts.unfit[instance_id])
    if not wrong:
        return _drop(facts, template_id, ids, "too-few-candidates")
    seed = facts.policy.seed
    key = item_id(template_id, facts.view.image_id, (asked.instance_id,), None)
    chosen = ranked(wrong, seed, key, "distractors")[: facts.policy.max_distractors]
    return Draft(
        item_id=key,
        template_id=template_id,
        slots=((slot, asked.instance_id),),
        answer=ChoiceAnswer(value=str(gold.instance_id)),
        rule="link-of-instance",
        subject=(obj,),
        candidates=tuple(ranked([gold.instance_id, *chosen], seed, key, "order")),
    )


def _same_object(
    facts: ImageFacts, obj: PhysicalObject, reflection: Instance, real: Instance, direct: list[int]
) -> Iterator[Draft | Drop]:
    image_id = facts.view.image_id
    pairs = [(real.instance_id, YesNoAnswer(value="yes"))]
    if direct:
        other = ranked(direct, facts.policy.seed, image_id, reflection.instance_id, "other")[0]
        pairs.append((other, YesNoAnswer(value="no")))
    else:
        yield _drop(facts, "mc_003", (reflection.instance_id,), "too-few-candidates")
    for real_id, answer in pairs:
        ids = (reflection.instance_id, real_id)
        bad = next((facts.unfit[i] for i in ids if i in facts.unfit), None)
        if bad:
            yield _drop(facts, "mc_003", ids, bad)
            continue
        yield Draft(
            item_id=item_id("mc_003", image_id, ids, None),
            template_id="mc_003",
            slots=(("X", ids[0]), ("Y", ids[1])),
            answer=answer,
            rule="link-of-pair",
            subject=(obj, facts.object_of(real_id)) if answer.value == "no" else (obj,),
        )


def _drop(facts: ImageFacts, template_id: str, ids: tuple[int, ...], reason: str) -> Drop:
    return Drop(
        template_id=template_id, image_id=facts.view.image_id, instance_ids=ids, reason=reason
    )
