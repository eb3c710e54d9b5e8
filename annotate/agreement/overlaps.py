"""How much shapes of two annotations share: exactly, or in pixels, under one rule.

Rings are even-odd; a shape is the union of its parts less its holes. The exact engine measures
areas of polygons, the pixel engine counts centres. They differ by what rounding to pixels does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import shapely
from numpy.typing import NDArray

from mira.geometry.outlines import Outlines, join_outlines, region_of
from mira.geometry.polygon import region_area
from mira.geometry.spans import Spans, intersections_px, meeting_pairs, spans_of
from mira.store.drawn_shapes import DrawnShapes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Method = Literal["polygon", "pixel"]


class Overlaps(NamedTuple):
    """Pairs of shapes of one role that share enough."""

    first: Ints
    """Place of the one annotation's shape, shape (m,)."""
    second: Ints
    """Place of the other's, shape (m,)."""
    iou: Floats
    """Intersection over union, shape (m,)."""
    first_area_px: Floats
    """Area of each of the one annotation's shapes, square pixels."""
    second_area_px: Floats
    """Area of each of the other's."""


_DUST_PX2 = 1e-3
"""Shared areas below this are rounding."""

_GRID_PX = 1e-6
_ROUNDING = 1e-9


Drawings = tuple[DrawnShapes, DrawnShapes]
"""Two annotations of one picture."""


class Engine(Protocol):
    """Measures shapes."""

    def __call__(
        self, drawings: Sequence[Drawings], /, *, min_iou: float = 0.0
    ) -> Sequence[Overlaps]:
        """Overlaps of shapes of one role, for each picture.

        Args:
            drawings: Pictures of one size.
            min_iou: Pairs that share less are left out.
        """
        ...


def pixel_overlaps(drawings: Sequence[Drawings], /, *, min_iou: float = 0.0) -> Sequence[Overlaps]:
    """Overlaps counted in pixels, for all pictures in one go; see `Engine`."""
    firsts, seconds = ([drawing[k] for drawing in drawings] for k in range(2))
    outlines = join_outlines([drawn.outlines for drawn in (*firsts, *seconds)])
    spans = spans_of(outlines, size_px=firsts[0].size_px)
    areas = spans.areas_px()
    kinds = _kinds(firsts), _kinds(seconds)
    n = len(kinds[0])
    a, b = meeting_pairs(spans, np.arange(n), np.arange(n, len(spans)))
    comparable = kinds[0][a] == kinds[1][b]
    a, b = a[comparable], b[comparable] + n
    near = _may_share(_pixels_shared(spans, a, b), areas[a] + areas[b], min_iou)
    a, b = a[near], b[near]
    found = _overlaps(a, b, intersections_px(spans, a, b), areas, areas, min_iou)
    return _by_picture(found, firsts, seconds)


def exact_overlaps(drawings: Sequence[Drawings], /, *, min_iou: float = 0.0) -> Sequence[Overlaps]:
    """Overlaps of polygons; see `Engine`."""
    return [_exact_overlaps(first, second, min_iou) for first, second in drawings]


ENGINES: Mapping[Method, Engine] = {"polygon": exact_overlaps, "pixel": pixel_overlaps}


def _exact_overlaps(first: DrawnShapes, second: DrawnShapes, min_iou: float) -> Overlaps:
    one, other = _geometries(first.outlines), _geometries(second.outlines)
    areas, other_areas = shapely.area(one), shapely.area(other)
    a, b = shapely.STRtree(other).query(one, predicate=None)
    comparable = (a < first.n_surfaces) == (b < second.n_surfaces)
    comparable &= _may_share(_boxes_shared(one[a], other[b]), areas[a] + other_areas[b], min_iou)
    a, b = a[comparable], b[comparable]
    for geometry in one[np.unique(a)]:
        shapely.prepare(geometry)
    meet = shapely.intersects(one[a], other[b])
    a, b = a[meet], b[meet]
    # On a fine grid: GEOS's floating overlay can take a sliver along a common edge for all.
    shared = shapely.area(shapely.intersection(one[a], other[b], grid_size=_GRID_PX))
    shared = np.where(shapely.equals_exact(one[a], other[b], 0.0), areas[a], shared)
    return _overlaps(a, b, shared, areas, other_areas, min_iou)


