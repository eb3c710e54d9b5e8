"""Relations between real positions, and how many objects lie in a direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mira.geometry.relations import (
    RELATION_DIRECTIONS,
    RelationDirection,
    SpatialRelation,
    relation_of,
)
from mira.schema.qa import CountAnswer
from mira.schema.spatial import TrueAnswer
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.truth.sightings import Sighting

_DECIMALS = 4


def relation_answers(facts: ViewFacts) -> Iterator[TrueAnswer]:
    """Each reflection with each other thing seen directly; pairs of reflections of two things.

    Of a pair of reflections, X1 has the smaller id; the other order has the opposite words.
    """
    for one in facts.reflected:
        for other in facts.direct:
            if one.item != other.item:
                yield _relation(facts, "mr_001", {"X": one, "Y": other})
    for place, one in enumerate(facts.reflected):
        for other in facts.reflected[place + 1 :]:
            if one.item != other.item:
                yield _relation(facts, "mr_003", {"X1": one, "X2": other})


def counting_answers(facts: ViewFacts) -> Iterator[TrueAnswer]:
    """Objects in each direction from each appearance's object, where it really is.

    Objects are the things outlined in the picture, each once however often it is reflected, and
    the reflective surfaces outlined in it.
    """
    around = {item: _around(facts, item) for item in facts.objects}
    for sighting in facts.view.content.sightings:
        for direction in RELATION_DIRECTIONS:
            yield _count(facts, sighting, direction, around[sighting.item])


class _Neighbour(NamedTuple):
    """Another object of the picture.

    Attributes:
        name: What a person would call it.
        item: Index into the plan's items; None for a reflective surface.
        relation: How it stands to the reference.
    """

    name: str
    item: int | None
    relation: SpatialRelation


def _around(facts: ViewFacts, item: int) -> list[_Neighbour]:
    """Every other object."""
    found = [
        _Neighbour(facts.name(other), other, facts.relation(other, item))
        for other in facts.objects
        if other != item
    ]
    for surface in facts.view.content.surfaces:
        extents = facts.surface_extents[surface.group_id]
        name = facts.plan.surfaces[surface.surface].surface_type.replace("_", " ")
        relation = relation_of(extents, facts.extents[item], facts.policy.relation)
        found.append(_Neighbour(name, None, relation))
    return found


def _count(
    facts: ViewFacts,
    sighting: Sighting,
    direction: RelationDirection,
    around: list[_Neighbour],
) -> TrueAnswer:
    towards = [(other, *other.relation.towards(direction)) for other in around]
    there = [other for other, _, lies in towards if lies]
    listed = ", ".join(other.name for other in there) if there else "nothing"
    margins = [abs(axis.clearance_m) for _, axis, _ in towards]
    return TrueAnswer(
        template_id="ct_001",
        slots={"X": sighting.group_id},
        direction=direction,
        answer=CountAnswer(value=len(there)),
        margin=round(min(margins), _DECIMALS) if margins else None,
        margin_unit="m" if margins else None,
        close_call=any(axis.close_call for _, axis, _ in towards),
        flags=facts.flags(
            sighting.item, *(other.item for other in there if other.item is not None)
        ),
        reason=f"{direction} of the {facts.name(sighting.item)}: {listed}",
    )


def _relation(facts: ViewFacts, template_id: str, pair: dict[str, Sighting]) -> TrueAnswer:
    one, other = pair.values()
    relation = facts.relation(one.item, other.item)
    x, y, z = (axis.offset_m for axis in relation)
    return TrueAnswer(
        template_id=template_id,
        slots={slot: sighting.group_id for slot, sighting in pair.items()},
        answer=relation.labels,
        margin=round(relation.margin_m, _DECIMALS),
        margin_unit="m",
        close_call=relation.close_call,
        flags=facts.flags(one.item, other.item),
        reason=f"from the {facts.name(other.item)} to the {facts.name(one.item)}: "
        f"{x:+.2f} m to the right, {-y:+.2f} m up, {z:+.2f} m away from the camera",
    )
