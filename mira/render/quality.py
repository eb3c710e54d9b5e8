"""Numbers by which a picture is kept or taken again."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.schema.capture import ViewQuality

_DARK, _BRIGHT = 16, 239
"""Grey levels up to which a pixel is all but black, and from which all but white."""


def measure_quality(
    image_rgb: NDArray[np.uint8], depth: NDArray[np.uint16] | None = None
) -> ViewQuality:
    """Sharpness, exposure and share of depth readings.

    Args:
        image_rgb: The picture, shape (height, width, 3).
        depth: Depth of any grid, 0 = no reading; None for a picture without.
    """
    grey = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2GRAY)
    valid = None if depth is None else round(np.count_nonzero(depth) / depth.size, 6)
    return ViewQuality(
        sharpness=round(measure_sharpness(grey), 3),
        dark_fraction=round(float((grey < _DARK).mean()), 6),
        bright_fraction=round(float((grey > _BRIGHT).mean()), 6),
        valid_depth_fraction=valid,
    )


def measure_sharpness(grey: NDArray[Any]) -> float:
    """Variance of a grey picture's Laplacian; small when blurred."""
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())
