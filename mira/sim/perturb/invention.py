"""Instances that are drawn where there is nothing of the kind."""

from __future__ import annotations

import copy
from typing import NamedTuple

import numpy as np
import shapely
from numpy.random import Generator
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from mira.sim.perturb.drawing import (
    Drawing,
    Instance,
    Json,
    attributes_of,
    id_of,
    points_of,
    region_of,
)
from mira.sim.perturb.links import COUNTERPART, LINK
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.redrawing import redraw_shape

_TRIES = 24
_LEAST_SHIFT_PX = 1.0
"""A copy differs from what it is a copy of, even where outlines are not shifted."""


class Invented(NamedTuple):
    """New shapes of one id, the parts first."""

    number: int
    shapes: list[Json]


def invent(
    drawing: Drawing, source: Instance, number: int, *, noise: AnnotatorNoise, rng: Generator
) -> Invented | None:
    """A redrawn copy of an instance at another place, linked to nothing.

    Of some places by chance the one is taken where it covers least of what is drawn of the same
    role, and where a reflection lies in its surface, a direct object in none.

    Returns:
        The copy; None where its shapes cannot be moved.
    """
    shapes = [copy.deepcopy(drawing.shapes[place]) for place in (*source.parts, *source.holes)]
    points = [points_of(shape) for shape in shapes]
    region = region_of(drawing.shapes, source.parts, source.holes)
    if region.is_empty or any(held is None for held in points):
        return None
    shift = _best_shift(drawing, source, region, rng)
    noise = noise.model_copy(update={"vertex_px": max(noise.vertex_px, _LEAST_SHIFT_PX)})
    for shape, held in zip(shapes, points, strict=True):
        assert held is not None
        shape["points"] = (held + shift).round(3).tolist()
        shape["group_id"] = number
        shape["kie_linking"] = []
        attributes = attributes_of(shape)
        if source.role == "reflected" and attributes:
            attributes |= {LINK: "", COUNTERPART: "out_of_frame"}
        redraw_shape(shape, noise=noise, size_px=drawing.size_px, rng=rng)
    return Invented(number, shapes)


def _best_shift(
    drawing: Drawing, source: Instance, region: BaseGeometry, rng: Generator
) -> NDArray[np.float64]:
    low_x, low_y, high_x, high_y = region.bounds
    width, height = drawing.size_px
    first = np.minimum([-low_x, -low_y], 0)
    last = np.maximum([width - high_x, height - high_y], 0)
    shifts = first + (last - first) * rng.random((_TRIES, 2))
    taken = _union(drawing, [one for one in drawing.instances if one.role == source.role])
    surfaces = _union(drawing, _surfaces_of(drawing, source))
    costs = []
    for shift in shifts:
        moved = affinity.translate(region, *shift.tolist())
        covered = shapely.intersection(moved, taken).area / moved.area
        inside = shapely.intersection(moved, surfaces).area / moved.area
        costs.append(covered + (1 - inside if source.role == "reflected" else inside))
    return np.asarray(shifts[int(np.argmin(np.round(costs, 6)))])


def _surfaces_of(drawing: Drawing, source: Instance) -> list[Instance]:
    """The surface that a reflection is in; all surfaces for others."""
    surfaces = [one for one in drawing.instances if one.role == "surface"]
    own = id_of(attributes_of(drawing.shapes[source.parts[0]]).get("in_mirror"))
    same = [one for one in surfaces if one.group_id == own]
    return same if source.role == "reflected" and same else surfaces


def _union(drawing: Drawing, instances: list[Instance]) -> BaseGeometry:
    areas = [region_of(drawing.shapes, one.parts, one.holes) for one in instances]
    return shapely.union_all(areas)
