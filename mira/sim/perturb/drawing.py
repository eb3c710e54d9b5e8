"""An annotation document sorted into surfaces and instances, with their links."""

from __future__ import annotations

import copy
import math
import re
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from mira.geometry.polygon import even_odd_area
from mira.sim.perturb.records import Role
from mira.sim.perturb.wobble import Points

Json = dict[str, Any]
Kind = Role | Literal["hole", "ignore"]

_UNSET = frozenset({"", "[]", "unset", "null", "none"})
_FARTHEST_PX = 1e6
_REFLECTION = "_reflection"
_OURS: dict[str, Kind] = {
    "surface": "surface",
    "mirror": "surface",
    "object": "direct",
    "object_reflection": "reflected",
    "reflection": "reflected",
    "_reflection": "reflected",
    "hole": "hole",
    "ignore": "ignore",
}
_GAPS = re.compile(r"[\s\-]+")
_RINGS = frozenset({None, "", "polygon", "quadrilateral", "rotation"})


@dataclass
class Instance:
    """A surface, or one appearance of a thing.

    Attributes:
        group_id: Its id; None where its shape has none.
        role: What it is.
        parts: Positions of its shapes.
        holes: Positions of its holes.
    """

    group_id: int | None
    role: Role
    parts: list[int] = field(default_factory=list)
    holes: list[int] = field(default_factory=list)


class Drawing(NamedTuple):
    """A document that may be changed."""

    document: Json
    """A copy of the whole; its `shapes` is the list below."""
    shapes: list[Any]
    """Shapes as read, usable or not."""
    instances: list[Instance]
    """In the order of their first shapes."""
    size_px: tuple[float, float]
    """Width and height of the picture; what the shapes reach where the file does not say."""

    @property
    def highest_id(self) -> int:
        """The highest id of the document, 0 if there is none."""
        return max((number for number in map(group_id_of, self.shapes) if number), default=0)


def read_drawing(document: Json) -> Drawing:
    """A copy of a document, its shapes sorted; `shapes` must be a list."""
    document = copy.deepcopy(document)
    shapes = document["shapes"]
    found: dict[tuple[int, str], Instance] = {}
    instances = []
    for place, shape in enumerate(shapes):
        role, number = role_of(shape), group_id_of(shape)
        if role is None or role == "hole" or role == "ignore":
            continue
        instance = found.get((number, role)) if number is not None else None
        if instance is None:
            instance = Instance(number, role)
            instances.append(instance)
            if number is not None:
                found[number, role] = instance
        instance.parts.append(place)
    for place, shape in enumerate(shapes):
        if role_of(shape) == "hole":
            owner = _owner(instances, group_id_of(shape), place)
            if owner is not None:
                owner.holes.append(place)
    return Drawing(document, shapes, instances, _size(document, shapes))


def role_of(shape: Any) -> Kind | None:
    """What a shape's label says it is; None for no label."""
    label = shape.get("label") if isinstance(shape, dict) else None
    if not isinstance(label, str) or not label.strip():
        return None
    plain = _GAPS.sub("_", label.strip().casefold())
    ours = _OURS.get(plain)
    return ours or ("reflected" if plain.endswith(_REFLECTION) else "direct")


def swapped_label(label: str, role: Role) -> str:
    """The label of the same thing seen the other way."""
    if role == "direct":
        return f"{label.strip()}{_REFLECTION}"
    stem = label.strip()[: -len("reflection")].rstrip(" -_")
    return stem or "object"


def group_id_of(shape: Any) -> int | None:
    """A shape's id; None where it has none that can be used."""
    return id_of(shape.get("group_id")) if isinstance(shape, dict) else None


def id_of(value: Any) -> int | None:
    """An id from 1 on, given as a number or in digits; a list with one such counts too."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        digits = value.strip("[]'\" ")
        value = int(digits) if digits.isascii() and digits.isdigit() else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == int(value) and value >= 1 else None


def is_unset(value: Any) -> bool:
    """Whether an attribute says nothing."""
    if isinstance(value, str):
        return value.strip().casefold() in _UNSET
    return value is None or value == []


def attributes_of(shape: Json) -> Json:
    """A shape's attributes; empty, and no part of it, where they cannot be used."""
    held = shape.get("attributes")
    return held if isinstance(held, dict) else {}


def points_of(shape: Any) -> Points | None:
    """A shape's points, shape (n, 2); None where they cannot be used."""
    raw = shape.get("points") if isinstance(shape, dict) else None
    if not isinstance(raw, list) or not raw:
        return None
    try:
        points = np.array(raw)
    except (ValueError, OverflowError):
        return None
    if points.ndim != 2 or points.shape[1] != 2 or points.dtype.kind not in "if":
        return None
    usable = np.isfinite(points).all() and np.abs(points).max() < _FARTHEST_PX
    return points.astype(np.float64) if usable else None


def is_ring(shape: Json) -> bool:
    """Whether a shape's points are a ring."""
    return shape.get("shape_type") in _RINGS and len(shape["points"]) >= 3


def region_of(shapes: list[Any], parts: list[int], holes: list[int]) -> BaseGeometry:
    """The area of an instance; empty where a shape has none or cannot be computed with."""
    try:
        whole = shapely.union_all([_area(shapes[place]) for place in parts])
        cut = shapely.union_all([_area(shapes[place]) for place in holes])
        return shapely.difference(whole, cut)
    except shapely.errors.GEOSException:
        return Polygon()


def _area(shape: Json) -> BaseGeometry:
    points = points_of(shape)
    if points is None:
        return Polygon()
    if shape.get("shape_type") == "rectangle" and len(points) in (2, 4):
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return Polygon(shapely.box(*low, *high))
    if shape.get("shape_type") == "circle" and len(points) == 2:
        centre, rim = points.tolist()
        return Polygon(shapely.Point(centre).buffer(math.dist(centre, rim)))
    if not is_ring(shape):
        return Polygon()
    return even_odd_area(tuple(map(tuple, points.tolist())))


def _owner(instances: list[Instance], number: int | None, place: int) -> Instance | None:
    """The instance of a hole: of those with its id, the one drawn last before it."""
    same = [one for one in instances if number is not None and one.group_id == number]
    before = [one for one in same if one.parts[0] < place]
    return max(before or same, key=lambda one: one.parts[0], default=None)


def _size(document: Json, shapes: list[Any]) -> tuple[float, float]:
    reach = [points.max(axis=0) for points in map(points_of, shapes) if points is not None]
    farthest = np.max(reach, axis=0).tolist() if reach else [1.0, 1.0]
    given = [document.get("imageWidth"), document.get("imageHeight")]
    width, height = (
        float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        else max(float(reached), 1.0)
        for value, reached in zip(given, farthest, strict=True)
    )
    return width, height
