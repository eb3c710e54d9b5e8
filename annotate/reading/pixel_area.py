"""Masks as rings at the edges of their pixels, in a form that loses nothing."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from annotate.findings import FindingLog, Refused
from annotate.policy import AnnotationPolicy
from mira.geometry.pixel_rings import polygons_of_mask
from mira.geometry.polygon import Region
from mira.schema.annotation import Ring

Mask = NDArray[np.bool_]

_TILE_PX = 1 << 23
"""Pixels that are traced at a time: tracing takes some 40 bytes for each."""


class _Tile(NamedTuple):
    """A piece of a mask; its first pixel is at `left`, `top` of the picture."""

    mask: Mask
    left: int
    top: int

    def cropped(self) -> _Tile | None:
        """Without empty rows and columns around; None where nothing is left."""
        rows, columns = np.flatnonzero(self.mask.any(1)), np.flatnonzero(self.mask.any(0))
        if not len(rows):
            return None
        inner = self.mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        return _Tile(inner, self.left + int(columns[0]), self.top + int(rows[0]))

    def cut_at_column(self, at: int) -> list[_Tile]:
        """The pieces to the left and to the right of a column's left edge."""
        return [
            self._replace(mask=self.mask[:, :at]),
            _Tile(self.mask[:, at:], self.left + at, self.top),
        ]

    def halves(self) -> list[_Tile]:
        """The pieces of a cut through the longer side."""
        height, width = self.mask.shape
        if width >= height:
            return self.cut_at_column(width // 2)
        at = height // 2
        return [self._replace(mask=self.mask[:at]), _Tile(self.mask[at:], self.left, self.top + at)]


def area_of_mask(
    mask: Mask,
    corner_px: tuple[int, int],
    where: str,
    size_px: tuple[int, int],
    policy: AnnotationPolicy,
    log: FindingLog,
) -> Region:
    """The area that a mask covers, cut to the picture.

    Args:
        mask: Shape (height, width).
        corner_px: Column and row of its first pixel in the picture; may lie outside.
        where: Field of the mask.
        size_px: Width and height of the picture.
        policy: Thresholds.
        log: Takes a warning where it is cut.

    Raises:
        Refused: It is empty, outside the picture, or in too many pieces.
    """
    drawn = _Tile(mask, *corner_px).cropped()
    if drawn is None:
        raise Refused("area-empty", where, "expected an area, found a mask without a pixel")
    inside = _cut_to_picture(drawn, size_px)
    if inside is None:
        message = f"expected an area in the {size_px[0]}x{size_px[1]} picture, found none in it"
        raise Refused("shape-outside", where, message)
    if lost := np.count_nonzero(drawn.mask) - np.count_nonzero(inside.mask):
        log.warning("shape-clipped", where, f"leaves the picture by {lost} pixels; they are cut")
    corner_px = (inside.left, inside.top)
    limit = policy.mask_rings_limit
    region = region_of_mask(inside.mask, corner_px=corner_px, most_rings=limit)
    if region is None:
        message = f"expected at most {limit} parts and holes, found more"
        raise Refused("mask-in-pieces", where, message)
    return region


def region_of_mask(
    mask: Mask, *, corner_px: tuple[int, int] = (0, 0), most_rings: int
) -> Region | None:
    """Parts and holes whose union less the holes is the mask, with corners at whole pixels.

    Holes are cut out of the whole region: where something lies in a hole, the mask is sliced.

    Args:
        mask: Shape (height, width).
        corner_px: Column and row of its first pixel in the picture.
        most_rings: Parts and holes together that are traced.

    Returns:
        The region; None where it has more rings.
    """
    parts: list[Ring] = []
    holes: list[Ring] = []
    waiting = [_Tile(mask, *corner_px)]
    while waiting:
        tile = waiting.pop().cropped()
        if tile is None:
            continue
        if tile.mask.size > _TILE_PX:
            waiting += reversed(tile.halves())
            continue
        areas = _Areas.of(tile.mask)
        if len(parts) + len(holes) + areas.rings > most_rings:
            return None
        column = areas.column_of_island(tile.mask)
        if column is not None:
            waiting += reversed(tile.cut_at_column(column))
            continue
        for polygon in polygons_of_mask(tile.mask):
            parts.append(_ring(polygon.exterior, tile))
            holes += [_ring(hole, tile) for hole in polygon.interiors]
    return Region(tuple(parts), tuple(holes))


def _cut_to_picture(tile: _Tile, size_px: tuple[int, int]) -> _Tile | None:
    left, top = max(-tile.left, 0), max(-tile.top, 0)
    right, bottom = size_px[0] - tile.left, size_px[1] - tile.top
    if left >= right or top >= bottom:
        return None
    inner = tile.mask[top:bottom, left:right]
    return _Tile(inner, tile.left + left, tile.top + top).cropped()


class _Areas(NamedTuple):
    """The connected areas of a mask and of what it leaves empty; a corner does not connect."""

    parts: int
    part: NDArray[np.int32]
    """Number of each pixel's part, 0 where it has none, shape (height, width)."""
    gaps: int
    """Empty areas, the one around the mask among them."""
    gap: NDArray[np.int32]
    """Number of each pixel's empty area, with a pixel around, shape (height + 2, width + 2)."""

    @classmethod
    def of(cls, mask: Mask) -> _Areas:
        """The areas of a mask."""
        return cls(*_connected(mask), *_connected(np.pad(~mask, 1, constant_values=True)))

    @property
    def rings(self) -> int:
        """Parts and holes together."""
        return self.parts + self.gaps - 1

    def column_of_island(self, mask: Mask) -> int | None:
        """A column whose left edge cuts through a hole in which another part lies, if there is one.

        Where several do, half of them begin to the left of it, so that few cuts open all holes.
        """
        if self.gaps == 1 or self.parts == 1:
            return None
        above = np.zeros_like(mask)
        above[1:] = mask[:-1]
        row, column = np.nonzero(mask & ~above)
        # A part's first pixel in reading order has what is around the part above it.
        _, first = np.unique(self.part[row, column], return_index=True)
        around = self.gap[row[first], column[first] + 1]
        islands = np.sort(column[first][around != self.gap[0, 0]])
        return int(islands[len(islands) // 2]) if len(islands) else None


def _connected(mask: Mask) -> tuple[int, NDArray[np.int32]]:
    """How many connected areas there are, and for each pixel which it is in, from 1 on."""
    pixels = np.ascontiguousarray(mask).view(np.uint8)
    count, labels = cv2.connectedComponents(pixels, connectivity=4)
    return count - 1, np.asarray(labels, np.int32)


def _ring(ring: shapely.LinearRing, tile: _Tile) -> Ring:
    moved = shapely.get_coordinates(ring)[:-1] + np.array((tile.left, tile.top))
    return tuple((x, y) for x, y in moved.tolist())
