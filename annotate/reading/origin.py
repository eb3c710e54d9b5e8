"""What a later writer needs to give a file back: its form, and the keys no record models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.findings import FindingLog
from annotate.reading.document import Document
from annotate.reading.json_text import MAX_DEPTH, nested_deeper_than
from annotate.reading.owners import Owner
from annotate.reading.shapes import DrawnShape
from mira.schema.annotation import AnnotationSource, ShapeExtra
from mira.schema.record import FileRef

Json = dict[str, Any]

_MODELLED = frozenset({"version", "shapes", "checked", "imageHeight", "imageWidth"})


def source_of(
    document: Document,
    file: FileRef,
    owners: Sequence[Owner],
    ignored: Sequence[DrawnShape],
    log: FindingLog,
) -> AnnotationSource:
    """The file of an annotation and its other keys.

    Args:
        document: The decoded file.
        file: The file.
        owners: Surfaces and instances with their shapes.
        ignored: Shapes of regions out of scope.
        log: Takes the keys that are not kept.
    """
    extras = [
        extra
        for owner in owners
        for shape in (*owner.shapes, *owner.holes)
        if (extra := _shape_extra(shape, owner)) is not None
    ]
    extras += [
        ShapeExtra(shape_index=shape.place, keys=_with_id(shape, None))
        for shape in ignored
        if _with_id(shape, None)
    ]
    return AnnotationSource(
        format=document.format,
        format_version=document.version,
        file=file,
        extra=_top_level(document.data, log),
        shape_extras=tuple(sorted(extras, key=lambda extra: extra.shape_index)),
    )


def _shape_extra(shape: DrawnShape, owner: Owner) -> ShapeExtra | None:
    keys = _with_id(shape, owner.id)
    if shape.description and shape.description != owner.description:
        keys["description"] = shape.description
    if shape.role != "hole" and shape.category != owner.category:
        keys["label"] = "object" if shape.role == "direct" else "object_reflection"
    return ShapeExtra(shape_index=shape.place, owner_id=owner.id, keys=keys) if keys else None


def _with_id(shape: DrawnShape, owner_id: int | None) -> Json:
    """The other keys, and the id as read where the record has another."""
    if shape.group_id is None or shape.group_id == owner_id:
        return dict(shape.extra)
    return {**shape.extra, "group_id": shape.group_id}


def _top_level(data: Json, log: FindingLog) -> Json:
    extra: Json = {}
    for key, value in data.items():
        if key in _MODELLED:
            continue
        if nested_deeper_than(value, MAX_DEPTH):
            message = f"expected at most {MAX_DEPTH} nested levels; not kept"
            log.warning("json-too-deep", key, message)
        elif key == "imageData" and value is not None:
            log.info("image-data-dropped", key, "the picture's own file is kept in its place")
            extra[key] = None
        else:
            extra[key] = value
    return extra
