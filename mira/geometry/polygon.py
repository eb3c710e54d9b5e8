"""Polygons as people draw them: even-odd, clipped to the picture, never rounded.

Coordinates are x, y in pixels from the picture's top-left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from mira.schema.annotation import Ring

_DUST_PX = 1e-9
"""Coordinates nearer to 0 are taken for 0: products of such numbers underflow."""


class Region(NamedTuple):
    """Rings whose union, less the holes, is an area."""

    parts: tuple[Ring, ...]
    holes: tuple[Ring, ...]


def polygon_of(ring: Ring) -> Polygon:
    """A ring as a polygon, valid or not; at least three points."""
    flat = np.fromiter(chain.from_iterable(ring), dtype=np.float64, count=2 * len(ring))
    polygon = shapely.polygons(flat.reshape(-1, 2))
    assert isinstance(polygon, Polygon)
    return polygon


def polygons_of(geometry: BaseGeometry) -> list[Polygon]:
    """The polygons in a geometry, however deep, without points, lines and empty ones."""
    if isinstance(geometry, Polygon):
        return [geometry] if geometry.area else []
    if not hasattr(geometry, "geoms"):
        return []
    return [polygon for part in geometry.geoms for polygon in polygons_of(part)]


def even_odd_area(ring: Ring) -> BaseGeometry:
    """The points inside an odd number of the ring's turns.

    A bow-tie keeps both wings and a keyhole seam opens into a hole. `buffer(0)` is not used: it
    halves a bow-tie.

    Args:
        ring: At least three points; open or closed.

    Returns:
        Valid polygons, none for a ring without area.

    Raises:
        shapely.errors.GEOSException: The numbers are beyond what can be computed with.
    """
    swept = tuple(
        (0.0 if abs(x) < _DUST_PX else x, 0.0 if abs(y) < _DUST_PX else y) for x, y in ring
    )
    with np.errstate(all="ignore"):
        return MultiPolygon(polygons_of(shapely.make_valid(polygon_of(swept), method="linework")))


def region_area(parts: Iterable[Ring], holes: Iterable[Ring] = ()) -> BaseGeometry:
    """The union of parts less the union of holes, each ring taken even-odd; polygons only.

    A hole may leave a line of its part, which has no area and which GEOS refuses to overlay with
    a polygon on a grid.
    """
    whole = shapely.union_all([even_odd_area(ring) for ring in parts])
    cut = [even_odd_area(ring) for ring in holes]
    if not cut:
        return whole
    return MultiPolygon(polygons_of(shapely.difference(whole, shapely.union_all(cut))))


def reach_beyond(ring: Ring, size_px: tuple[int, int]) -> float:
    """How far a ring leaves a picture of this width and height; 0 or less where it does not."""
    min_x, min_y, max_x, max_y = shapely.bounds(polygon_of(ring)).tolist()
    return float(max(-min_x, -min_y, max_x - size_px[0], max_y - size_px[1]))
