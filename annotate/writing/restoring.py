"""Gives a shape back what its source had and no record has a field for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from shapely.errors import GEOSException

from annotate.findings import Refused
from annotate.policy import AnnotationPolicy
from annotate.reading.labels import Role, parse_label
from annotate.reading.outline import outline_of
from mira.geometry.region import clip_ring
from mira.schema.annotation import Ring
from mira.store.subjects import Subject

Json = dict[str, Any]

_HANDLED = frozenset(
    {
        "label",
        "points",
        "group_id",
        "shape_type",
        "attributes",
        "kie_linking",
        "description",
    }
)
_OF_FOUR_POINTS = frozenset({"rotation", "quadrilateral"})


class Piece(NamedTuple):
    """One ring of a subject, which becomes one shape."""

    subject: Subject
    ring: Ring
    is_hole: bool
    is_first: bool
    """Whether it is the first part: its label and description speak for the subject."""

    @property
    def role(self) -> Role:
        """What the shape's label says."""
        return "hole" if self.is_hole else self.subject.role


class Drawing(NamedTuple):
    """What a shape is fitted to: the picture and the links of its annotation."""

    size_px: tuple[int, int]
    """Width and height of the picture."""
    links: frozenset[tuple[int, int]]
    """Each reflection with what it is a reflection of."""


def restore(shape: Json, keys: Mapping[str, Any], piece: Piece, drawing: Drawing) -> Json:
    """A shape with the other keys of its source; what the record says is never overruled.

    Args:
        shape: As the record alone has it, a polygon.
        keys: The other keys, as they were read.
        piece: What the shape is of.
        drawing: The annotation that it is of.
    """
    shape = {
        **shape,
        "label": _label(keys.get("label"), piece) or shape["label"],
        "description": _description(shape["description"], keys.get("description"), piece),
        "attributes": _attributes(shape["attributes"], keys.get("attributes")),
    }
    if piece.role == "ignore" and "group_id" in keys:
        shape["group_id"] = keys["group_id"]
    shape["kie_linking"] = _pairs(keys.get("kie_linking"), drawing.links)
    shape |= _figure(keys, piece.ring, drawing.size_px)
    drawn_as_mask = keys.get("shape_type") == "mask"
    others = {key: value for key, value in keys.items() if key not in _HANDLED}
    return shape | {k: v for k, v in others.items() if not (drawn_as_mask and k == "mask")}


def _label(read: Any, piece: Piece) -> str | None:
    """The label as it was read, where it still means the same."""
    try:
        label = parse_label(read, "label")
    except Refused:
        return None
    category = None if piece.is_hole else piece.subject.category
    same = label.category == category or (label.category is None and not piece.is_first)
    return str(read) if label.role == piece.role and same else None


def _description(own: str, read: Any, piece: Piece) -> str:
    """The words as read, unless they would speak for an instance and the record's differ."""
    if not isinstance(read, str):
        return own
    if piece.role not in {"direct", "reflected"} or not (own or read.strip()):
        return read
    return own if piece.is_first or not own else read.strip() or read


def _attributes(own: Json, read: Any) -> Json:
    """The source's other attributes, then ours."""
    if not isinstance(read, dict):
        return own
    return {**read, **own}


def _pairs(read: Any, links: frozenset[tuple[int, int]]) -> list[list[int]]:
    """The pairs of `kie_linking` that say what the record says.

    A pair that is none of whole numbers would make the program refuse the file.
    """
    if not isinstance(read, list):
        return []
    return [
        pair
        for pair in read
        if isinstance(pair, list)
        and [type(item) for item in pair] == [int, int]
        and {(pair[0], pair[1]), (pair[1], pair[0])} & links
    ]


def _figure(keys: Mapping[str, Any], ring: Ring, size_px: tuple[int, int]) -> Json:
    """The kind of shape that was drawn, and its points, where they still enclose the same."""
    kind = keys.get("shape_type")
    if kind == "rectangle" and _is_box(ring):
        return {"shape_type": kind}
    if kind in _OF_FOUR_POINTS and len(ring) == 4:
        return {"shape_type": kind}
    if kind == "circle" and _encloses(kind, keys.get("points"), ring, size_px):
        return {"shape_type": kind, "points": keys["points"]}
    return {}


def _is_box(ring: Ring) -> bool:
    """Whether a ring goes once around a box with upright sides."""
    xs, ys = {x for x, _ in ring}, {y for _, y in ring}
    sides = zip(ring, (*ring[1:], ring[0]), strict=True)
    return (
        len(ring) == len(set(ring)) == 4
        and len(xs) == len(ys) == 2
        and all((x1 == x2) != (y1 == y2) for (x1, y1), (x2, y2) in sides)
    )


def _encloses(kind: str, points: Any, ring: Ring, size_px: tuple[int, int]) -> bool:
    try:
        outline = outline_of(kind, points, "", AnnotationPolicy())
        return clip_ring(outline, size_px).parts == (ring,)
    except (Refused, GEOSException):
        return False
