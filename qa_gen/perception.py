"""Questions of reflection-aware perception, answered from visibility labels and links alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mira.schema.annotation import Instance
from mira.schema.qa import Drop
from qa_gen.answering import Answers, People, same_answer
from qa_gen.asking import Ask
from qa_gen.choosing import item_id, ranked
from qa_gen.drafts import Draft, derivation_of
from qa_gen.facts import ImageFacts
from qa_gen.labels import PERCEPTION, VISIBILITY, joint_group, label_draft, what_labels_say
from qa_gen.objects import PhysicalObject

_SLOT: dict[str, str] = {"vc_001": "X", "vc_002": "Y", "vc_003": "X"}


def perception_asks(facts: ImageFacts) -> Iterator[Ask]:
    """Every question of perception that labels decide, whoever puts it.

    Visibility: of each appearance that can be pointed at. Correspondence: of each reflection and
    each object seen directly, with its candidates; of each pair of them.
    """
    for obj in facts.objects:
        if _why_not(facts, obj) is None:
            for instance_id in facts.fit(obj.instances):
                yield from _visibility_asks(facts, obj, instance_id)
        if obj.seen == "both" and obj.real is not None:
            found = _choices(facts, obj, obj.real)
            yield from (ask for ask in found if isinstance(ask, Ask))
    direct = _direct_of(facts, list(facts.objects))
    for obj in facts.objects:
        if obj.seen != "undecided":
            for reflected_id in facts.fit(obj.reflections):
                for real_id in direct:
                    yield _pair_ask(facts, reflected_id, real_id)


def perception_drafts(facts: ImageFacts, answers: Answers) -> Iterator[Draft | Drop]:
    """Every question of perception that a picture holds, or why it does not.

    Those that labels make by themselves, and those that people answered. What people say otherwise
    than labels is not asked.

    Args:
        facts: The picture.
        answers: What people say.
    """
    said = {key: people for key, people in answers.items() if is_of_perception(people)}
    made: dict[str, Ask] = {}
    for ask in _picked_asks(facts):
        if isinstance(ask, Drop):
            yield ask
        else:
            made[ask.item_id] = ask
    if said:
        able = {ask.item_id: ask for ask in perception_asks(facts)}
        yield from _gone(facts, said, able)
        groups = {_group(able[key]) for key in said if key in able}
        made |= {key: ask for key, ask in able.items() if _group(ask) in groups}
    contradicted = {_group(ask) for ask in made.values() if _is_contradicted(ask, facts, said)}
    for ask in made.values():
        if _group(ask) in contradicted:
            ids = tuple(instance_id for _, instance_id in ask.slots)
            yield _drop(facts, ask.template_id, ids, "contradicts-labels")
        else:
            yield _with_people(ask, facts, said)


def is_of_perception(people: People) -> bool:
    """Whether what people answered is a question of perception."""
    return any(answer.template_id in PERCEPTION for answer in people.values())


def _with_people(ask: Ask, facts: ImageFacts, said: Answers) -> Draft:
    """A question as labels answer it, and who says the same."""
    draft = label_draft(ask, facts)
    people = said.get(ask.item_id)
    if not people:
        return draft
    derivation = derivation_of(draft, facts).model_copy(
        update={"parameters": {"by": sorted(people)}}
    )
    return replace(draft, source="annotator", derivation=derivation)


def _is_contradicted(ask: Ask, facts: ImageFacts, said: Answers) -> bool:
    people = said.get(ask.item_id, {}).values()
    ours = what_labels_say(ask, facts).answer if people else None
    return ours is not None and any(not same_answer(one.answer, ours) for one in people)


def _gone(facts: ImageFacts, said: Answers, able: Mapping[str, Ask]) -> Iterator[Drop]:
    """Questions that people answered and that labels no longer decide."""
    for key, people in said.items():
        if key not in able:
            answer = next(iter(people.values()))
            ids = tuple(answer.slots.values())
            yield _drop(facts, answer.template_id, ids, "question-gone")


def _group(ask: Ask) -> str:
    """Questions that are asked together or not at all."""
    return joint_group(ask) or ask.item_id


def _picked_asks(facts: ImageFacts) -> Iterator[Ask | Drop]:
    """The questions that labels make by themselves, or why they do not.

    Visibility: three questions an object, about one of its appearances, picked by a hash so that
    the place of the box does not tell the answer. Correspondence: `_choices`, and `mc_003` of each
    reflection once with its object and once with another.
    """
    for obj in facts.objects:
        yield from _picked_visibility(facts, obj)
    for obj in facts.objects:
        if obj.seen == "both" and obj.real is not None:
            yield from _choices(facts, obj, obj.real)
            for reflection in obj.reflections:
                yield from _picked_pairs(facts, obj, reflection, obj.real)


def _picked_visibility(facts: ImageFacts, obj: PhysicalObject) -> Iterator[Ask | Drop]:
    everyone = tuple(instance.instance_id for instance in obj.instances)
    reason = _why_not(facts, obj)
    if reason:
        for template_id in VISIBILITY:
            yield _drop(facts, template_id, everyone, reason)
        return
    fit = facts.fit(obj.instances)
    image_id = facts.view.image_id
    referent = ranked(fit, facts.policy.seed, image_id, everyone[0], "referent")[0]
    yield from _visibility_asks(facts, obj, referent)


def _visibility_asks(facts: ImageFacts, obj: PhysicalObject, referent: int) -> Iterator[Ask]:
    for template_id in VISIBILITY:
        slots = ((_SLOT[template_id], referent),)
        yield Ask(template_id, facts.view.image_id, slots, (obj,))


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


def _choices(facts: ImageFacts, obj: PhysicalObject, real: Instance) -> Iterator[Ask | Drop]:
    """Questions with candidates on an object seen both ways.

    mc_001 asks for the real object of each reflection, mc_002 for a reflection of the real object
    (one of them where there are several: the others are no options).
    """
    others = [other for other in facts.objects if other is not obj]
    direct = _direct_of(facts, others)
    # An undecided reflection might show this very object, so it is never a wrong option.
    reflected = facts.fit(
        tuple(r for other in others if other.seen != "undecided" for r in other.reflections)
    )
    for reflection in obj.reflections:
        yield _choice(facts, "mc_001", obj, "X", reflection, real, direct)
    fit = facts.fit(obj.reflections) or [obj.reflections[0].instance_id]
    shown = ranked(fit, facts.policy.seed, facts.view.image_id, real.instance_id, "gold")[0]
    yield _choice(facts, "mc_002", obj, "Y", real, facts.instance(shown), reflected)


def _choice(
    facts: ImageFacts,
    template_id: str,
    obj: PhysicalObject,
    slot: str,
    asked: Instance,
    gold: Instance,
    wrong: list[int],
) -> Ask | Drop:
    ids = (asked.instance_id, gold.instance_id)
    for instance_id in ids:
        if instance_id in facts.unfit:
            return _drop(facts, template_id, ids, facts.unfit[instance_id])
    if not wrong:
        return _drop(facts, template_id, ids, "too-few-candidates")
    seed = facts.policy.seed
    key = item_id(template_id, facts.view.image_id, (asked.instance_id,), None)
    chosen = ranked(wrong, seed, key, "distractors")[: facts.policy.max_distractors]
    order = tuple(ranked([gold.instance_id, *chosen], seed, key, "order"))
    slots = ((slot, asked.instance_id),)
    return Ask(template_id, facts.view.image_id, slots, (obj,), candidates=order)


def _picked_pairs(
    facts: ImageFacts, obj: PhysicalObject, reflection: Instance, real: Instance
) -> Iterator[Ask | Drop]:
    image_id, reflected_id = facts.view.image_id, reflection.instance_id
    direct = _direct_of(facts, [other for other in facts.objects if other is not obj])
    if not direct:
        yield _drop(facts, "mc_003", (reflected_id,), "too-few-candidates")
    other = ranked(direct, facts.policy.seed, image_id, reflected_id, "other")[:1]
    for real_id in (real.instance_id, *other):
        ids = (reflected_id, real_id)
        bad = next((facts.unfit[i] for i in ids if i in facts.unfit), None)
        yield _drop(facts, "mc_003", ids, bad) if bad else _pair_ask(facts, *ids)


def _pair_ask(facts: ImageFacts, reflected_id: int, real_id: int) -> Ask:
    subject = (facts.object_of(reflected_id), facts.object_of(real_id))
    return Ask("mc_003", facts.view.image_id, (("X", reflected_id), ("Y", real_id)), subject)


def _direct_of(facts: ImageFacts, objects: list[PhysicalObject]) -> list[int]:
    """Direct appearances of objects that a question can point at."""
    return facts.fit(tuple(obj.real for obj in objects if obj.real))


def _drop(facts: ImageFacts, template_id: str, ids: tuple[int, ...], reason: str) -> Drop:
    return Drop(
        template_id=template_id, image_id=facts.view.image_id, instance_ids=ids, reason=reason
    )
