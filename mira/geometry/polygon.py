"""Polygons as people draw them: even-odd, clipped to the picture, never rounded.

Coordinates are x, y in pixels from the picture's top-left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from mira.schema.annotation import Ring


class Region(NamedTuple):
    """Rings whose union, less the holes, is an area."""

    parts: tuple[Ring, ...]
    holes: tuple[Ring, ...]


def even_odd_area(ring: Ring) -> BaseGeometry:
    """The points inside an odd number of the ring's turns.

    A bow-tie keeps both wings and a keyhole seam opens into a hole. `buffer(0)` is not used: it
    halves a bow-tie.

    Args:
        ring: At least three points; open or closed.

    Returns:
        A valid polygonal geometry, empty for a ring without area.
    """
    return polygonal(shapely.make_valid(Polygon(ring), method="linework"))


def polygonal(geometry: BaseGeometry) -> BaseGeometry:
    """The polygons of a geometry, without the points and lines that repairs leave over."""
    parts = shapely.get_parts(geometry, return_index=False)
    polygons = [part for part in parts if isinstance(part, Polygon) and not part.is_empty]
    nested = [polygonal(part) for part in parts if part.geom_type == "GeometryCollection"]
    return shapely.union_all([*polygons, *nested]) if nested else MultiPolygon(polygons)


def clip_ring(ring: Ring, *, width_px: int, height_px: int) -> Region:
    """A ring cut to the picture.

    Args:
        ring: At least three points.
        width_px: Picture width.
        height_px: Picture height.

    Returns:
        The ring itself where it is simple and inside; else the parts and holes of what is left of
        it, none where nothing is.
    """
    polygon = Polygon(ring)
    min_x, min_y, max_x, max_y = polygon.bounds
    inside = min_x >= 0 and min_y >= 0 and max_x <= width_px and max_y <= height_px
    if inside and polygon.is_valid and polygon.area > 0:
        return Region(parts=(ring,), holes=())
    area = even_odd_area(ring)
    if not inside:
        area = polygonal(shapely.intersection(area, shapely.box(0, 0, width_px, height_px)))
    return rings_of(area)


def rings_of(area: BaseGeometry) -> Region:
    """Outer rings and holes of a polygonal geometry, open."""
    polygons = [part for part in shapely.get_parts(area) if isinstance(part, Polygon)]
    return Region(
        parts=tuple(_open_ring(polygon.exterior.coords) for polygon in polygons if polygon.area),
        holes=tuple(_open_ring(hole.coords) for polygon in polygons for hole in polygon.interiors),
    )


def region_area(parts: Iterable[Ring], holes: Iterable[Ring] = ()) -> BaseGeometry:
    """The union of parts less the union of holes, each ring taken even-odd."""
    whole = shapely.union_all([even_odd_area(ring) for ring in parts])
    cut = [even_odd_area(ring) for ring in holes]
    return shapely.difference(whole, shapely.union_all(cut)) if cut else whole


def _open_ring(coords: Iterable[tuple[float, ...]]) -> Ring:
    points = [(float(point[0]), float(point[1])) for point in coords]
    return tuple(points[:-1])
