"""What can be asked of a picture: one question; and all beside those of perception."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from mira.schema.annotation import Instance
from mira.schema.qa import Drop
from mira.taxonomy.catalogue import taxonomy
from qa_gen.choosing import item_id
from qa_gen.facts import ImageFacts
from qa_gen.objects import PhysicalObject


@dataclass(frozen=True)
class Ask:
    """One question that a picture supports, whatever its answer."""

    template_id: str
    """Row of the taxonomy."""
    image_id: str
    """The picture."""
    slots: tuple[tuple[str, int], ...] = ()
    """Slot and instance id."""
    subject: tuple[PhysicalObject, ...] = ()
    """The object that each slot's instance shows."""
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    candidates: tuple[int, ...] = ()
    """Instances to choose from, in the order they are offered."""

    @property
    def item_id(self) -> str:
        """Id of the item that asks it."""
        ids = (instance_id for _, instance_id in self.slots)
        return item_id(self.template_id, self.image_id, ids, self.direction)


def spatial_asks(facts: ImageFacts) -> Iterator[Ask | Drop]:
    """Every question on real positions, free space and added information, by template.

    `mr_001`: each reflection with each other object that is seen directly. `mr_003`: each two
    reflections of two objects, the smaller id first; the other order has the opposite
    words. `ct_001`, `ac_001`, `ac_002`: each appearance. `mpac_001`: objects seen both ways.
    `ac_003`: each reflection. `ac_004`: each movement, once a picture.
    """
    yield from _relations(facts)
    yield from _counts(facts)
    yield from _each(facts, "mpac_001", "Y", (o.real for o in facts.objects if _is_both(o)))
    yield from _each(facts, "ac_001", "X", facts.annotation.instances)
    yield from _each(facts, "ac_002", "X", facts.annotation.instances)
    yield from _each(facts, "ac_003", "X", _reflected(facts))
    for direction in taxonomy().directions["movement"]:
        yield Ask("ac_004", facts.view.image_id, direction=direction)


def _relations(facts: ImageFacts) -> Iterator[Ask | Drop]:
    direct = [one for one in facts.annotation.instances if one.visibility == "direct"]
    for one in _reflected(facts):
        for other in direct:
            yield from _ask(facts, "mr_001", (("X", one), ("Y", other)))
    for one, other in combinations(_reflected(facts), 2):
        yield from _ask(facts, "mr_003", (("X1", one), ("X2", other)))


def _counts(facts: ImageFacts) -> Iterator[Ask | Drop]:
    for direction in taxonomy().directions["relation"]:
        yield from _each(facts, "ct_001", "X", facts.annotation.instances, direction=direction)


def _each(
    facts: ImageFacts,
    template_id: str,
    slot: str,
    instances: Iterator[Instance | None] | tuple[Instance, ...] | list[Instance],
    *,
    direction: str | None = None,
) -> Iterator[Ask | Drop]:
    for instance in instances:
        if instance is not None:
            yield from _ask(facts, template_id, ((slot, instance),), direction=direction)


def _ask(
    facts: ImageFacts,
    template_id: str,
    slots: tuple[tuple[str, Instance], ...],
    *,
    direction: str | None = None,
) -> Iterator[Ask | Drop]:
    """The question, or why it cannot be put; nothing where it would be about one object twice."""
    ids = tuple(instance.instance_id for _, instance in slots)
    subject = tuple(facts.object_of(instance_id) for instance_id in ids)
    if len(set(map(id, subject))) < len(subject):
        return
    image_id = facts.view.image_id
    reason = next((facts.unfit[k] for k in ids if k in facts.unfit), None)
    if reason is None and len(subject) == 2 and _may_be_one(*subject):
        reason = "may-be-one-object"
    if reason is not None:
        yield Drop(template_id=template_id, image_id=image_id, instance_ids=ids, reason=reason)
        return
    named = tuple((name, instance.instance_id) for name, instance in slots)
    yield Ask(template_id, image_id, named, subject, direction)


def _reflected(facts: ImageFacts) -> list[Instance]:
    return [one for one in facts.annotation.instances if one.visibility == "reflected"]


def _is_both(obj: PhysicalObject) -> bool:
    return obj.real is not None and bool(obj.reflections)


def _may_be_one(one: PhysicalObject, other: PhysicalObject) -> bool:
    """Whether nobody has said yet that a reflection is not of the other object.

    Two of which one is seen directly and one reflected may be one thing, unless both are decided.
    So may two that are seen in different mirrors alone: no link can say that they are. In one
    mirror a thing is seen once.
    """
    if one.real is None and other.real is None:
        ways = ({instance.seen_in for instance in each.reflections} for each in (one, other))
        return next(ways).isdisjoint(next(ways)) and not _differ(one, other)
    if one.real is not None and other.real is not None:
        return False
    reflected = one if one.real is None else other
    return reflected.seen == "undecided"


def _differ(one: PhysicalObject, other: PhysicalObject) -> bool:
    """Whether categories rule out that two objects are one."""
    names = [
        {instance.category.casefold() for instance in each.instances if instance.category}
        for each in (one, other)
    ]
    return all(names) and names[0].isdisjoint(names[1])
