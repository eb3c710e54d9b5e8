"""Pictures to JPEG bytes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def encode_jpeg(image_rgb: NDArray[np.uint8], *, quality: int = 90) -> bytes:
    """A picture as JPEG; equal pixels give equal bytes wherever the same OpenCV is installed.

    Args:
        image_rgb: Colours, shape (height, width, 3).
        quality: From 1 to 100.
    """
    image_bgr = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2BGR)
    _, data = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return data.tobytes()
