"""Where a view's reflective surfaces are: by its annotation, by its `surfaces.png`, or nowhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capture.selection.pictures import ViewPictures
from capture.selection.records import ObjectCounts, RegionSource, Remark
from mira.geometry.mask import decode_rle, rle_from_polygons
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene


@dataclass(frozen=True, eq=False)
class ViewRegions:
    """The surfaces of a view.

    Attributes:
        source: Where they are known from.
        masks: One a surface, none of them empty, each of shape (height, width).
        labels: The scene's names of these surfaces; None where the source does not tell.
        objects: Instances that are annotated; absent without an annotation.
        complete: Whether the annotation is all that its annotator has to say.
        remarks: What is to be said of the sources.
    """

    source: RegionSource
    masks: tuple[NDArray[np.bool_], ...] = ()
    labels: tuple[str | None, ...] = ()
    objects: ObjectCounts | None = None
    complete: bool = True
    remarks: tuple[Remark, ...] = ()

    @property
    def known(self) -> bool:
        """Whether anybody said where surfaces are, or that there are none."""
        return self.source != "none"


def find_regions(
    pictures: ViewPictures, annotation: ImageAnnotation | None, scene: Scene | None
) -> ViewRegions:
    """The surfaces of a view, from the best source that knows of any.

    Args:
        pictures: The view's.
        annotation: What is drawn on it, if anything is.
        scene: Names its surfaces, where it can be read.
    """
    remarks: tuple[Remark, ...] = ()
    if annotation is not None:
        drawn = _from_annotation(annotation, pictures.size_px)
        if drawn.known:
            return drawn
        remarks = drawn.remarks
    if pictures.labels is not None:
        return _from_labels(pictures.labels, scene, remarks)
    return ViewRegions("none", remarks=remarks)


def _from_annotation(annotation: ImageAnnotation, size_px: tuple[int, int]) -> ViewRegions:
    drawn_on = (annotation.width_px, annotation.height_px)
    if drawn_on != size_px:
        sizes = " and ".join(f"{width} x {height}" for width, height in (drawn_on, size_px))
        text = f"the annotation is of a picture of another size ({sizes}): it is left aside"
        remark = Remark(code="annotation-unusable", verdict="look", text=text)
        return ViewRegions("none", remarks=(remark,))
    remarks = []
    if annotation.status == "draft":
        text = "the annotation is not ticked as done"
        remarks.append(Remark(code="annotation-draft", verdict="keep", text=text))
    elif annotation.status == "failed":
        text = "its annotator gave the picture up"
        remarks.append(Remark(code="annotation-given-up", verdict="look", text=text))
    if not annotation.surfaces and annotation.status != "done":
        return ViewRegions("none", remarks=tuple(remarks))
    width_px, height_px = size_px
    masks = tuple(
        decode_rle(
            rle_from_polygons(
                surface.polygons_px, surface.holes_px, width_px=width_px, height_px=height_px
            )
        )
        for surface in annotation.surfaces
    )
    seen = tuple(mask for mask in masks if mask.any())
    reflected = sum(instance.visibility == "reflected" for instance in annotation.instances)
    return ViewRegions(
        "annotation",
        masks=seen,
        labels=(None,) * len(seen),
        objects=ObjectCounts(direct=len(annotation.instances) - reflected, reflected=reflected),
        complete=annotation.status == "done" and not annotation.lost_reflections,
        remarks=tuple(remarks),
    )


def _from_labels(
    labels: NDArray[np.uint8], scene: Scene | None, remarks: tuple[Remark, ...]
) -> ViewRegions:
    present = [label for label in np.unique(labels).tolist() if label]
    named = scene.surfaces if scene is not None else ()
    names = tuple(
        named[label - 1].surface_id if label <= len(named) else f"surface {label}"
        for label in present
    )
    masks = tuple(labels == label for label in present)
    return ViewRegions("surfaces", masks=masks, labels=names, remarks=remarks)
