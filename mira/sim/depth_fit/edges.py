"""Readings that fly between the near and the far side of an edge, as evidence only."""

from __future__ import annotations

import numpy as np

from mira.sim.depth_fit.frames import DepthGrid

_REACH_PX = 4
_STEP_PX = 3.0
"""Least difference of disparity of the sides of an edge."""
_ENOUGH = 500


class EdgeFinder:
    """Counts readings in the middle of steps of depth, along rows."""

    def __init__(self, baseline_m: float) -> None:
        """Start with nothing; the baseline is the camera's."""
        self._baseline_m = baseline_m
        self._edges = 0
        self._flying = 0

    def add(self, grid: DepthGrid) -> None:
        """Take a depth map; all of one camera."""
        disparity = grid.disparity_px(self._baseline_m)
        left, middle, right = (
            disparity[:, k : disparity.shape[1] - 2 * _REACH_PX + k]
            for k in (0, _REACH_PX, 2 * _REACH_PX)
        )
        edge = (left > 0) & (right > 0) & (middle > 0) & (np.abs(right - left) >= _STEP_PX)
        low, high = np.minimum(left, right), np.maximum(left, right)
        gap = (high - low) / 4
        self._edges += int(edge.sum())
        self._flying += int((edge & (middle > low + gap) & (middle < high - gap)).sum())

    def share(self) -> float | None:
        """Share of readings in the middle of a step that lie between its sides."""
        return round(self._flying / self._edges, 4) if self._edges >= _ENOUGH else None
