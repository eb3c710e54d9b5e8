"""One annotation document with an annotator's errors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mira.sim.perturb.chance import Chance, Draw
from mira.sim.perturb.drawing import (
    Drawing,
    Instance,
    Json,
    attributes_of,
    read_drawing,
    region_of,
    swapped_label,
)
from mira.sim.perturb.invention import invent
from mira.sim.perturb.links import (
    LINK_ATTRIBUTES,
    forget_pairs,
    link_of,
    rescue_pairs,
    set_link,
)
from mira.sim.perturb.mistakes import SURFACE_TYPE, Mistakes, draw_mistakes
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.records import Change, InstancePerturbation
from mira.sim.perturb.redrawing import redraw_shape

_COUNTERPARTS = {
    "wrong_link": "in_frame",
    "dropped_link": "unset",
    "target_missed": "out_of_frame",
}
"""What an annotator says of the real object after a mistake with its link."""
Shifts = dict[int, NDArray[np.float64]]


def perturb_document(
    document: Json, *, noise: AnnotatorNoise, chance: Chance
) -> tuple[Json, tuple[InstancePerturbation, ...]]:
    """A copy of an annotation with errors, and what they are.

    Args:
        document: As X-AnyLabeling or labelme wrote it; `shapes` is a list. Keys that are not
            known, and shapes that cannot be used, stay as they are.
        noise: Rates and sizes of errors.
        chance: The file's random numbers.
    """
    drawing = read_drawing(document)
    before = [region_of(drawing.shapes, one.parts, one.holes) for one in drawing.instances]
    links = [
        link_of(drawing, one) if one.role == "reflected" else None for one in drawing.instances
    ]
    mistakes = draw_mistakes(drawing, noise, chance)
    invented = list(_invented(drawing, mistakes, noise, chance))
    shifts = _redraw(drawing, noise, chance)
    _make(drawing, mistakes)
    gone = _removed(drawing, mistakes)
    rescue_pairs(drawing, gone)
    records = [
        _record(drawing, k, mistakes, shifts, before[k], links[k])
        for k in range(len(drawing.instances))
    ]
    drawing.shapes[:] = [shape for k, shape in enumerate(drawing.shapes) if k not in gone]
    for shapes, record in invented:
        drawing.shapes.extend(shapes)
        records.append(record)
    return drawing.document, tuple(records)


def _redraw(drawing: Drawing, noise: AnnotatorNoise, chance: Chance) -> Shifts:
    """Shift the points of all instances; how far, by the shape's position."""
    shifts = {}
    for one in drawing.instances:
        for place in (*one.parts, *one.holes):
            rng = chance.of(Draw.JITTER, place)
            shape, size_px = drawing.shapes[place], drawing.size_px
            moved = redraw_shape(shape, noise=noise, size_px=size_px, rng=rng)
            if moved is not None:
                shifts[place] = moved
    return shifts


def _make(drawing: Drawing, mistakes: Mistakes) -> None:
    for k, link in mistakes.links.items():
        counterpart = _COUNTERPARTS[link.kind]
        set_link(drawing, drawing.instances[k], link.after, counterpart=counterpart)
    for k in mistakes.swapped:
        _swap(drawing, drawing.instances[k])
    for k, (_, drawn) in mistakes.types.items():
        for place in drawing.instances[k].parts:
            attributes = attributes_of(drawing.shapes[place])
            if SURFACE_TYPE in attributes:
                attributes[SURFACE_TYPE] = drawn
    kept = {one.group_id for k, one in enumerate(drawing.instances) if k not in mistakes.missed}
    for k in mistakes.missed:
        number = drawing.instances[k].group_id
        if number is not None and number not in kept:
            forget_pairs(drawing, number)


def _swap(drawing: Drawing, instance: Instance) -> None:
    if instance.role == "reflected" and instance.group_id is not None:
        set_link(drawing, instance, None, counterpart="unset")
    for place in instance.parts:
        shape = drawing.shapes[place]
        shape["label"] = swapped_label(shape["label"], instance.role)
        attributes = attributes_of(shape)
        for name in LINK_ATTRIBUTES:
            attributes.pop(name, None)


def _removed(drawing: Drawing, mistakes: Mistakes) -> set[int]:
    """Positions of the shapes that are not drawn."""
    gone = {place for holes in mistakes.holes.values() for place in holes}
    for k in mistakes.missed:
        gone.update(drawing.instances[k].parts, drawing.instances[k].holes)
    return gone


def _record(
    drawing: Drawing,
    k: int,
    mistakes: Mistakes,
    shifts: Shifts,
    before: BaseGeometry,
    link: int | None,
) -> InstancePerturbation:
    """What was done to one instance of the source."""
    one = drawing.instances[k]
    told: dict[str, Any] = {
        "source_id": one.group_id,
        "output_id": None,
        "source_shapes": tuple(sorted((*one.parts, *one.holes))),
        "role": one.role,
        "link_before": link,
    }
    if k in mistakes.missed:
        return InstancePerturbation(**told, changes=("missed",))
    forgotten = mistakes.holes.get(k, ())
    holes = [place for place in one.holes if place not in forgotten]
    shift = _rms([shifts[place] for place in (*one.parts, *holes) if place in shifts])
    true_type, drawn_type = mistakes.types.get(k, (None, None))
    return InstancePerturbation(
        **told
        | {
            "output_id": one.group_id,
            "changes": _changes(k, mistakes, moved=shift > 0),
            "label": drawing.shapes[one.parts[0]]["label"],
            "shift_rms_px": shift,
            "iou": _iou(before, region_of(drawing.shapes, one.parts, holes)),
            "link_after": _link_after(k, mistakes, link),
            "surface_type_before": true_type,
            "surface_type_after": drawn_type,
            "holes_forgotten": len(forgotten),
        }
    )


def _changes(k: int, mistakes: Mistakes, *, moved: bool) -> tuple[Change, ...]:
    changes: list[Change] = ["moved"] if moved else []
    if k in mistakes.links:
        changes.append(mistakes.links[k].kind)
    if k in mistakes.swapped:
        changes.append("wrong_visibility")
    if k in mistakes.types:
        changes.append("wrong_surface_type")
    if k in mistakes.holes:
        changes.append("hole_forgotten")
    return tuple(changes)


def _link_after(k: int, mistakes: Mistakes, link: int | None) -> int | None:
    if k in mistakes.swapped:
        return None
    return mistakes.links[k].after if k in mistakes.links else link


def _invented(
    drawing: Drawing, mistakes: Mistakes, noise: AnnotatorNoise, chance: Chance
) -> Iterator[tuple[list[Json], InstancePerturbation]]:
    """Shapes and record of each invented instance."""
    number = drawing.highest_id
    for k in mistakes.copied:
        source = drawing.instances[k]
        rng = chance.of(Draw.EXTRA, source.parts[0])
        rng.random()
        made = invent(drawing, source, number + 1, noise=noise, rng=rng)
        if made is None:
            continue
        number = made.number
        record = InstancePerturbation(
            source_id=source.group_id,
            output_id=number,
            source_shapes=(),
            changes=("invented",),
            role=source.role,
            label=made.shapes[0]["label"],
        )
        yield made.shapes, record


def _iou(before: BaseGeometry, after: BaseGeometry) -> float | None:
    if before.is_empty and after.is_empty:
        return None
    both = before.intersection(after).area
    whole = before.area + after.area - both
    return round(both / whole, 6) if whole else None


def _rms(shifts: list[NDArray[np.float64]]) -> float:
    if not shifts:
        return 0.0
    return round(math.sqrt(float(np.mean(np.concatenate(shifts) ** 2))), 4)
