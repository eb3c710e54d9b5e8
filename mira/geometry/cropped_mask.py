"""Masks as pictures of their boxes, so that work goes with the area and not with the picture."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.mask import decode_rle, rle_from_polygons
from mira.geometry.polygon import Region
from mira.geometry.region import clip_ring, rings_without_holes
from mira.schema.annotation import Ring


class CroppedMask(NamedTuple):
    """A mask as a picture of its box.

    Attributes:
        left: Column of the box's first pixel.
        top: Row of its first pixel.
        mask: Shape (height, width) of the box.
    """

    left: int
    top: int
    mask: NDArray[np.bool_]

    def of(self, picture: NDArray[Any]) -> NDArray[Any]:
        """The box's part of a picture of shape (height, width); a view."""
        height, width = self.mask.shape
        return picture[self.top : self.top + height, self.left : self.left + width]

    def covers(self, column: int, row: int) -> bool:
        """Whether a pixel of the picture is in the mask."""
        height, width = self.mask.shape
        x, y = column - self.left, row - self.top
        return 0 <= x < width and 0 <= y < height and bool(self.mask[y, x])

    def shared_px(self, other: CroppedMask) -> int:
        """Number of pixels that two masks of one picture share."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = (
            min(one + one_size, another + another_size)
            for one, one_size, another, another_size in (
                (self.left, self.mask.shape[1], other.left, other.mask.shape[1]),
                (self.top, self.mask.shape[0], other.top, other.mask.shape[0]),
            )
        )
        if right <= left or bottom <= top:
            return 0
        both = [
            one.mask[top - one.top : bottom - one.top, left - one.left : right - one.left]
            for one in (self, other)
        ]
        return int(np.count_nonzero(both[0] & both[1]))

    def widened(self, margin_px: int, shape: tuple[int, ...]) -> CroppedMask:
        """The same mask in a wider box, within a picture of a shape (height, width)."""
        height, width = self.mask.shape
        left, top = max(self.left - margin_px, 0), max(self.top - margin_px, 0)
        right = min(self.left + width + margin_px, shape[1])
        bottom = min(self.top + height + margin_px, shape[0])
        mask = np.zeros((bottom - top, right - left), dtype=bool)
        CroppedMask(self.left - left, self.top - top, self.mask).of(mask)[:] = self.mask
        return CroppedMask(left, top, mask)


def evenly_chosen(
    mask: NDArray[np.bool_], about: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of about so many of a mask's pixels, on a square grid.

    All of them where there are fewer than four times as many; where a grid misses most, as on a
    strip of a pixel's width, every so many of all.
    """
    step = max(math.isqrt(np.count_nonzero(mask) // about), 1)
    rows, columns = np.nonzero(mask[step // 2 :: step, step // 2 :: step])
    if 2 * len(rows) < about and step > 1:
        rows, columns = np.nonzero(mask)
        every = slice(None, None, max(len(rows) // about, 1))
        return rows[every], columns[every]
    return rows * step + step // 2, columns * step + step // 2


def crop_region(region: Region, *, size_px: tuple[int, int]) -> CroppedMask:
    """The pixels of a region within a picture; an empty box where it has none there.

    They are those of the whole picture's mask, but for one that an edge halves: which side has it
    is decided by the last bit of a coordinate, and coordinates are counted from the box.

    Args:
        region: Its rings, from the picture's top-left corner.
        size_px: Width and height of the picture.
    """
    parts, holes = (_within(rings, size_px) for rings in region)
    points = np.array([point for ring in parts for point in ring] or [(0.0, 0.0)])
    left, top = np.floor(points.min(axis=0)).astype(np.int64).tolist()
    right, bottom = np.ceil(points.max(axis=0)).astype(np.int64).tolist()
    if right == left or bottom == top:
        return CroppedMask(left, top, np.zeros((0, 0), dtype=bool))
    rle = rle_from_polygons(
        _moved(parts, left, top),
        _moved(holes, left, top),
        width_px=right - left,
        height_px=bottom - top,
    )
    return CroppedMask(left, top, decode_rle(rle))


def _within(rings: tuple[Ring, ...], size_px: tuple[int, int]) -> tuple[Ring, ...]:
    """Rings cut to a picture: masks of rings take work that goes with their lengths."""
    kept: list[Ring] = []
    for ring in rings:
        points = np.array(ring)
        if (points >= 0).all() and (points <= size_px).all():
            kept.append(ring)
        else:
            kept += rings_without_holes(clip_ring(ring, size_px))
    return tuple(kept)


def _moved(rings: tuple[Ring, ...], left: int, top: int) -> tuple[Ring, ...]:
    """Rings as their box sees them, on the grid that masks are drawn on.

    COCO's masks round corners to fifths of a pixel first. A corner halfway between two of them
    may round otherwise once it is moved, so it is rounded before.
    """
    return tuple(
        tuple((_fifths(x) / 5 - left, _fifths(y) / 5 - top) for x, y in ring) for ring in rings
    )


def _fifths(coordinate_px: float) -> int:
    return int(5 * coordinate_px + 0.5)
