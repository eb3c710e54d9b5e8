"""Which reflection shows what, in attributes and in pairs, read and rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mira.sim.perturb.drawing import Drawing, Instance, Json, attributes_of, id_of, is_unset

LINK = "reflection_of"
COUNTERPART = "counterpart"
LINK_ATTRIBUTES = (LINK, "in_mirror", COUNTERPART)
_PAIRS = "kie_linking"


def link_of(drawing: Drawing, reflection: Instance) -> int | None:
    """The id that a reflection is said to be of; None where none is, or several are."""
    ids = set()
    for place in reflection.parts:
        value = attributes_of(drawing.shapes[place]).get(LINK)
        if not is_unset(value):
            ids.add(id_of(value))
    if reflection.group_id is not None:
        ids |= {pair[1] for pair in _pairs(drawing.shapes) if pair[0] == reflection.group_id}
    return ids.pop() if len(ids) == 1 else None


def set_link(
    drawing: Drawing, reflection: Instance, target: int | None, *, counterpart: str
) -> None:
    """Link a reflection to another id, or to nothing, wherever the document says what it shows.

    Args:
        drawing: Changed in place.
        reflection: Has a link.
        target: The new id; None for no link.
        counterpart: What is said of the real object where a file says anything of it.
    """
    for place in reflection.parts:
        attributes = attributes_of(drawing.shapes[place])
        if LINK in attributes:
            attributes[LINK] = _in_form_of(attributes[LINK], target)
        if COUNTERPART in attributes:
            attributes[COUNTERPART] = counterpart
    if reflection.group_id is not None:
        _rewrite_pairs(drawing.shapes, reflection.group_id, target)


def forget_pairs(drawing: Drawing, number: int) -> None:
    """Remove every pair that names an id."""
    for shape in drawing.shapes:
        if isinstance(shape, dict) and isinstance(shape.get(_PAIRS), list):
            shape[_PAIRS] = [pair for pair in shape[_PAIRS] if number not in _ids(pair)]


def rescue_pairs(drawing: Drawing, removed: set[int]) -> None:
    """Move pairs of shapes that go to a shape of their reflection that stays."""
    for place in sorted(removed):
        shape = drawing.shapes[place]
        for pair in shape.get(_PAIRS) or () if isinstance(shape, dict) else ():
            heir = _shape_of(drawing, _ids(pair)[0] if _ids(pair) else 0, removed)
            if heir is not None:
                heir[_PAIRS] = [*(heir.get(_PAIRS) or []), pair]


def _shape_of(drawing: Drawing, number: int, removed: set[int]) -> Json | None:
    for instance in drawing.instances:
        if instance.group_id == number:
            for place in instance.parts:
                if place not in removed:
                    shape: Json = drawing.shapes[place]
                    return shape
    return None


def _pairs(shapes: list[Any]) -> Iterator[tuple[int, int]]:
    for shape in shapes:
        held = shape.get(_PAIRS) if isinstance(shape, dict) else None
        for pair in held if isinstance(held, list) else ():
            if len(ids := _ids(pair)) == 2:
                yield ids[0], ids[1]


def _ids(pair: Any) -> list[int]:
    numbers = [id_of(value) for value in pair] if isinstance(pair, list) else []
    return [number for number in numbers if number is not None]


def _rewrite_pairs(shapes: list[Any], number: int, target: int | None) -> None:
    for shape in shapes:
        held = shape.get(_PAIRS) if isinstance(shape, dict) else None
        if not isinstance(held, list):
            continue
        kept = []
        for pair in held:
            if _ids(pair)[:1] != [number]:
                kept.append(pair)
            elif target is not None:
                kept.append([pair[0], target])
        shape[_PAIRS] = kept


def _in_form_of(old: Any, target: int | None) -> Any:
    """An id in the form in which the file had another."""
    if target is None:
        return ""
    if isinstance(old, list):
        return [target if old and isinstance(old[0], int) else str(target)]
    return target if isinstance(old, int) else str(target)
