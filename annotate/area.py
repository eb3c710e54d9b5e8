"""The area inside a ring, cut to the picture, and whether it is one worth having."""

from __future__ import annotations

from itertools import chain

import numpy as np
import shapely
from shapely.errors import GEOSException
from shapely.geometry import MultiPolygon
from shapely.geometry.base import BaseGeometry

from annotate.findings import FindingLog, Refused
from annotate.policy import AnnotationPolicy
from annotate.rings import polygons_of, region_of_area
from mira.geometry.mask import area_of_rle, rle_from_polygons
from mira.geometry.polygon import Region
from mira.schema.annotation import Ring

_DUST_PX = 1e-9
_RASTER_AREA_PX = 4.0
_RASTER_WIDTH_PX = 1.5
"""An area that is larger and wider than these holds the centre of a pixel."""


def area_inside(
    ring: Ring, where: str, size_px: tuple[int, int], policy: AnnotationPolicy, log: FindingLog
) -> Region:
    """The area inside a ring (even-odd), cut to the picture.

    Args:
        ring: At least three distinct points.
        where: Field of the points.
        size_px: Width and height of the picture.
        policy: Thresholds.
        log: Takes warnings: cut, crossing itself, sliver.

    Raises:
        Refused: Nothing of it is in the picture, or it covers no pixel.
    """
    with np.errstate(all="ignore"):
        polygon = _polygon(ring)
        beyond = _reach_beyond(polygon, size_px)
        if beyond <= 0 and shapely.is_valid(polygon):
            region = Region(parts=(ring,), holes=())
        else:
            polygon, region = _repaired(ring, beyond, where, size_px)
            if beyond > 0:
                _note_cut(beyond, where, policy, log)
            else:
                _note_crossing(region, where, log)
        _require_pixels(region, polygon, where, size_px, policy, log)
    return region


def _polygon(ring: Ring) -> BaseGeometry:
    flat = np.fromiter(chain.from_iterable(ring), dtype=np.float64, count=2 * len(ring))
    polygon = shapely.polygons(flat.reshape(-1, 2))
    assert isinstance(polygon, BaseGeometry)
    return polygon


def _repaired(
    ring: Ring, beyond: float, where: str, size_px: tuple[int, int]
) -> tuple[BaseGeometry, Region]:
    """What a ring that crosses itself or leaves the picture covers of it, and its rings."""
    try:
        area = _even_odd(_without_dust(ring))
        if beyond > 0:
            frame = shapely.box(0, 0, size_px[0], size_px[1])
            area = MultiPolygon(polygons_of(shapely.intersection(area, frame)))
    except GEOSException as error:
        raise Refused("geometry-failed", where, f"expected a polygon, found: {error}") from None
    region = region_of_area(area)
    if not region.parts:
        raise _nothing_left(ring, where, size_px)
    return area, Region(
        parts=tuple(_held_inside(part, size_px) for part in region.parts),
        holes=tuple(_held_inside(hole, size_px) for hole in region.holes),
    )


def _even_odd(ring: Ring) -> BaseGeometry:
    """The points inside an odd number of a ring's turns."""
    return MultiPolygon(polygons_of(shapely.make_valid(_polygon(ring), method="linework")))


def _without_dust(ring: Ring) -> Ring:
    """A ring whose coordinates next to 0 are 0: products of such numbers are none."""
    return tuple(
        (0.0 if abs(x) < _DUST_PX else x, 0.0 if abs(y) < _DUST_PX else y) for x, y in ring
    )


def _held_inside(ring: Ring, size_px: tuple[int, int]) -> Ring:
    """A cut ring without what rounding leaves beyond the picture's edge."""
    width, height = size_px
    return tuple((min(max(x, 0.0), width), min(max(y, 0.0), height)) for x, y in ring)


def _reach_beyond(polygon: BaseGeometry, size_px: tuple[int, int]) -> float:
    """How far a polygon leaves the picture, in pixels; 0 or less where it does not."""
    min_x, min_y, max_x, max_y = shapely.bounds(polygon).tolist()
    return float(max(-min_x, -min_y, max_x - size_px[0], max_y - size_px[1]))


def _nothing_left(ring: Ring, where: str, size_px: tuple[int, int]) -> Refused:
    polygon = _polygon(ring)
    min_x, min_y, max_x, max_y = shapely.bounds(polygon).tolist()
    box = f"x {min_x:g} to {max_x:g}, y {min_y:g} to {max_y:g}"
    if _reach_beyond(polygon, size_px) <= 0:
        return Refused("area-empty", where, f"expected an area, found all points on a line: {box}")
    return Refused(
        "shape-outside",
        where,
        f"expected an area in the {size_px[0]}x{size_px[1]} picture, found none in it: {box}",
    )


def _note_cut(beyond: float, where: str, policy: AnnotationPolicy, log: FindingLog) -> None:
    message = f"leaves the picture by {beyond:.4g} pixels; cut at its edge"
    if beyond <= policy.clip_tolerance_px:
        log.info("shape-clipped", where, message)
    else:
        log.warning("shape-clipped", where, message)


def _note_crossing(region: Region, where: str, log: FindingLog) -> None:
    if len(region.parts) == 1:
        log.info("ring-not-simple", where, "touches itself; read even-odd")
    else:
        parts = len(region.parts)
        log.warning("ring-not-simple", where, f"crosses itself; read even-odd as {parts} parts")


def _require_pixels(
    region: Region,
    polygon: BaseGeometry,
    where: str,
    size_px: tuple[int, int],
    policy: AnnotationPolicy,
    log: FindingLog,
) -> None:
    area = float(shapely.area(polygon))
    perimeter = float(shapely.length(polygon))
    width = 2 * area / perimeter if perimeter else 0.0
    if area >= _RASTER_AREA_PX and width >= _RASTER_WIDTH_PX:
        return
    mask = rle_from_polygons(region.parts, region.holes, width_px=size_px[0], height_px=size_px[1])
    if not area_of_rle(mask):
        raise Refused(
            "area-empty", where, f"expected an area, found {area:.3g} px² without a pixel's centre"
        )
    if area < policy.sliver_area_px or width < policy.sliver_width_px:
        log.warning(
            "shape-sliver", where, f"covers {area:.3g} px² at a mean width of {width:.2g} px"
        )
