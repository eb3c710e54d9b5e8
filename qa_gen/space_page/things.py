"""Appearances and objects of the page."""

from __future__ import annotations

from mira.geometry.measured_scene import InstanceGeometry
from mira.geometry.mirror_verdict import Refusal
from mira.schema.annotation import Instance
from qa_gen.objects import PhysicalObject
from qa_gen.proposing.measured import MeasuredPicture, key_of
from qa_gen.space_page.lengths import box, rounded, vector, why_not
from qa_gen.space_page.outlining import drawn_rings
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceInstance, SpaceSide, SpaceThing
from qa_gen.space_page.telling import Names


def space_instances(
    picture: MeasuredPicture, names: Names, *, policy: SpacePolicy
) -> tuple[SpaceInstance, ...]:
    """The instances of a picture, in the annotation's order.

    Args:
        picture: The picture in metres.
        names: What the page calls things.
        policy: To how many decimals.
    """
    said = {one.instance_id: one for one in picture.scene.instances}
    return tuple(
        _instance(one, said[one.instance_id], picture, names, policy)
        for one in picture.facts.annotation.instances
    )


def space_things(picture: MeasuredPicture, *, policy: SpacePolicy) -> tuple[SpaceThing, ...]:
    """The objects of a picture, where proposals take them to be."""
    return tuple(_thing(obj, picture, policy) for obj in picture.facts.objects)


def _instance(
    one: Instance,
    said: InstanceGeometry,
    picture: MeasuredPicture,
    names: Names,
    policy: SpacePolicy,
) -> SpaceInstance:
    seen, real = said.seen, said.real
    return SpaceInstance(
        instance_id=one.instance_id,
        name=names.instance(one.instance_id),
        thing=key_of(picture.facts.object_of(one.instance_id)),
        visibility=one.visibility,
        seen_in=one.seen_in,
        box_px=picture.facts.boxes[one.instance_id],
        rings_px=drawn_rings(one),
        seen=None
        if seen is None
        else SpaceSide(centre_m=vector(seen.centre_m, policy), box=box(seen.extents_m, policy)),
        real=None
        if real is None
        else SpaceSide(
            centre_m=vector(real.centre_m, policy),
            box=box(real.extents_m, policy),
            doubt_m=rounded(real.doubt_m, policy),
        ),
        refusal=why_not(said.refusal),
    )


def _thing(obj: PhysicalObject, picture: MeasuredPicture, policy: SpacePolicy) -> SpaceThing:
    place = picture.place_of(obj)
    known = {
        "key": key_of(obj),
        "instance_ids": tuple(instance.instance_id for instance in obj.instances),
    }
    if isinstance(place, Refusal):
        return SpaceThing(
            **known, box=None, doubt_m=None, rests_on=(), surface_ids=(), refusal=why_not(place)
        )
    return SpaceThing(
        **known,
        box=box(place.extents_m, policy),
        doubt_m=vector(place.doubt_m, policy),
        rests_on=place.rests_on,
        surface_ids=place.surface_ids,
        refusal=None,
    )
