"""All annotations of a workspace as one COCO document, written as they come."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import orjson

from annotate.writing.subjects import Subject, subjects_of
from mira.geometry.mask import Rle, area_of_rle, box_of_rle, rle_from_polygons
from mira.schema.annotation import ImageAnnotation, Ring
from mira.schema.capture import Scene, View

Json = dict[str, Any]

_FIXED = ("surface", "object", "object_reflection", "ignore")
"""Categories that every document has, with ids from 1 on."""


class CocoWriter:
    """Writes one document; memory does not grow with the number of pictures.

    What COCO has no place for stands in fields of its own: `instance_id` is the id within the
    picture, which `reflection_of` and `in_mirror` refer to; `null` is what nobody decided.
    """

    def __init__(self, path: Path) -> None:
        """Name the document; it is begun when the writer is entered."""
        self._path = path
        self._spool_path = path.with_name(f".{path.name}.annotations")
        self._categories = {name: number for number, name in enumerate(_FIXED, start=1)}
        self._roles = dict(zip(_FIXED, ("surface", "direct", "reflected", "ignore"), strict=True))
        self._licences: dict[str, int] = {}
        self._images = _ListWriter()
        self._annotations = _ListWriter()

    def __enter__(self) -> Self:
        self._document = self._path.open("wb")
        self._spool = self._spool_path.open("w+b")
        self._document.write(b'{"info":{"description":"made with MIRA"},"images":[')
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._document.close()
            self._spool.close()
            self._spool_path.unlink()

    def write_image(
        self, view: View, scene: Scene, annotations: Sequence[ImageAnnotation], *, file_name: str
    ) -> None:
        """Add a picture with all that was drawn on it.

        Args:
            view: The picture.
            scene: Its scene, which has the licence.
            annotations: One an annotator.
            file_name: Path of the picture's file, seen from the document's folder.
        """
        image: Json = {
            "id": self._images.count + 1,
            "file_name": file_name,
            "width": view.width_px,
            "height": view.height_px,
            "name": view.image_id,
            "scene_id": view.scene_id,
            "annotated_by": {one.annotator: one.status for one in annotations},
        }
        if scene.licence is not None:
            number = len(self._licences) + 1
            image["license"] = self._licences.setdefault(scene.licence, number)
        self._images.write(self._document, image)
        for annotation in annotations:
            for subject in subjects_of(annotation):
                for entry in self._entries(subject, annotation):
                    number = self._annotations.count + 1
                    self._annotations.write(self._spool, {"id": number, **entry})

    def _entries(self, subject: Subject, annotation: ImageAnnotation) -> list[Json]:
        """One entry, or one a ring of what is out of scope."""
        size_px = annotation.width_px, annotation.height_px
        if subject.role != "ignore":
            return [self._entry(subject, subject.parts, annotation.annotator, size_px)]
        return [
            self._entry(subject, (ring,), annotation.annotator, size_px) for ring in subject.parts
        ]

    def _entry(
        self, subject: Subject, parts: tuple[Ring, ...], annotator: str, size_px: tuple[int, int]
    ) -> Json:
        mask = rle_from_polygons(parts, subject.holes, width_px=size_px[0], height_px=size_px[1])
        x1, y1, x2, y2 = box_of_rle(mask)
        is_crowd = subject.role == "ignore"
        by_runs = is_crowd or subject.holes
        entry: Json = {
            "image_id": self._images.count,
            "category_id": self._category(subject),
            "segmentation": _runs(mask) if by_runs else _flat(parts),
            "area": area_of_rle(mask),
            "bbox": [x1, y1, x2 - x1, y2 - y1],
            "iscrowd": int(is_crowd),
            "annotator": annotator,
        }
        if subject.id is not None:
            entry["instance_id"] = subject.id
        if subject.description:
            entry["description"] = subject.description
        return entry | {key: _answer(key, value) for key, value in subject.attributes.items()}

    def _category(self, subject: Subject) -> int:
        self._roles.setdefault(subject.label, subject.role)
        return self._categories.setdefault(subject.label, len(self._categories) + 1)

    def _finish(self) -> None:
        self._document.write(b'],"annotations":[')
        self._spool.seek(0)
        shutil.copyfileobj(self._spool, self._document)
        categories = [
            {"id": number, "name": name, "supercategory": self._roles[name]}
            for name, number in self._categories.items()
        ]
        licences = [{"id": number, "name": name} for name, number in self._licences.items()]
        self._document.write(b'],"categories":' + orjson.dumps(categories))
        self._document.write(b',"licenses":' + orjson.dumps(licences) + b"}\n")


class _ListWriter:
    """Writes the items of a JSON list, one a line."""

    def __init__(self) -> None:
        self.count = 0

    def write(self, stream: IO[bytes], item: Json) -> None:
        stream.write((b",\n" if self.count else b"\n") + orjson.dumps(item))
        self.count += 1


def _runs(mask: Rle) -> Json:
    return {"size": list(mask.size), "counts": mask.counts}


def _flat(parts: tuple[Ring, ...]) -> list[list[float]]:
    return [[value for point in ring for value in point] for ring in parts]


def _answer(key: str, value: str) -> str | int | None:
    """An answer as COCO's readers want it: ids as numbers, nothing as null."""
    if value in {"", "unset"}:
        return None
    return value if key in {"counterpart", "surface_type"} else int(value)
