"""Reflective regions laid over a picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.geometry.mask import Rle, decode_rle
from mira.render.style import Color


def union_mask(masks: Sequence[Rle], *, width_px: int, height_px: int) -> NDArray[np.bool_]:
    """Pixels in any of the masks, shape (height, width)."""
    union = np.zeros((height_px, width_px), dtype=np.bool_)
    for rle in masks:
        union |= decode_rle(rle)
    return union


def overlay_mask(
    image_rgb: NDArray[np.uint8], mask: NDArray[np.bool_], *, color: Color, alpha: float
) -> NDArray[np.uint8]:
    """A picture with a translucent colour over the pixels of a mask.

    Args:
        image_rgb: Colours, shape (height, width, 3).
        mask: Pixels to tint, shape (height, width).
        color: The tint.
        alpha: Its opacity, 0 to 1.

    Returns:
        A new picture; pixels outside the mask are as they were.
    """
    levels = np.arange(256, dtype=np.float64)[:, None]
    blended = np.rint(levels * (1 - alpha) + np.array(color, dtype=np.float64) * alpha)
    tinted = cv2.LUT(image_rgb, blended.astype(np.uint8)[None])
    overlaid = np.array(image_rgb, order="C")
    cv2.copyTo(tinted, mask.view(np.uint8), overlaid)
    return overlaid
