"""Masks as run lengths (COCO's column order), made from polygons without a full frame.

A pixel belongs to a mask when its centre is inside, up to the fifth of a pixel that COCO's own
rasteriser rounds vertices to; each ring is taken even-odd.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pycocotools import mask as coco

from mira.schema.annotation import Ring
from mira.schema.qa import Box
from mira.schema.record import Record


class Rle(Record):
    """A binary mask as COCO's compressed run lengths."""

    size: tuple[int, int]
    """Height and width in pixels."""
    counts: str
    """Compressed counts."""


def rle_from_polygons(
    parts: Sequence[Ring], holes: Sequence[Ring] = (), *, width_px: int, height_px: int
) -> Rle:
    """The mask of a region.

    Args:
        parts: Rings whose union is the region.
        holes: Rings cut out of it.
        width_px: Picture width.
        height_px: Picture height.

    Returns:
        Union of the parts less the union of the holes.
    """
    merged = _union(parts, width_px, height_px)
    if holes:
        kept = _decode(merged) & ~_decode(_union(holes, width_px, height_px))
        return rle_from_mask(kept)
    return _rle(merged)


def rle_from_mask(mask: NDArray[np.bool_]) -> Rle:
    """The run lengths of a binary picture, shape (height, width)."""
    return _rle(coco.encode(np.asfortranarray(mask, dtype=np.uint8)))


def decode_rle(rle: Rle) -> NDArray[np.bool_]:
    """The mask as a boolean picture, shape (height, width)."""
    return _decode(_foreign(rle))


def box_of_rle(rle: Rle) -> Box:
    """The box x1, y1, x2, y2 around a mask; x2 and y2 are just outside; zeros when it is empty."""
    x, y, width, height = (int(value) for value in coco.toBbox(_foreign(rle)))
    return x, y, x + width, y + height


def area_of_rle(rle: Rle) -> int:
    """Number of pixels in a mask."""
    return int(coco.area(_foreign(rle)))


def box_iou(first: Box, second: Box) -> float:
    """Intersection over union of two boxes, 0 for empty ones."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    overlap = width * height
    total = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return overlap / (total - overlap)


def _union(rings: Sequence[Ring], width_px: int, height_px: int) -> dict[str, Any]:
    flat = [[value for point in ring for value in point] for ring in rings]
    merged: dict[str, Any] = coco.merge(coco.frPyObjects(flat, height_px, width_px))
    return merged


def _decode(foreign: dict[str, Any]) -> NDArray[np.bool_]:
    with warnings.catch_warnings():
        # pycocotools 2.0 hands its buffer to numpy in a way that numpy 2 warns about.
        warnings.filterwarnings("ignore", "__array__ implementation", DeprecationWarning)
        decoded: NDArray[np.bool_] = coco.decode(foreign).view(np.bool_)
    return decoded


def _rle(foreign: dict[str, Any]) -> Rle:
    height, width = foreign["size"]
    return Rle(size=(int(height), int(width)), counts=foreign["counts"].decode("ascii"))


def _foreign(rle: Rle) -> dict[str, Any]:
    return {"size": list(rle.size), "counts": rle.counts.encode("ascii")}
