"""Areas as rings in a form that loses nothing.

A region is the union of its parts less its holes. A hole would therefore cut an island that lies
in it, or another part that covers it; where that is so, the area is sliced through its holes into
parts that have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from mira.geometry.polygon import (
    Region,
    even_odd_area,
    polygon_of,
    polygons_of,
    reach_beyond,
    region_area,
)
from mira.schema.annotation import Ring


def clip_ring(ring: Ring, size_px: tuple[int, int]) -> Region:
    """The area inside a ring (even-odd), cut to the picture.

    Args:
        ring: At least three points.
        size_px: Width and height of the picture.

    Returns:
        The ring itself where it is simple and inside; else rings of what is left of it, none
        where nothing is.

    Raises:
        shapely.errors.GEOSException: The numbers are beyond what can be computed with.
    """
    beyond = reach_beyond(ring, size_px)
    polygon = polygon_of(ring)
    if beyond <= 0 and polygon.area > 0 and shapely.is_valid(polygon):
        return Region(parts=(ring,), holes=())
    area = even_odd_area(ring)
    if beyond > 0:
        area = shapely.intersection(area, shapely.box(0, 0, *size_px))
    parts, holes = region_of_area(area)
    return Region(_held_inside(parts, size_px), _held_inside(holes, size_px))


def region_of_area(area: BaseGeometry) -> Region:
    """The rings of a geometry's polygons, open."""
    polygons = polygons_of(area)
    if len(polygons) > 1 and any(_has_island(polygon, polygons) for polygon in polygons):
        polygons = [piece for polygon in polygons for piece in _sliced(polygon)]
    return Region(
        parts=tuple(_open_ring(polygon.exterior.coords) for polygon in polygons),
        holes=tuple(_open_ring(hole.coords) for polygon in polygons for hole in polygon.interiors),
    )


def rings_without_holes(region: Region) -> tuple[Ring, ...]:
    """The parts of a region, sliced where it has holes."""
    if not region.holes:
        return region.parts
    polygons = polygons_of(region_area(region.parts, region.holes))
    return tuple(
        _open_ring(piece.exterior.coords) for polygon in polygons for piece in _sliced(polygon)
    )


def join(regions: Sequence[Region], cut: Sequence[Region]) -> Region:
    """The union of regions less that of others."""
    if len(regions) > 1 and any(region.holes for region in regions):
        whole = shapely.union_all([region_area(*region) for region in regions])
        joined = region_of_area(whole)
    else:
        parts = tuple(chain.from_iterable(region.parts for region in regions))
        joined = Region(parts=parts, holes=regions[0].holes)
    holes = tuple(chain.from_iterable(rings_without_holes(region) for region in cut))
    return joined._replace(holes=joined.holes + holes)


def _has_island(polygon: Polygon, polygons: Sequence[Polygon]) -> bool:
    """Whether another polygon lies in one of a polygon's holes."""
    return any(
        Polygon(hole).contains(other.representative_point())
        for hole in polygon.interiors
        for other in polygons
        if other is not polygon
    )


def _sliced(polygon: Polygon) -> list[Polygon]:
    """A polygon cut through its holes, from top to bottom and between pixels where that can be.

    A hole too thin to be cut through is filled.
    """
    if not polygon.interiors:
        return [polygon]
    min_x, min_y, max_x, max_y = polygon.bounds
    left, _, right, _ = polygon.interiors[0].bounds
    middle = (left + right) / 2
    x = round(middle) if left < round(middle) < right else middle
    halves = (shapely.box(min_x, min_y, x, max_y), shapely.box(x, min_y, max_x, max_y))
    pieces = [piece for half in halves for piece in polygons_of(polygon.intersection(half))]
    left_over = len(polygon.interiors)
    done = [
        piece if len(piece.interiors) < left_over else Polygon(piece.exterior) for piece in pieces
    ]
    return [piece for part in done for piece in _sliced(part)]


def _held_inside(rings: tuple[Ring, ...], size_px: tuple[int, int]) -> tuple[Ring, ...]:
    """Cut rings without what rounding leaves beyond the picture's edge."""
    width, height = map(float, size_px)
    return tuple(
        tuple((min(max(x, 0.0), width), min(max(y, 0.0), height)) for x, y in ring)
        for ring in rings
    )


def _open_ring(coords: Iterable[tuple[float, ...]]) -> Ring:
    points = [(float(point[0]), float(point[1])) for point in coords]
    return tuple(points[:-1])
