"""How much shapes of two annotations share: exactly, or in pixels, under one rule.

Rings are even-odd; a shape is the union of its parts less its holes. The exact engine measures
areas of polygons, the pixel engine counts centres. They differ by what rounding to pixels does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from annotate.agreement.shapes import Shape
from mira.geometry.polygon import Region, polygon_of, region_area
from mira.geometry.spans import intersections_px, meeting_pairs, spans_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Method = Literal["polygon", "pixel"]


class Overlaps(NamedTuple):
    """Pairs of shapes of one role that share something."""

    first: Ints
    """Place of the one annotation's shape, shape (m,)."""
    second: Ints
    """Place of the other's, shape (m,)."""
    iou: Floats
    """Intersection over union, above 0, shape (m,)."""
    first_area_px: Floats
    """Area of each of the one annotation's shapes, square pixels."""
    second_area_px: Floats
    """Area of each of the other's."""


_DUST_PX2 = 1e-3
"""Shared areas below this are rounding."""

_GRID_PX = 1e-6

Engine = Callable[[Sequence[Shape], Sequence[Shape], tuple[int, int]], Overlaps]


def pixel_overlaps(
    first: Sequence[Shape], second: Sequence[Shape], size_px: tuple[int, int]
) -> Overlaps:
    """Overlaps counted in pixels.

    Args:
        first: Shapes of the one annotation.
        second: Shapes of the other.
        size_px: Width and height of the picture.
    """
    regions = [shape.region for shape in (*first, *second)]
    spans = spans_of(regions, size_px=size_px)
    areas = spans.areas_px()
    places = np.arange(len(regions))
    a, b = meeting_pairs(spans, places[: len(first)], places[len(first) :])
    a, b = _of_one_role(first, second, a, b)
    shared = intersections_px(spans, spans, (a, b + len(first)))
    return _overlaps(a, b, shared, areas[: len(first)], areas[len(first) :])


def exact_overlaps(
    first: Sequence[Shape], second: Sequence[Shape], size_px: tuple[int, int]
) -> Overlaps:
    """Overlaps of polygons; arguments as for `pixel_overlaps`, though the picture is not needed."""
    del size_px
    one, other = _geometries(first), _geometries(second)
    tree = shapely.STRtree(other)
    a, b = tree.query(one, predicate=None)
    a, b = _of_one_role(first, second, a, b)
    for geometry in one[np.unique(a)]:
        shapely.prepare(geometry)
    meet = shapely.intersects(one[a], other[b])
    a, b = a[meet], b[meet]
    # On a fine grid: GEOS's floating overlay can take a sliver along a common edge for all.
    shared = shapely.area(shapely.intersection(one[a], other[b], grid_size=_GRID_PX))
    areas = shapely.area(one)
    shared = np.where(shapely.equals_exact(one[a], other[b], 0.0), areas[a], shared)
    return _overlaps(a, b, shared, areas, shapely.area(other))


ENGINES: Mapping[Method, Engine] = {"polygon": exact_overlaps, "pixel": pixel_overlaps}


def _of_one_role(
    first: Sequence[Shape], second: Sequence[Shape], a: Ints, b: Ints
) -> tuple[Ints, Ints]:
    roles = [np.array([shape.role == "surface" for shape in shapes]) for shapes in (first, second)]
    if not len(a):
        return a, b
    same = roles[0][a] == roles[1][b]
    return a[same], b[same]


def _overlaps(
    a: Ints, b: Ints, shared: NDArray[Any], first: NDArray[Any], second: NDArray[Any]
) -> Overlaps:
    some = shared > _DUST_PX2
    a, b, shared = a[some], b[some], shared[some]
    # Rounding must not make equal shapes share more than all.
    iou = np.minimum(shared / (first[a] + second[b] - shared), 1.0)
    return Overlaps(a, b, iou, first.astype(np.float64), second.astype(np.float64))


def _geometries(shapes: Sequence[Shape]) -> NDArray[np.object_]:
    """Areas of shapes: a valid ring as it is, all else repaired by even-odd line work."""
    found = np.empty(len(shapes), object)
    found[:] = [_plain(shape.region) for shape in shapes]
    repair = ~shapely.is_valid(found) | (found == None)  # noqa: E711
    for place in np.flatnonzero(repair).tolist():
        found[place] = region_area(*shapes[place].region)
    return found


def _plain(region: Region) -> BaseGeometry | None:
    return polygon_of(region.parts[0]) if len(region.parts) == 1 and not region.holes else None
