"""IoU of shapes' rims, which tells of small errors that areas of large shapes hide.

Cheng et al., Boundary IoU: Improving Object-Centric Image Segmentation Evaluation, CVPR 2021: of
each mask the pixels within a distance of its outline are compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from annotate.agreement.matching import Match
from mira.geometry.outlines import join_outlines
from mira.geometry.spans import Spans, mask_of, spans_of
from mira.store.drawn_shapes import DrawnShapes


def boundary_ious(
    first: DrawnShapes, second: DrawnShapes, matches: Sequence[Match], *, fraction: float
) -> tuple[float, ...]:
    """IoU of partners' rims, in pixels; 0 where one of the two covers no pixel.

    Args:
        first: The one annotation.
        second: The other.
        matches: Which shapes are partners.
        fraction: Width of the rim as a share of the picture's diagonal; one pixel at least.
    """
    spans = spans_of(join_outlines((first.outlines, second.outlines)), size_px=first.size_px)
    width_px = max(1, round(fraction * math.hypot(*first.size_px)))
    n = first.outlines.n_areas
    return tuple(_boundary_iou(spans, m.first, m.second + n, width_px) for m in matches)


def _boundary_iou(spans: Spans, a: int, b: int, width_px: int) -> float:
    if not (spans.start[a + 1] > spans.start[a] and spans.start[b + 1] > spans.start[b]):
        return 0.0
    box = _box(spans, (a, b))
    one, other = (_rim(_placed(spans, k, box), width_px) for k in (a, b))
    union = int(np.count_nonzero(one | other))
    return int(np.count_nonzero(one & other)) / union if union else 0.0


def _box(spans: Spans, places: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, upper, right and lower of the box of both."""
    chosen = list(places)
    return (
        int(spans.left[chosen].min()),
        int(spans.upper[chosen].min()),
        int(spans.right[chosen].max()),
        int(spans.lower[chosen].max()),
    )


def _placed(spans: Spans, k: int, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """A mask in a box, with a pixel of nothing around: the picture's edge is an outline too."""
    left, upper, right, lower = box
    mask = np.zeros((lower - upper + 2, right - left + 2), np.uint8)
    rows = slice(int(spans.upper[k]) - upper + 1, int(spans.lower[k]) - upper + 1)
    mask[rows, int(spans.left[k]) - left + 1 : int(spans.right[k]) - left + 1] = mask_of(spans, k)
    return mask


def _rim(mask: NDArray[np.uint8], width_px: int) -> NDArray[np.bool_]:
    """Pixels of a mask with one outside it at most so many columns and rows away.

    The authors' program counts distance so, and figures are to be compared with theirs.
    """
    square = np.ones((2 * width_px + 1, 2 * width_px + 1), np.uint8)
    return np.asarray((mask > 0) & (cv2.erode(mask, square) == 0))
