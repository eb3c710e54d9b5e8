"""One shape of an annotation file, read and checked on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, get_args

from annotate.findings import FindingLog, Refused, brief
from annotate.policy import AnnotationPolicy
from annotate.reading.area import ForeignArea, area_inside
from annotate.reading.json_text import MAX_DEPTH, nested_deeper_than
from annotate.reading.labels import Label, Role, parse_label
from annotate.reading.mask_picture import masked_area
from annotate.reading.outline import outline_of
from annotate.reading.values import is_unset, parse_choice, parse_group_id, parse_link, parse_pairs
from mira.geometry.polygon import Region
from mira.schema.annotation import Counterpart
from mira.schema.capture import SurfaceType

Json = dict[str, Any]
T = TypeVar("T")

_COUNTERPARTS = frozenset(get_args(Counterpart))
_SURFACE_TYPES = frozenset(get_args(SurfaceType))
_MODELLED = frozenset(
    {"label", "points", "group_id", "shape_type", "attributes", "kie_linking", "description"}
)
_OWN_ATTRIBUTES: dict[Role, frozenset[str]] = {
    "surface": frozenset({"surface_type"}),
    "reflected": frozenset({"reflection_of", "in_mirror", "counterpart"}),
    "direct": frozenset(),
    "hole": frozenset(),
    "ignore": frozenset(),
}
_ALL_ATTRIBUTES = frozenset().union(*_OWN_ATTRIBUTES.values())


class DrawnShape(NamedTuple):
    """A shape whose area and values are good, before it meets the others."""

    place: int
    role: Role
    category: str | None
    group_id: int | None
    region: Region
    answers: Json
    """Attributes of our convention that are set: ids of links, words of choices."""
    pairs: tuple[tuple[int, int], ...]
    """`kie_linking`: reflection and real id."""
    description: str | None
    extra: Json
    """Keys that the records have no field for."""

    @property
    def where(self) -> str:
        """Field of the shape in its file."""
        return f"shapes[{self.place}]"


class ShapeReader:
    """Reads the shapes of one file in turn."""

    def __init__(
        self, *, size_px: tuple[int, int], policy: AnnotationPolicy, log: FindingLog
    ) -> None:
        self._size_px = size_px
        self._policy = policy
        self._log = log
        self._noted: set[str] = set()

    def read(self, shape: Any, index: int) -> DrawnShape | None:
        """One shape; None where it is left out, with every fault in the log."""
        where = f"shapes[{index}]"
        if not isinstance(shape, dict):
            self._log.error("shape-invalid", where, f"expected an object, found {brief(shape)}")
            return None
        label = self._attempt(lambda: parse_label(shape.get("label"), f"{where}.label"))
        group_id = self._attempt(lambda: _group_id(shape, where))
        region = self._attempt(lambda: self._region(shape, where))
        if label is None or group_id is None or region is None:
            return None
        self._note_label(label, f"{where}.label")
        extra = _extra_keys(shape, label)
        drawn = DrawnShape(
            place=index,
            role=label.role,
            category=label.category,
            group_id=group_id or None,
            region=region,
            answers=self._answers(shape.get("attributes"), label.role, where, extra),
            pairs=self._pairs(shape.get("kie_linking"), where, extra),
            description=_description(shape, label.role, extra),
            extra=extra,
        )
        return self._attempt(lambda: _require_shallow(drawn))

    def _attempt(self, step: Callable[[], T]) -> T | None:
        try:
            return step()
        except Refused as refused:
            self._log.refuse(refused)
            return None

    def _region(self, shape: Json, where: str) -> Region:
        kind, points = shape.get("shape_type"), shape.get("points")
        if isinstance(points, ForeignArea):
            return points.region(where, self._size_px, self._policy, self._log)
        if kind == "mask":
            return masked_area(shape, where, self._size_px, self._policy, self._log)
        ring = outline_of(kind, points, where, self._policy)
        return area_inside(ring, f"{where}.points", self._size_px, self._policy, self._log)

    def _note_label(self, label: Label, where: str) -> None:
        for note in label.notes:
            if note.message in self._noted:
                continue
            self._noted.add(note.message)
            if note.code == "label-alias":
                self._log.info(note.code, where, note.message)
            else:
                self._log.warning(note.code, where, note.message)

    def _answers(self, attributes: Any, role: Role, where: str, extra: Json) -> Json:
        """The set answers of our convention; what is none of them goes to the extra keys."""
        if not attributes:
            if attributes is not None:
                extra["attributes"] = attributes
            return {}
        where = f"{where}.attributes"
        if not isinstance(attributes, dict):
            self._log.warning(
                "attributes-invalid", where, f"expected an object, found {brief(attributes)}"
            )
            extra["attributes"] = attributes
            return {}
        answers = {}
        others = {}
        for key, value in attributes.items():
            if key not in _ALL_ATTRIBUTES:
                others[key] = value
            elif (answer := self._answer(key, value, role, f"{where}.{key}")) is not None:
                answers[key] = answer
            elif not is_unset(value):
                others[key] = value
        if others:
            extra["attributes"] = others
        return answers

    def _answer(self, key: str, value: Any, role: Role, where: str) -> int | str | None:
        try:
            answer = _parse_answer(key, value, where)
            if answer is not None and key not in _OWN_ATTRIBUTES[role]:
                raise Refused("attribute-misplaced", where, _MISPLACED[key])
        except Refused as refused:
            self._log.refuse(refused)
            return None
        return answer

    def _pairs(self, value: Any, where: str, extra: Json) -> tuple[tuple[int, int], ...]:
        try:
            return parse_pairs(value, f"{where}.kie_linking")
        except Refused as refused:
            self._log.refuse(refused)
            extra["kie_linking"] = value
            return ()


_MISPLACED = {
    "surface_type": "expected on a surface alone",
    "reflection_of": "expected on a reflection alone",
    "in_mirror": "expected on a reflection alone",
    "counterpart": "expected on a reflection alone",
}


def _parse_answer(key: str, value: Any, where: str) -> int | str | None:
    if key == "surface_type":
        return parse_choice(value, _SURFACE_TYPES, where)
    if key == "counterpart":
        return parse_choice(value, _COUNTERPARTS, where)
    return parse_link(value, where)


def _group_id(shape: Json, where: str) -> int:
    """The id, 0 for none."""
    return parse_group_id(shape.get("group_id"), f"{where}.group_id") or 0


def _extra_keys(shape: Json, label: Label) -> Json:
    extra = {key: value for key, value in shape.items() if key not in _MODELLED}
    if shape["label"] != label.text:
        extra["label"] = shape["label"]
    kind = shape.get("shape_type")
    if kind is not None and kind != "polygon":
        extra["shape_type"] = kind
    if kind == "circle":
        extra["points"] = shape["points"]
    if kind == "mask":
        extra.pop("mask", None)
    return extra


def _require_shallow(drawn: DrawnShape) -> DrawnShape:
    for key, value in drawn.extra.items():
        if nested_deeper_than(value, MAX_DEPTH):
            field = f"{drawn.where}.{key}"
            raise Refused("json-too-deep", field, f"expected at most {MAX_DEPTH} nested levels")
    return drawn


def _description(shape: Json, role: Role, extra: Json) -> str | None:
    """What an instance's description says; elsewhere, or as no text, it is an extra key."""
    text = shape.get("description")
    if text is None and isinstance(shape.get("text"), str):
        text = extra.pop("text")
    if isinstance(text, str) and text.strip() and role in {"direct", "reflected"}:
        return text.strip()
    if text:
        extra["description"] = text
    return None
