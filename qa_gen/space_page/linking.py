"""Reflections joined with what they are linked to, as lines from middle to middle."""

from __future__ import annotations

from mira.geometry.measured_scene import InstanceGeometry
from mira.geometry.pair_evidence import body_centre
from mira.geometry.plane import reflect_through
from mira.geometry.real_place import LinkGap
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.space_page.lengths import rounded, vector, why_not
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceLink


def space_links(picture: MeasuredPicture, *, policy: SpacePolicy) -> tuple[SpaceLink, ...]:
    """Every link to a directly seen instance; the ends of its gap are those of `gap_m`."""
    said = {one.instance_id: one for one in picture.scene.instances}
    return tuple(_link(link, picture, said, policy) for link in picture.scene.links)


def _link(
    link: LinkGap,
    picture: MeasuredPicture,
    said: dict[int, InstanceGeometry],
    policy: SpacePolicy,
) -> SpaceLink:
    pairs = picture.policy.geometry.pairs
    image, thing = (
        None if seen is None else body_centre(seen, pairs)
        for seen in (said[link.reflected_id].seen, said[link.real_id].seen)
    )
    put_back = None
    if link.gap_m is not None and image is not None:
        planes = {one.surface_id: one.mirror.plane for one in picture.scene.surfaces}
        way = [planes[which] for which in picture.facts.instance(link.reflected_id).seen_in]
        put_back = reflect_through(image, [plane for plane in way if plane is not None])
    return SpaceLink(
        reflected_id=link.reflected_id,
        real_id=link.real_id,
        image_m=None if image is None else vector(image, policy),
        put_back_m=None if put_back is None else vector(put_back, policy),
        thing_m=None if thing is None else vector(thing, policy),
        gap_m=rounded(link.gap_m, policy),
        sigmas=rounded(link.sigmas, policy),
        agrees=link.agrees,
        refusal=why_not(link.refusal),
    )
