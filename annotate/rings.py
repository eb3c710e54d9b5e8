"""Areas as rings in a form that loses nothing.

A region is the union of its parts less its holes. A hole would therefore cut an island that lies
in it, or another part that covers it; where that is so, the area is sliced through its holes into
parts that have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from mira.geometry.polygon import Region, region_area, rings_of
from mira.schema.annotation import Ring


def polygons_of(geometry: BaseGeometry) -> list[Polygon]:
    """The polygons in a geometry, however deep, without points, lines and empty ones."""
    if isinstance(geometry, Polygon):
        return [geometry] if geometry.area else []
    if not hasattr(geometry, "geoms"):
        return []
    return [polygon for part in geometry.geoms for polygon in polygons_of(part)]


def region_of_area(area: BaseGeometry) -> Region:
    """The rings of a geometry's polygons."""
    polygons = polygons_of(area)
    if len(polygons) > 1 and any(_has_island(polygon, polygons) for polygon in polygons):
        polygons = [piece for polygon in polygons for piece in _sliced(polygon)]
    regions = [rings_of(polygon) for polygon in polygons]
    return Region(
        parts=tuple(ring for region in regions for ring in region.parts),
        holes=tuple(ring for region in regions for ring in region.holes),
    )


def rings_without_holes(region: Region) -> tuple[Ring, ...]:
    """The parts of a region, sliced where it has holes."""
    if not region.holes:
        return region.parts
    polygons = polygons_of(region_area(region.parts, region.holes))
    pieces = [piece for polygon in polygons for piece in _sliced(polygon)]
    return tuple(ring for piece in pieces for ring in rings_of(piece).parts)


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
