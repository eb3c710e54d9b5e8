"""Noise over time, by frames of one still view."""

from __future__ import annotations

import numpy as np

from mira.sim.depth_fit.frames import DepthFrame
from mira.sim.depth_fit.records import Found

_SAME_LEVELS = 3.0
"""Mean difference of two pictures of one view, of 255 levels."""
_OUTLIER = 4.0


class StillFinder:
    """Compares each frame with the one before it."""

    def __init__(self, baseline_m: float) -> None:
        """Start with nothing; the baseline is the camera's."""
        self._baseline_m = baseline_m
        self._last: DepthFrame | None = None
        self._squares = 0.0
        self._pixels = 0

    def add(self, frame: DepthFrame) -> None:
        """Take a frame."""
        last, self._last = self._last, frame
        if last is None or not _same_view(last, frame):
            return
        first, second = (one.grid.disparity_px(self._baseline_m) for one in (last, frame))
        both = (first > 0) & (second > 0)
        change = (second - first)[both]
        if not change.size:
            return
        spread = 1.4826 * float(np.median(np.abs(change - np.median(change))))
        kept = change[np.abs(change) <= _OUTLIER * max(spread, change.std() / 4)]
        self._squares += float(np.sum(kept**2))
        self._pixels += len(kept)

    def result(self, step_px: float | None) -> Found:
        """The noise of one frame, less that of rounding to steps."""
        if not self._pixels:
            return Found(value=None, pixels=0, reason="no two frames show one still view")
        variance = self._squares / self._pixels / 2 - (step_px or 0.0) ** 2 / 12
        return Found(value=max(variance, 0.0) ** 0.5, pixels=self._pixels)


def _same_view(first: DepthFrame, second: DepthFrame) -> bool:
    if first.scene != second.scene or first.grid.steps.shape != second.grid.steps.shape:
        return False
    if first.thumbnail is None or second.thumbnail is None:
        return False
    change = np.abs(first.thumbnail.astype(int) - second.thumbnail.astype(int))
    return float(change.mean()) <= _SAME_LEVELS
