"""Drawings on many pictures as one COCO document, written as they come."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import orjson

from mira.geometry.mask import Rle, area_of_rle, box_of_rle, rle_from_polygons
from mira.schema.annotation import Ring
from mira.store.subjects import Drawing, Role, Subject, subjects_of

Json = dict[str, Any]

CATEGORIES: Mapping[str, Role] = {
    "surface": "surface",
    "object": "direct",
    "object_reflection": "reflected",
    "ignore": "ignore",
}
"""Categories that a document has as a rule, with ids from 1 on, and what they are."""


class CocoWriter:
    """Writes one document; memory does not grow with the number of pictures.

    What COCO has no place for stands in fields of its own: `instance_id` is the id within the
    picture, which `reflection_of` and `in_mirror` refer to; `null` is what nobody decided.
    """

    def __init__(
        self,
        path: Path,
        *,
        info: Mapping[str, Any] | None = None,
        categories: Mapping[str, Role] = CATEGORIES,
    ) -> None:
        """Name the document; it is begun when the writer is entered.

        Args:
            path: The document.
            info: What it says of itself.
            categories: Names with fixed ids, from 1 on; others follow as they come.
        """
        self._path = path
        self._spool_path = path.with_name(f".{path.name}.annotations")
        self._info = info or {"description": "made with MIRA"}
        self._categories = {name: number for number, name in enumerate(categories, start=1)}
        self._roles = dict(categories)
        self._licences: dict[str, int] = {}
        self._images = _ListWriter()
        self._annotations = _ListWriter()

    def __enter__(self) -> Self:
        self._document = self._path.open("wb")
        self._spool = self._spool_path.open("w+b")
        self._document.write(b'{"info":' + orjson.dumps(self._info) + b',"images":[')
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
        self,
        image: Mapping[str, Any],
        drawings: Sequence[Drawing],
        *,
        licence: str | None = None,
        more: Mapping[int, Json] | None = None,
    ) -> None:
        """Add a picture with all that was drawn on it.

        Args:
            image: Its fields, `file_name`, `width` and `height` among them; ids are given here.
            drawings: One an annotator.
            licence: Of the picture.
            more: Further fields of a surface or instance, by its id.
        """
        fields: Json = {"id": self._images.count + 1, **image}
        if licence is not None:
            number = len(self._licences) + 1
            fields["license"] = self._licences.setdefault(licence, number)
        self._images.write(self._document, fields)
        for drawing in drawings:
            for subject in subjects_of(drawing):
                own = {} if more is None or subject.id is None else more.get(subject.id, {})
                for entry in self._entries(subject, drawing):
                    number = self._annotations.count + 1
                    self._annotations.write(self._spool, {"id": number, **entry, **own})

    def _entries(self, subject: Subject, drawing: Drawing) -> list[Json]:
        """One entry, or one a ring of what is out of scope."""
        size_px = drawing.width_px, drawing.height_px
        if subject.role != "ignore":
            return [self._entry(subject, subject.parts, drawing.annotator, size_px)]
        return [self._entry(subject, (ring,), drawing.annotator, size_px) for ring in subject.parts]

    def _entry(
        self, subject: Subject, parts: tuple[Ring, ...], annotator: str, size_px: tuple[int, int]
    ) -> Json:
        is_crowd = subject.role == "ignore"
        entry: Json = {
            "image_id": self._images.count,
            "category_id": self._category(subject),
            **_outline(parts, subject.holes, size_px, by_runs=is_crowd or bool(subject.holes)),
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


def _outline(
    parts: tuple[Ring, ...], holes: tuple[Ring, ...], size_px: tuple[int, int], *, by_runs: bool
) -> Json:
    mask = rle_from_polygons(parts, holes, width_px=size_px[0], height_px=size_px[1])
    x1, y1, x2, y2 = box_of_rle(mask)
    return {
        "segmentation": _runs(mask) if by_runs else _flat(parts),
        "area": area_of_rle(mask),
        "bbox": [x1, y1, x2 - x1, y2 - y1],
    }


def _runs(mask: Rle) -> Json:
    return {"size": list(mask.size), "counts": mask.counts}


def _flat(parts: tuple[Ring, ...]) -> list[list[float]]:
    return [[value for point in ring for value in point] for ring in parts]


def _answer(key: str, value: str) -> str | int | None:
    """An answer as COCO's readers want it: ids as numbers, nothing as null."""
    if value in {"", "unset"}:
        return None
    return value if key in {"counterpart", "surface_type"} else int(value)
