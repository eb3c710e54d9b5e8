"""An annotation as the file that X-AnyLabeling would have saved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import orjson

from annotate.writing.restoring import Drawing, Piece, restore
from mira.schema.annotation import ImageAnnotation, ShapeExtra
from mira.store.subjects import Subject, subjects_of
from mira.store.xanylabeling import annotation_document, polygon_shape

Json = dict[str, Any]

_CHECKED: dict[str, bool | Literal["failed"]] = {"done": True, "draft": False, "failed": "failed"}
_TOP_LEVEL = frozenset(
    {"version", "checked", "shapes", "imagePath", "imageData", "imageHeight", "imageWidth"}
)
"""Keys that the record decides, or where the file is written."""


class _Placed(NamedTuple):
    place: float
    """Where the shape stood in its source; infinity where it had none."""
    shape: Json


def format_annotation(annotation: ImageAnnotation, *, image_path: str) -> bytes:
    """The bytes of an annotation's file; equal annotations give equal bytes.

    Read again, it is the same annotation: areas, ids, links, answers, words and status, and all
    keys of the source that no record has a field for. A link that shared ids stated is written as
    `reflection_of`, as is one of `kie_linking`.

    Args:
        annotation: What was drawn.
        image_path: The picture, seen from the file's folder.
    """
    document = annotation_document(
        _shapes(annotation),
        image_path=image_path,
        width_px=annotation.width_px,
        height_px=annotation.height_px,
        checked=_CHECKED[annotation.status],
    )
    others = {k: v for k, v in annotation.source.extra.items() if k not in _TOP_LEVEL}
    option = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(document | others, option=option)


def _shapes(annotation: ImageAnnotation) -> list[Json]:
    """All shapes, in the order of the source where they were in it."""
    links = ((link.reflected_id, link.reflection_of_id) for link in annotation.links)
    drawing = Drawing(
        size_px=(annotation.width_px, annotation.height_px),
        links=frozenset((one, other) for one, other in links if other is not None),
    )
    extras: dict[int | None, list[ShapeExtra]] = {}
    for extra in sorted(annotation.source.shape_extras, key=lambda extra: extra.shape_index):
        extras.setdefault(extra.owner_id, []).append(extra)
    placed = [
        shape
        for subject in subjects_of(annotation)
        for shape in _placed(subject, extras.get(subject.id, []), drawing)
    ]
    return [shape for _, shape in sorted(placed, key=lambda one: one.place)]


def _placed(subject: Subject, extras: Sequence[ShapeExtra], drawing: Drawing) -> Iterator[_Placed]:
    """A subject's shapes, each with the keys of one of its source's.

    The record does not tell which of the source's shapes became which ring: they are taken in
    turn, parts first. What was one shape and is several now leaves its keys with the first.
    """
    pieces = _pieces(subject)
    place = math.inf
    for piece, extra in zip(pieces, _matched(extras, len(pieces)), strict=True):
        shape = polygon_shape(
            "hole" if piece.is_hole else subject.label,
            piece.ring,
            group_id=subject.id,
            description="" if piece.is_hole else subject.description,
            attributes=None if piece.is_hole else subject.attributes,
        )
        if extra is not None:
            place = extra.shape_index
            shape = restore(shape, extra.keys, piece, drawing)
        yield _Placed(place, shape)


def _pieces(subject: Subject) -> list[Piece]:
    parts = [
        Piece(subject, ring, is_hole=False, is_first=place == 0)
        for place, ring in enumerate(subject.parts)
    ]
    return parts + [Piece(subject, ring, is_hole=True, is_first=False) for ring in subject.holes]


def _matched(extras: Sequence[ShapeExtra], count: int) -> list[ShapeExtra | None]:
    """One set of keys, or none, for each piece; where there are too many, the last takes all."""
    if len(extras) <= count:
        return [*extras, *[None] * (count - len(extras))]
    last = extras[count - 1]
    keys = {key: value for extra in extras[: count - 2 : -1] for key, value in extra.keys.items()}
    return [*extras[: count - 1], last.model_copy(update={"keys": keys})]
