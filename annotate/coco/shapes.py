"""The annotations of one picture of a COCO file as shapes.

An annotation's id in its picture is its `instance_id` (or `surface_id`, `group_id`). Where no
annotation of the picture has one, they are numbered from 1 on, and links name COCO's own ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from annotate.coco.field_names import ID_KEYS
from annotate.coco.outline import Outline
from annotate.reading.labels import role_of
from annotate.reading.values import is_unset, parse_id

Json = dict[str, Any]

_LINKS = ("reflection_of", "in_mirror")
_ANSWERS = (*_LINKS, "surface_type", "counterpart")
_READ = frozenset(
    {"image_id", "category_id", "segmentation", "bbox", "area", "attributes", *ID_KEYS, *_ANSWERS}
)
"""Keys that become something else, or follow from it as the area does."""


class NoCategory(NamedTuple):
    """What stands for the label of an annotation whose category the file does not list."""

    category_id: Any

    def __repr__(self) -> str:
        """As a message says it."""
        return f"no category of the id {self.category_id!r}"


def has_area(annotation: Json) -> bool:
    """Whether an annotation has, or should have, an outline or a box."""
    return "segmentation" in annotation or "bbox" in annotation


def shapes_of(annotations: Sequence[tuple[int, Json]], categories: Mapping[Any, Any]) -> list[Json]:
    """The shapes of a picture, in the order of its annotations.

    Args:
        annotations: Those of one picture, with their places in the file.
        categories: Names by id.
    """
    given = [_given_id(annotation) for _, annotation in annotations]
    taken = {parse_id(value) for value in given}
    ranks: dict[Any, int] | None = None
    if all(map(is_unset, given)):
        ranks = {}
        for rank, (_, annotation) in enumerate(annotations, start=1):
            ranks.setdefault(key_of(annotation.get("id")), rank)
    shapes = []
    for rank, ((_, annotation), number) in enumerate(zip(annotations, given, strict=True), start=1):
        label = _label(annotation, categories)
        if is_unset(number):
            number = None if rank in taken or role_of(label) == "ignore" else rank
        shapes.append(_shape(annotation, label, number, ranks))
    return shapes


def key_of(value: Any) -> int | str | None:
    """An id of COCO's, a whole number or text; None where it is neither."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def _label(annotation: Json, categories: Mapping[Any, Any]) -> Any:
    category = annotation.get("category_id")
    key = key_of(category)
    return categories[key] if key in categories else NoCategory(category)


def _shape(annotation: Json, label: Any, number: Any, ranks: Mapping[Any, int] | None) -> Json:
    outline = Outline(annotation.get("segmentation"), annotation.get("bbox"))
    others = {key: value for key, value in annotation.items() if key not in _READ}
    if not others.get("iscrowd"):
        others.pop("iscrowd", None)
    return {
        **others,
        "label": label,
        "points": outline,
        "shape_type": "rectangle" if outline.is_box else None,
        "group_id": number,
        "attributes": _attributes(annotation, ranks),
    }


def _given_id(annotation: Json) -> Any:
    attributes = annotation.get("attributes")
    for key in ID_KEYS:
        if key in annotation:
            return annotation[key]
        if isinstance(attributes, dict) and key in attributes:
            return attributes[key]
    return None


def _attributes(annotation: Json, ranks: Mapping[Any, int] | None) -> Any:
    """The answers of our convention, from the annotation itself or its `attributes`, and others."""
    own = {key: annotation[key] for key in _ANSWERS if key in annotation}
    attributes = annotation.get("attributes")
    if isinstance(attributes, dict):
        rest = {key: value for key, value in attributes.items() if key not in ID_KEYS}
        own = {**rest, **own}
    elif attributes and not own:
        return attributes
    if ranks is None:
        return own
    return {key: _ranked(value, ranks) if key in _LINKS else value for key, value in own.items()}


def _ranked(value: Any, ranks: Mapping[Any, int]) -> Any:
    """A link by COCO's ids as one by the numbers that the annotations of the picture got."""
    if isinstance(value, list):
        return [_ranked(item, ranks) for item in value]
    if is_unset(value):
        return value
    key = key_of(value)
    if key not in ranks and isinstance(key, str) and key.strip().isdecimal() and len(key) < 20:
        key = int(key)
    return ranks.get(key, f"{value!r}, no annotation of this picture")
