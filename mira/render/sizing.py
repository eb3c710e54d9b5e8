"""Pictures made smaller to be looked at."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def at_most(image_rgb: NDArray[np.uint8], side_px: int) -> NDArray[np.uint8]:
    """A picture whose longer side is no longer than so many pixels; smaller ones as they are.

    Args:
        image_rgb: Colours, shape (height, width, 3).
        side_px: Of the longer side.
    """
    height, width = image_rgb.shape[:2]
    scale = side_px / max(height, width)
    if scale >= 1:
        return image_rgb
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(image_rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
