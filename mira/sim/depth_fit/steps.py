"""The smallest difference of disparity, by the comb that depth readings stand on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.sim.depth_fit.frames import DepthGrid
from mira.sim.depth_fit.records import Found

_LONGEST_PX, _SHORTEST_PX = 1.0, 1 / 400
_SAMPLES = 10
"""Steps tried in a change by one tooth at the far end of the comb."""
_ENOUGH_TEETH = 40
_AT_ONCE = 400
"""Depths are picked evenly where there are more."""
_CLEAR = 0.6
"""Agreement of readings with a comb, 1 if perfect, 0 by chance."""
_FEWEST_PX = 3
"""A depth that fewer pixels have is taken for a mixture of two."""


class StepFinder:
    """Collects the depths that were ever reported."""

    def __init__(self, baseline_m: float) -> None:
        """Start with nothing; the baseline is the camera's."""
        self._baseline_m = baseline_m
        self._counts = np.zeros(2**16, np.int64)
        self._unit_m = 0.0
        self._focal_px = 0.0

    def add(self, grid: DepthGrid) -> None:
        """Take a depth map; all of one camera."""
        self._counts += np.bincount(grid.steps.ravel(), minlength=2**16)
        self._unit_m, self._focal_px = grid.unit_m, grid.focal_px

    def result(self) -> Found:
        """The step in pixels of the depth maps."""
        values = np.flatnonzero(self._counts >= _FEWEST_PX)
        values = values[values > 0].astype(np.float64)
        if len(values) < _ENOUGH_TEETH:
            return Found(value=None, pixels=0, reason="fewer than 40 different depths")
        scale = self._focal_px * self._baseline_m / self._unit_m
        comb = _Comb(
            disparity_px=np.asarray(scale / values, np.float64),
            rounding_px=np.asarray(scale / values**2, np.float64),
            weight=np.sqrt(self._counts[values.astype(np.int64)]),
        )
        step = comb.longest_step()
        if step is None:
            return Found(value=None, pixels=0, reason="depths stand on no comb of disparities")
        used = values[comb.rounding_px <= step / 2].astype(np.int64)
        return Found(value=step, pixels=int(self._counts[used].sum()))


class _Comb:
    """Depths as disparities, each as exact as the rounding of depth lets it be."""

    def __init__(
        self,
        *,
        disparity_px: NDArray[np.float64],
        rounding_px: NDArray[np.float64],
        weight: NDArray[np.float64],
    ) -> None:
        # Far ones first: the longer the step, the nearer ones can be used too.
        order = np.argsort(disparity_px)
        self.rounding_px = rounding_px
        self._disparity = disparity_px[order]
        self._rounding = rounding_px[order]
        self._weight = weight[order]

    def longest_step(self) -> float | None:
        """The longest step whose multiples the disparities are; None without one."""
        teeth = 1 / _LONGEST_PX
        best = (0.0, 0.0)
        while teeth <= 1 / _SHORTEST_PX:
            usable = int(np.searchsorted(self._rounding, 0.5 / teeth))
            if usable < _ENOUGH_TEETH:
                return 1 / best[1] if best[1] else None
            change = 1 / (_SAMPLES * self._disparity[usable - 1])
            tried = teeth + change * np.arange(64)
            agreed = self._agreement(tried, usable)
            top = int(np.argmax(agreed))
            if agreed[top] > max(best[0], _CLEAR):
                best = (float(agreed[top]), float(tried[top]))
            elif best[1] and teeth > 1.1 * best[1]:
                break
            teeth = float(tried[-1] + change)
        return 1 / best[1] if best[1] else None

    def _agreement(self, teeth: NDArray[np.float64], usable: int) -> NDArray[np.float64]:
        picked = np.linspace(0, usable - 1, min(usable, _AT_ONCE)).astype(np.int64)
        weight = self._weight[picked]
        phase = 2 * np.pi * np.outer(teeth, self._disparity[picked])
        hoped = np.sinc(teeth[len(teeth) // 2] * self._rounding[picked]) @ weight
        return np.asarray((np.cos(phase) @ weight) / hoped)
