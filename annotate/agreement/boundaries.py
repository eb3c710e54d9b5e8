"""IoU of shapes' rims, which tells of small errors that areas of large shapes hide.

Cheng et al., Boundary IoU: Improving Object-Centric Image Segmentation Evaluation, CVPR 2021: of
each mask the pixels within a distance of its outline are compared.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.geometry.polygon import Region
from mira.geometry.spans import Spans, mask_of, spans_of


def boundary_iou(
    first: Region, second: Region, *, size_px: tuple[int, int], fraction: float
) -> float:
    """IoU of two shapes' rims, in pixels; 0 where neither has any.

    Args:
        first: The one shape.
        second: The other.
        size_px: Width and height of the picture.
        fraction: Width of the rim as a share of the picture's diagonal; one pixel at least.
    """
    spans = spans_of([first, second], size_px=size_px)
    if not all(spans.areas_px()):
        return 0.0
    left, right = int(spans.left.min()), int(spans.right.max())
    upper, lower = int(spans.upper.min()), int(spans.lower.max())
    width_px = max(1, round(fraction * math.hypot(*size_px)))
    rims = [_rim(_placed(spans, k, (left, upper, right, lower)), width_px) for k in range(2)]
    union = int((rims[0] | rims[1]).sum())
    return int((rims[0] & rims[1]).sum()) / union if union else 0.0


def _placed(spans: Spans, k: int, box: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """A mask in the box of both."""
    left, upper, right, lower = box
    mask = np.zeros((lower - upper, right - left), bool)
    rows = slice(int(spans.upper[k]) - upper, int(spans.lower[k]) - upper)
    mask[rows, int(spans.left[k]) - left : int(spans.right[k]) - left] = mask_of(spans, k)
    return mask


def _rim(mask: NDArray[np.bool_], width_px: int) -> NDArray[np.bool_]:
    """Pixels of a mask near its outline; the picture's edge is an outline like any other."""
    padded = np.pad(mask, 1).astype(np.uint8)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
    return mask & (depth <= width_px)
