"""What the rules need to know of one picture, worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from mira.errors import WorkspaceError
from mira.geometry.mask import box_iou, box_of_rle, rle_from_polygons
from mira.schema.annotation import ImageAnnotation, Instance
from mira.schema.capture import View
from mira.schema.qa import Box, QAPolicy
from mira.store.workspace import annotation_digest
from qa_gen.objects import PhysicalObject, physical_objects


@dataclass(frozen=True)
class ImageFacts:
    """One annotated picture as the rules see it."""

    view: View
    annotation: ImageAnnotation
    annotation_sha256: str
    policy: QAPolicy
    objects: tuple[PhysicalObject, ...]
    boxes: dict[int, Box]
    """Box of every instance, by id."""
    unfit: dict[int, str]
    """Instances that no question can point at, with the reason."""
    described: Mapping[int, str] = field(default_factory=dict)
    """What people say of instances, by id; goes before what the annotation says."""

    @cached_property
    def _instances(self) -> dict[int, Instance]:
        return {instance.instance_id: instance for instance in self.annotation.instances}

    @cached_property
    def _objects(self) -> dict[int, PhysicalObject]:
        return {one.instance_id: obj for obj in self.objects for one in obj.instances}

    def instance(self, instance_id: int) -> Instance:
        """The instance of an id."""
        return self._instances[instance_id]

    def object_of(self, instance_id: int) -> PhysicalObject:
        """The object that an instance shows."""
        return self._objects[instance_id]

    def description(self, instance_id: int) -> str:
        """A few words for an instance; empty where there are none."""
        drawn = self.instance(instance_id)
        said = self.described.get(instance_id)
        return " ".join((said or drawn.description or drawn.category or "").split())

    def redescribed(self, described: Mapping[int, str]) -> Self:
        """The same picture with further descriptions; an empty one takes back what was said."""
        return replace(self, described={**self.described, **described}) if described else self

    def without_limit(self) -> Self:
        """The same picture, of which every question is asked and not a choice of them."""
        return replace(self, policy=self.policy.model_copy(update={"most_a_template": None}))

    def fit(self, instances: tuple[Instance, ...]) -> list[int]:
        """Ids of those instances that a question can point at."""
        return [i.instance_id for i in instances if i.instance_id not in self.unfit]


def image_facts(
    view: View,
    annotation: ImageAnnotation,
    policy: QAPolicy,
    *,
    described: Mapping[int, str] | None = None,
) -> ImageFacts:
    """Work out the facts of a picture.

    Args:
        view: The picture.
        annotation: What is drawn on it.
        policy: Which instances can be asked about.
        described: What people say of instances, by id. The annotation's digest knows nothing of
            it: what rests on the drawing alone stays as it is.

    Raises:
        WorkspaceError: The annotation was drawn on a picture of another size.
    """
    if (annotation.width_px, annotation.height_px) != (view.width_px, view.height_px):
        raise WorkspaceError(
            view.image_id,
            f"expected an annotation of {view.width_px} x {view.height_px}, found one of "
            f"{annotation.width_px} x {annotation.height_px}",
            "import it again",
        )
    boxes = {
        instance.instance_id: box_of_rle(
            rle_from_polygons(
                instance.polygons_px,
                instance.holes_px,
                width_px=annotation.width_px,
                height_px=annotation.height_px,
            )
        )
        for instance in annotation.instances
    }
    return ImageFacts(
        view=view,
        annotation=annotation,
        annotation_sha256=annotation_digest(annotation),
        policy=policy,
        objects=physical_objects(annotation),
        boxes=boxes,
        unfit=_unfit(boxes, policy),
        described=described or {},
    )


def _unfit(boxes: dict[int, Box], policy: QAPolicy) -> dict[int, str]:
    unfit: dict[int, str] = {}
    for instance_id, box in boxes.items():
        if min(box[2] - box[0], box[3] - box[1]) < policy.min_box_side_px:
            unfit[instance_id] = "box-too-small"
        elif any(
            box_iou(box, other) > policy.max_box_iou
            for other_id, other in boxes.items()
            if other_id != instance_id
        ):
            unfit[instance_id] = "ambiguous-referent"
    return unfit
