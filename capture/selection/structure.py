"""A stand-in for objects that nobody counted: cells of a grid that hold corners.

Textured walls have corners too and plain objects few, so what it says is likely, never certain.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.selection.policy import ObjectPolicy
from capture.selection.records import StructureCounts

_TENSOR_PX = 3
_APART_PX = 5
"""The highest corner of so many pixels counts; outlines of regions are kept off by as much."""


def count_structure(
    grey: NDArray[np.uint8], region: NDArray[np.bool_], *, policy: ObjectPolicy
) -> StructureCounts:
    """Cells with a corner inside a region and outside it (Shi and Tomasi's corners).

    Args:
        grey: The picture, shape (height, width).
        region: Its reflective part, same shape.
        policy: Size of the grid, and what makes a corner.
    """
    height, width = grey.shape
    scale = policy.grid_side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    response = cv2.cornerMinEigenVal(small, _TENSOR_PX, ksize=3)
    around = np.ones((_APART_PX, _APART_PX), np.uint8)
    corners = (response > policy.least_corner) & (response >= cv2.dilate(response, around))
    inside = cv2.resize(region.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    return StructureCounts(
        direct_cells=_cells(corners & (cv2.dilate(inside, around) == 0), policy.cell_px),
        reflected_cells=_cells(corners & (cv2.erode(inside, around) != 0), policy.cell_px),
    )


def _cells(corners: NDArray[np.bool_], cell_px: int) -> int:
    rows, columns = np.nonzero(corners)
    return len(set(zip((rows // cell_px).tolist(), (columns // cell_px).tolist(), strict=True)))
