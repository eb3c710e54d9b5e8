"""What the rules need to know of one picture, worked out once."""

from __future__ import annotations

from dataclasses import dataclass, replace
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

    def without_limit(self) -> Self:
        """The same picture, of which every question is asked and not a choice of them."""
        return replace(self, policy=self.policy.model_copy(update={"most_a_template": None}))

    def fit(self, instances: tuple[Instance, ...]) -> list[int]:
        """Ids of those instances that a question can point at."""
        return [i.instance_id for i in instances if i.instance_id not in self.unfit]


def image_facts(view: View, annotation: ImageAnnotation, policy: QAPolicy) -> ImageFacts:
    """Work out the facts of a picture.

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
