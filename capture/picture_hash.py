"""A fingerprint by which pictures of the same content are told: a perceptual hash.

The signs of a small picture's lowest spatial frequencies; see Zauner, Implementation and
Benchmarking of Perceptual Image Hash Functions, 2010 (DCT based hash).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

HASH_BITS = 64
_SMALL_PX = 32
_LOW = 8


def hash_picture(image_rgb: NDArray[np.uint8], region: NDArray[np.bool_] | None = None) -> int:
    """The fingerprint of a picture or of a region in it, of `HASH_BITS` bits.

    Args:
        image_rgb: The picture, shape (height, width, 3).
        region: Where to look, such as a mirror's mask, shape (height, width): its bounding box is
            looked at with the rest of the box in the region's mean grey. None for all.

    Raises:
        ValueError: The region is empty.
    """
    grey = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2GRAY).astype(np.float32)
    if region is not None:
        rows, columns = np.flatnonzero(region.any(axis=1)), np.flatnonzero(region.any(axis=0))
        if not len(rows):
            raise ValueError("region: expected pixels, found none")
        box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        inside = region[box]
        grey = np.where(inside, grey[box], grey[box][inside].mean()).astype(np.float32)
    small = cv2.resize(grey, (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA)
    low = cv2.dct(small)[:_LOW, :_LOW].ravel()
    # The mean brightness says nothing of the content; it takes no part in the median.
    bits = low > np.median(low[1:])
    bits[0] = False
    return int("".join("1" if bit else "0" for bit in bits), 2)


def hash_distance(first: int, second: int) -> int:
    """How many bits of two fingerprints differ; about 32 for unrelated pictures."""
    return (first ^ second).bit_count()
