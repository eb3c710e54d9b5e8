"""What the picture viewer is given of a picture."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from mira.schema.annotation import ImageAnnotation, Instance
from mira.schema.capture import View
from mira.schema.proposal import OpenQuestion
from mira.schema.qa import QAItem
from mira.store.workspace import Workspace, annotation_digest


def viewer_scene(view: View, annotation: ImageAnnotation | None) -> dict[str, Any]:
    """A picture: its addresses, and the regions of an annotation.

    Where the annotation has changed since, there are no regions, and `is_stale` says so.
    """
    address, depth = f"/media/{quote(view.image_id)}", view.depth_aligned
    return {
        "image_id": view.image_id,
        "width_px": view.width_px,
        "height_px": view.height_px,
        "color_url": f"{address}/color?v={view.color.sha256[:16]}",
        "depth_url": f"{address}/depth-packed?v={depth.sha256[:16]}" if depth else None,
        "depth": {"unit_m": view.depth_unit_m, "kind": view.depth_kind, "range": None},
        "is_stale": annotation is None,
        **(_regions(annotation) if annotation else {"surfaces": [], "instances": [], "links": []}),
    }


def annotation_behind(
    workspace: Workspace, question: QAItem | OpenQuestion
) -> ImageAnnotation | None:
    """The annotation that a question was made from; None where it has changed since."""
    source = question.derivation if isinstance(question, QAItem) else question
    found = workspace.annotation(question.image_id, source.annotator)
    if found is None or annotation_digest(found) != source.annotation_sha256:
        return None
    return found


def _regions(annotation: ImageAnnotation) -> dict[str, Any]:
    return {
        "surfaces": [surface.model_dump(mode="json") for surface in annotation.surfaces],
        "instances": [_instance(instance) for instance in annotation.instances],
        "links": [
            {"reflected_id": link.reflected_id, "real_id": link.real_id}
            for link in annotation.links
        ],
    }


def _instance(instance: Instance) -> dict[str, Any]:
    return {**instance.model_dump(mode="json"), "label": instance.category or "object"}
