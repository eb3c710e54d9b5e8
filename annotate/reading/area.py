"""The area inside a ring, cut to the picture, and whether it is one worth having."""

from __future__ import annotations

from abc import ABC, abstractmethod

import shapely
from shapely.errors import GEOSException
from shapely.geometry.base import BaseGeometry

from annotate.findings import FindingLog, Refused
from annotate.policy import AnnotationPolicy
from mira.geometry.mask import area_of_rle, rle_from_polygons
from mira.geometry.polygon import Region, polygon_of, region_area
from mira.geometry.region import clip_ring
from mira.schema.annotation import Ring

_RASTER_AREA_PX = 4.0
_RASTER_WIDTH_PX = 1.5
"""An area that is larger and wider than these holds the centre of a pixel."""


class ForeignArea(ABC):
    """What another format has in place of a shape's points."""

    @abstractmethod
    def region(
        self, where: str, size_px: tuple[int, int], policy: AnnotationPolicy, log: FindingLog
    ) -> Region:
        """The area, cut to the picture.

        Args:
            where: Field of the shape.
            size_px: Width and height of the picture.
            policy: Thresholds.
            log: Takes warnings.

        Raises:
            Refused: It is none, or not in the picture.
        """


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
    polygon = polygon_of(ring)
    beyond = _beyond(polygon, size_px)
    if beyond <= 0 and polygon.is_valid and polygon.area > 0:
        region = Region(parts=(ring,), holes=())
        _require_pixels(polygon, region, where, size_px, policy, log)
        return region
    try:
        region = clip_ring(ring, size_px)
    except GEOSException as error:
        raise Refused("geometry-failed", where, f"expected a polygon, found: {error}") from None
    if not region.parts:
        raise _nothing_left(ring, where, size_px)
    if beyond > 0:
        _note_cut(beyond, where, policy, log)
    elif region.parts != (ring,):
        _note_crossing(region, where, log)
    _require_pixels(_area_of(region), region, where, size_px, policy, log)
    return region


def _beyond(area: BaseGeometry, size_px: tuple[int, int]) -> float:
    """How far an area leaves the picture; 0 or less where it does not."""
    min_x, min_y, max_x, max_y = shapely.bounds(area).tolist()
    return float(max(-min_x, -min_y, max_x - size_px[0], max_y - size_px[1]))


def _area_of(region: Region) -> BaseGeometry:
    if len(region.parts) == 1 and not region.holes:
        return polygon_of(region.parts[0])
    return region_area(*region)


def _nothing_left(ring: Ring, where: str, size_px: tuple[int, int]) -> Refused:
    min_x, min_y, max_x, max_y = shapely.bounds(polygon_of(ring)).tolist()
    box = f"x {min_x:g} to {max_x:g}, y {min_y:g} to {max_y:g}"
    if _beyond(polygon_of(ring), size_px) <= 0:
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
    area_px: BaseGeometry,
    region: Region,
    where: str,
    size_px: tuple[int, int],
    policy: AnnotationPolicy,
    log: FindingLog,
) -> None:
    area, perimeter = area_px.area, area_px.length
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
