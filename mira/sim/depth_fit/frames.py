"""One depth map with what is known of it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int8]

ORDINARY, MIRROR, GLASS, BENT, UNKNOWN = 0, 1, 2, 3, -1
"""What a pixel shows: an ordinary surface, one of the kinds of reflective surface, or nobody
knows which."""


class DepthGrid(NamedTuple):
    """Readings on one grid."""

    steps: NDArray[np.uint16]
    """As stored, 0 for none."""
    unit_m: float
    """Metres a step."""
    focal_px: float
    """Focal length along x."""
    codes: Codes | None
    """What each pixel shows; absent where nobody annotated it."""

    @property
    def depth_m(self) -> NDArray[np.float64]:
        """Metres, 0 for no reading."""
        return self.steps.astype(np.float64) * self.unit_m

    def disparity_px(self, baseline_m: float) -> NDArray[np.float64]:
        """Disparity, 0 for no reading."""
        scale = self.focal_px * baseline_m / self.unit_m
        steps = self.steps.astype(np.float64)
        np.divide(scale, steps, out=steps, where=steps > 0)
        return steps


class DepthFrame(NamedTuple):
    """The depth of one view."""

    name: str
    scene: str
    """What views of one place share."""
    grid: DepthGrid
    """The sensor's own grid where it was kept, else the picture's."""
    annotated: DepthGrid | None
    """The picture's grid, where its surfaces are annotated."""
    thumbnail: NDArray[np.uint8] | None
    """The picture in small and grey."""


def thumbnail_of(color: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture in small and grey."""
    grey = cv2.cvtColor(color, cv2.COLOR_BGR2GRAY) if color.ndim == 3 else color
    return np.asarray(cv2.resize(grey, (160, 120), interpolation=cv2.INTER_AREA), np.uint8)
