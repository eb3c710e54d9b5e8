"""Records of a workspace as rows of a release."""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from mira.geometry.mask import box_of_rle, rle_from_polygons
from mira.questions import answer_text, question_id, question_sha8
from mira.release.reader import Row
from mira.render.header import read_header
from mira.schema.annotation import ImageAnnotation, Ring
from mira.schema.capture import Scene, View
from mira.schema.qa import ChoiceTextAnswer, QAItem
from mira.schema.record import FileRef
from mira.taxonomy.catalogue import taxonomy


class PictureFile(NamedTuple):
    """A picture file as it goes out.

    Attributes:
        data: Its bytes.
        suffix: What its name ends in, such as `jpg`.
        sha256: Digest of the bytes.
    """

    data: bytes
    suffix: str
    sha256: str

    @classmethod
    def as_it_came(cls, data: bytes, ref: FileRef) -> PictureFile:
        """A file of the workspace."""
        return cls(data, ref.path.rsplit(".", 1)[-1].lower(), ref.sha256)

    def named(self, stem: str) -> dict[str, Any]:
        """Bytes with a base name: a path or an open picture would leak the writer's folders."""
        return {"bytes": self.data, "path": f"{stem}.{self.suffix}"}


def scene_row(
    scene: Scene,
    view: View,
    annotation: ImageAnnotation,
    *,
    color: PictureFile,
    depth: PictureFile | None,
) -> Row:
    """One picture with all that was drawn on it.

    Args:
        scene: Its scene.
        view: Its files and camera.
        annotation: What counts as drawn on it.
        color: The colour file.
        depth: The depth PNG on its grid.
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
        "image": color.named(view.image_id),
        "depth": None if depth is None else depth.named(f"{view.image_id}_depth"),
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
        "image_sha256": color.sha256,
        "depth_sha256": None if depth is None else depth.sha256,
    }


def raw_depth_row(view: View, depth: PictureFile) -> Row:
    """The depth of a picture on the sensor's own grid.

    Args:
        view: The picture's files and cameras.
        depth: The depth PNG.
    """
    header = read_header(depth.data, where=view.image_id)
    camera, move = view.depth_intrinsics, view.depth_to_color
    return {
        "image_id": view.image_id,
        "scene_id": view.scene_id,
        "depth": depth.named(f"{view.image_id}_depth_raw"),
        "width_px": header.width_px,
        "height_px": header.height_px,
        "depth_unit_m": view.depth_unit_m,
        "depth_kind": view.depth_kind,
        "intrinsics": camera.model_dump(mode="json") if camera else None,
        "depth_to_color": move.model_dump(mode="json", include={"rotation", "translation_m"})
        if move
        else None,
        "depth_sha256": depth.sha256,
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
        "answer_words": _answer_words(item),
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
            "question_id": question_id(item, wording.protocol),
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


def _answer_words(item: QAItem) -> str | None:
    return item.answer.text if isinstance(item.answer, ChoiceTextAnswer) else None


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
