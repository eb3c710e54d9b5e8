"""Physical objects behind the instances of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mira.schema.annotation import Correspondence, ImageAnnotation, Instance

Seen = Literal["both", "direct_only", "reflected_only", "undecided"]


@dataclass(frozen=True)
class PhysicalObject:
    """One object of the real room with all its appearances in one picture."""

    real: Instance | None
    """Its direct appearance, if there is one."""
    reflections: tuple[Instance, ...]
    """Its reflections, by id; several with several surfaces."""
    seen: Seen
    """How it is seen; `undecided` where the annotation leaves it open."""

    @property
    def instances(self) -> tuple[Instance, ...]:
        """All appearances, the real one first."""
        return ((self.real,) if self.real else ()) + self.reflections


def physical_objects(annotation: ImageAnnotation) -> tuple[PhysicalObject, ...]:
    """The objects of a picture, by the smallest id of their instances.

    Reflections of one object are found through their links, along chains of reflections of
    reflections. A reflection whose counterpart is unset or ambiguous leaves its object undecided,
    and with it every directly seen object that it might show (any without a reflection whose
    category does not rule it out). A reflection that was lost as faulty might show any.
    """
    links = {link.reflected_id: link for link in annotation.links}
    members: dict[int, list[Instance]] = {}
    for instance in annotation.instances:
        members.setdefault(_root(instance.instance_id, links), []).append(instance)
    open_reflections = [
        instance
        for instance in annotation.instances
        if instance.visibility == "reflected" and _is_open(_root_link(instance.instance_id, links))
    ]
    lost = annotation.lost_reflections > 0
    objects = [_object(group, links, open_reflections, lost) for group in members.values()]
    return tuple(sorted(objects, key=lambda obj: min(i.instance_id for i in obj.instances)))


def _object(
    group: list[Instance],
    links: dict[int, Correspondence],
    open_reflections: list[Instance],
    lost: bool,
) -> PhysicalObject:
    real = next((instance for instance in group if instance.visibility == "direct"), None)
    reflections = tuple(
        sorted(
            (instance for instance in group if instance.visibility == "reflected"),
            key=lambda instance: instance.instance_id,
        )
    )
    seen: Seen
    if real and reflections:
        seen = "both"
    elif real:
        undecided = lost or _might_show(real, open_reflections)
        seen = "undecided" if undecided else "direct_only"
    else:
        undecided = _is_open(_root_link(reflections[0].instance_id, links))
        seen = "undecided" if undecided else "reflected_only"
    return PhysicalObject(real=real, reflections=reflections, seen=seen)


def _root(instance_id: int, links: dict[int, Correspondence]) -> int:
    """The instance at the end of a chain of links: the real one, or the last known reflection."""
    seen: set[int] = set()
    while instance_id not in seen:
        seen.add(instance_id)
        link = links.get(instance_id)
        following = link and (link.reflection_of_id or link.real_id)
        if not following:
            break
        instance_id = following
    return instance_id


def _root_link(instance_id: int, links: dict[int, Correspondence]) -> Correspondence | None:
    root = _root(instance_id, links)
    if root in links:
        return links[root]
    return links.get(instance_id)


def _is_open(link: Correspondence | None) -> bool:
    """Whether nobody has said yet which object, or none in the picture, a reflection shows."""
    if link is None:
        return True
    linked = link.real_id is not None or link.reflection_of_id is not None
    return not linked and link.counterpart != "out_of_frame"


def _might_show(real: Instance, open_reflections: list[Instance]) -> bool:
    return any(
        real.category is None
        or reflection.category is None
        or reflection.category.casefold() == real.category.casefold()
        for reflection in open_reflections
    )
