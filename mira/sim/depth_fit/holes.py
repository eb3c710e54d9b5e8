"""Pixels without a reading, by what explains them."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

_SLACK_PX = 1.0
_BLOB_SHARE = 0.02
"""A hole of more of the picture than this is no blob: it lies out of range, or is black."""
_RIM_SHARE = 0.005
"""The same for one at the picture's rim, where both imagers may not see."""
_LARGE_PX = 1000
_EDGE_PX = 1.5
"""Least step of disparity that is an edge."""
_EDGE_REACH_PX = 8


class Holes(NamedTuple):
    """Masks of one depth map."""

    lost: Mask
    """Pixels without a reading that are not hidden."""
    hidden: Mask
    """Pixels that a nearer thing to their right hides from the second imager."""
    vast: Mask
    """Of the lost, those in holes too large to be blobs."""
    large: Mask
    """Of the lost, those in holes of the size in which something out of range shows."""
    near_edge: Mask
    """Pixels near a step of disparity, where readings are lost for other reasons."""


def find_holes(disparity_px: NDArray[np.float64]) -> Holes:
    """Sort the pixels without a reading (disparity 0)."""
    empty = disparity_px == 0
    hidden = empty & _in_shadow(disparity_px)
    lost = empty & ~hidden
    _, labels, stats, _ = cv2.connectedComponentsWithStats(lost.astype(np.uint8))
    area = stats[:, cv2.CC_STAT_AREA].copy()
    area[0] = 0
    height, width = lost.shape
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    right, bottom = left + stats[:, cv2.CC_STAT_WIDTH], top + stats[:, cv2.CC_STAT_HEIGHT]
    at_rim = (left == 0) | (top == 0) | (right == width) | (bottom == height)
    limit = np.where(at_rim, _RIM_SHARE, _BLOB_SHARE) * lost.size
    vast, large = (area > limit)[labels], (area > _LARGE_PX)[labels]
    return Holes(lost, hidden, vast, large, _near_edge(disparity_px))


def _in_shadow(disparity_px: NDArray[np.float64]) -> Mask:
    """Pixels nearer to the next reading on their right than it is nearer by disparity.

    At the left rim that reading is compared with none: no pixel whose match would lie outside
    the second image can be read.
    """
    before, after, ahead = _neighbours(disparity_px)
    rise = after - before
    return np.asarray((rise >= 1) & (ahead <= rise + _SLACK_PX))


def _neighbours(
    disparity_px: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Last reading up to each pixel of a row, next one from it on (0 for none), how far it is."""
    columns = np.arange(disparity_px.shape[1])
    seen = disparity_px > 0
    last = np.maximum.accumulate(np.where(seen, columns, 0), axis=1)
    following = np.where(seen, columns, len(columns) - 1)
    following = np.minimum.accumulate(following[:, ::-1], axis=1)[:, ::-1]
    before = np.take_along_axis(disparity_px, last, axis=1)
    after = np.take_along_axis(disparity_px, following, axis=1)
    return before, after, following - columns


def _near_edge(disparity_px: NDArray[np.float64]) -> Mask:
    """Pixels near a step of disparity along their row or column, across holes too."""
    edge = np.zeros(disparity_px.shape, np.uint8)
    for picture, mark in ((disparity_px, edge), (disparity_px.T, edge.T)):
        before, after, _ = _neighbours(picture)
        step = np.abs(after[:, 1:] - before[:, :-1]) >= _EDGE_PX
        mark[:, 1:] |= step & (after[:, 1:] > 0) & (before[:, :-1] > 0)
    side = 2 * _EDGE_REACH_PX + 1
    return np.asarray(cv2.dilate(edge, np.ones((side, side), np.uint8)) > 0)
