"""Records of a workspace as rows of a release."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from mira.geometry.mask import box_of_rle, rle_from_polygons
from mira.release.reader import Row
from mira.schema.annotation import ImageAnnotation, Ring
from mira.schema.capture import Scene, View
from mira.schema.qa import AxesAnswer, QAItem, Wording
from mira.taxonomy.catalogue import taxonomy


def scene_row(
    scene: Scene,
    view: View,
    annotation: ImageAnnotation,
    *,
    color: bytes,
    depth: bytes | None,
) -> Row:
    """One picture with all that was drawn on it.

    Args:
        scene: Its scene.
        view: Its files and camera.
        annotation: What counts as drawn on it.
        color: Bytes of the colour file, as they came.
        depth: Bytes of the depth PNG, as they came.
    """
    size = {"width_px": view.width_px, "height_px": view.height_px}
    surfaces = [
        {
            **surface.model_dump(include={"surface_id", "surface_type"}),
            **_region(surface.polygons_px, surface.holes_px, **size),
        }
        for surface in annotation.surfaces
    ]
    fields = {"instance_id", "visibility", "seen_in", "description", "category"}
    instances = [
        {
            **instance.model_dump(mode="json", include=fields),
            **_region(instance.polygons_px, instance.holes_px, **size),
        }
        for instance in annotation.instances
    ]
    return {
        "image_id": view.image_id,
        "scene_id": view.scene_id,
        "image": _picture(color, view.image_id, view.color.path),
        "depth": None if depth is None else _picture(depth, f"{view.image_id}_depth", "d.png"),
        **size,
        "depth_unit_m": view.depth_unit_m,
        "depth_kind": view.depth_kind,
        "intrinsics": view.intrinsics.model_dump(mode="json") if view.intrinsics else None,
        "environment": scene.environment,
        "lighting": scene.lighting,
        "place": scene.place,
        "source": scene.source,
        "licence": scene.licence,
        "consent": scene.consent,
        "annotator": annotation.annotator,
        "surfaces": surfaces,
        "instances": instances,
        "links": [link.model_dump(exclude={"decided_by"}) for link in annotation.links],
        "image_sha256": view.color.sha256,
        "depth_sha256": view.depth_aligned.sha256 if view.depth_aligned else None,
    }


def question_rows(item: QAItem) -> list[Row]:
    """One row a referring protocol."""
    template = taxonomy().template(item.template_id)
    derivation = item.derivation.model_dump(mode="json")
    derivation["parameters"] = orjson.dumps(derivation["parameters"]).decode()
    shared: dict[str, Any] = {
        "item_id": item.item_id,
        "scene_id": item.scene_id,
        "image_id": item.image_id,
        "level": taxonomy().level_of(item.template_id),
        "subtask": template.subtask,
        "template_id": item.template_id,
        "format": item.answer.format,
        "answer": answer_text(item),
        "direction": item.direction,
        "count_max": item.derivation.parameters.get("count_max"),
        "marks": [mark.model_dump(mode="json") for mark in item.marks],
        "derivation": derivation,
        "margin": item.margin,
        "answer_source": item.source,
        "review": item.review,
    }
    return [
        {
            "question_id": f"{item.item_id}-{wording.protocol}",
            "protocol": wording.protocol,
            "question": wording.question,
            "options": [
                {"label": option.label, "value": option.value, "text": text}
                for option, text in zip(item.options, wording.option_texts, strict=True)
            ],
            "question_sha8": question_sha8(wording, item),
            "joint_group": item.joint_group and f"{item.joint_group}-{wording.protocol}",
            **shared,
        }
        for wording in item.wordings
    ]


def question_sha8(wording: Wording, item: QAItem) -> str:
    """A short digest of what is asked, offered and right.

    Ids outlive a change of the options, so that reviews do too; this tells whether a reply was
    given to the same question.
    """
    labels = [option.label for option in item.options]
    content = [wording.question, labels, wording.option_texts, answer_text(item)]
    return hashlib.sha256(orjson.dumps(content)).hexdigest()[:8]


def answer_text(item: QAItem) -> str:
    """The answer as a reply gives it: a word, a label, a number, or three words with commas."""
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return f"{answer.horizontal},{answer.vertical},{answer.depth}"
    return str(answer.value)


def _region(
    parts: tuple[Ring, ...], holes: tuple[Ring, ...], *, width_px: int, height_px: int
) -> Row:
    rle = rle_from_polygons(parts, holes, width_px=width_px, height_px=height_px)
    return {
        "box_xyxy_px": list(box_of_rle(rle)),
        "segmentation": {"size": list(rle.size), "counts": rle.counts},
        "polygons_px": [[list(point) for point in ring] for ring in parts],
        "holes_px": [[list(point) for point in ring] for ring in holes],
    }


def _picture(data: bytes, stem: str, path: str) -> dict[str, Any]:
    """Bytes with a base name: a path or an open picture would leak the writer's folders."""
    return {"bytes": data, "path": f"{stem}.{path.rsplit('.', 1)[-1].lower()}"}