def _kinds(drawn: Sequence[DrawnShapes]) -> Ints:
    """A number for each shape: shapes of one picture and role have the same."""
    counts = [(d.n_surfaces, d.outlines.n_areas - d.n_surfaces) for d in drawn]
    return np.repeat(np.arange(2 * len(drawn)), np.array(counts, int).ravel())


def _by_picture(
    found: Overlaps, firsts: Sequence[DrawnShapes], seconds: Sequence[DrawnShapes]
) -> list[Overlaps]:
    """Overlaps of many pictures' shapes, taken apart."""
    ends = np.cumsum([0, *(drawn.outlines.n_areas for drawn in (*firsts, *seconds))])
    first, second = ends[: len(firsts) + 1], ends[len(firsts) :]
    pairs = np.searchsorted(found.first, first)
    return [
        Overlaps(
            found.first[pairs[k] : pairs[k + 1]] - first[k],
            found.second[pairs[k] : pairs[k + 1]] - second[k],
            found.iou[pairs[k] : pairs[k + 1]],
            found.first_area_px[first[k] : first[k + 1]],
            found.second_area_px[second[k] : second[k + 1]],
        )
        for k in range(len(firsts))
    ]


def _may_share(boxes_shared: NDArray[Any], areas: NDArray[Any], min_iou: float) -> NDArray[Any]:
    """Whether two shapes may share enough, by what their boxes share and the sum of their areas."""
    return np.asarray(boxes_shared * (1 + min_iou) >= min_iou * areas * (1 - _ROUNDING))


def _boxes_shared(one: NDArray[np.object_], other: NDArray[np.object_]) -> Floats:
    """What boxes share, square pixels."""
    a, b = shapely.bounds(one), shapely.bounds(other)
    sides = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
    return np.asarray(np.prod(np.maximum(sides, 0), axis=1))


def _pixels_shared(spans: Spans, a: Ints, b: Ints) -> Ints:
    """Pixels that boxes share; they do share some."""
    right, left, upper, lower = spans.right, spans.left, spans.upper, spans.lower
    width = np.minimum(right[a], right[b]) - np.maximum(left[a], left[b])
    return np.asarray(width * (np.minimum(lower[a], lower[b]) - np.maximum(upper[a], upper[b])))


def _overlaps(
    a: Ints,
    b: Ints,
    shared: NDArray[Any],
    first: NDArray[Any],
    second: NDArray[Any],
    min_iou: float,
) -> Overlaps:
    some = shared > _DUST_PX2
    a, b, shared = a[some], b[some], shared[some]
    # Rounding must not make equal shapes share more than all.
    iou = np.minimum(shared / (first[a] + second[b] - shared), 1.0)
    enough = iou >= min_iou
    return Overlaps(
        a[enough], b[enough], iou[enough], first.astype(np.float64), second.astype(np.float64)
    )


def _geometries(outlines: Outlines) -> NDArray[np.object_]:
    """Areas of shapes: a valid ring as it is, all else repaired by even-odd line work."""
    ring = np.repeat(np.arange(len(outlines.lengths)), outlines.lengths)
    found: Any = shapely.polygons(shapely.linearrings(outlines.points_px, indices=ring))
    if not outlines.is_one_ring_each:
        alone = ~outlines.is_hole & (np.bincount(outlines.owner)[outlines.owner] == 1)
        areas = np.empty(outlines.n_areas, object)
        areas[outlines.owner[alone]] = found[alone]
        found = areas
    repair = ~shapely.is_valid(found) | (found == None)  # noqa: E711
    for place in np.flatnonzero(repair).tolist():
        found[place] = region_area(*region_of(outlines, place))
    return np.asarray(found)
