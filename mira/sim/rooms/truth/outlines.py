"""Masks as polygons whose origin is the picture's top-left corner."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import shapely
from numpy.typing import NDArray

from mira.geometry.mask import decode_rle, rle_from_polygons
from mira.geometry.pixel_rings import polygons_of_mask
from mira.geometry.polygon import Region
from mira.geometry.region import region_of_area
from mira.schema.annotation import Ring
from mira.sim.rooms.policy import InstancePolicy, OutlinePolicy

_HALVINGS = 4
_CRUMBS = {"min_part_area_px": 2, "min_hole_area_px": 2}


def outline_mask(
    mask: NDArray[np.bool_],
    instances: InstancePolicy,
    outline: OutlinePolicy,
    *,
    corner_px: tuple[int, int] = (0, 0),
) -> Region | None:
    """Polygons of a mask, few vertices, faithful to its pixels.

    Pixel (column, row) covers [column, column + 1] x [row, row + 1]. Separate parts and holes
    below the policy's sizes are dropped; where the mask has so many that the agreement suffers,
    only single pixels are. Islands inside holes are dropped always, because a hole is cut out of
    the whole instance.

    Args:
        mask: The visible pixels, shape (height, width).
        instances: Smallest parts and holes.
        outline: Tolerance and agreement.
        corner_px: Column and row of the mask's first pixel in the picture.

    Returns:
        Parts and holes; None when the mask is empty or too broken up for polygons to agree.
    """
    exact = polygons_of_mask(mask)
    for smallest in (instances, instances.model_copy(update=_CRUMBS)):
        parts = _kept_parts(exact, smallest)
        tolerance = outline.tolerance_px
        for _ in range(_HALVINGS if parts else 0):
            region = _simplified(parts, tolerance, exact_below_px=instances.min_part_area_px)
            if iou_with_mask(region, mask) >= outline.min_iou:
                return _shifted(region, corner_px)
            tolerance /= 2
    return None


def iou_with_mask(region: Region, mask: NDArray[np.bool_]) -> float:
    """Intersection over union of a region's pixels and a mask, shape (height, width)."""
    height, width = mask.shape
    drawn = decode_rle(
        rle_from_polygons(region.parts, region.holes, width_px=width, height_px=height)
    )
    union = np.count_nonzero(drawn | mask)
    return np.count_nonzero(drawn & mask) / union if union else 1.0


def _shifted(region: Region, by_px: tuple[int, int]) -> Region:
    """A region moved right and down."""
    right, down = by_px

    def moved(rings: tuple[Ring, ...]) -> tuple[Ring, ...]:
        return tuple(tuple((x + right, y + down) for x, y in ring) for ring in rings)

    return Region(moved(region.parts), moved(region.holes))


def _kept_parts(exact: Iterable[shapely.Polygon], policy: InstancePolicy) -> list[shapely.Polygon]:
    """Parts of a sufficient size, their small holes filled, no part inside another's hole."""
    kept = [
        shapely.Polygon(
            part.exterior,
            [hole for hole in part.interiors if _ring_area(hole) >= policy.min_hole_area_px],
        )
        for part in exact
        if part.area >= policy.min_part_area_px
    ]
    return [part for part in kept if not _inside_a_hole(part, kept)]


def _simplified(
    parts: list[shapely.Polygon], tolerance_px: float, *, exact_below_px: int
) -> Region:
    """Parts with fewer vertices; small ones keep theirs, or nothing would be left of them."""
    thin = [
        part if part.area < exact_below_px else shapely.simplify(part, tolerance_px)
        for part in parts
    ]
    return region_of_area(shapely.MultiPolygon(thin))


def _inside_a_hole(part: shapely.Polygon, others: list[shapely.Polygon]) -> bool:
    inner = part.representative_point()
    return any(
        shapely.Polygon(hole).contains(inner)
        for other in others
        if other is not part
        for hole in other.interiors
    )


def _ring_area(ring: shapely.LinearRing) -> float:
    return float(shapely.Polygon(ring).area)
