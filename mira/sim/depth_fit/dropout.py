"""Shares of readings that are lost, and the size of the blobs in which they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.sim.depth_fit.frames import BENT, GLASS, MIRROR, ORDINARY, DepthGrid
from mira.sim.depth_fit.grain import GRAINS_PX, both_above, correlation
from mira.sim.depth_fit.holes import Holes
from mira.sim.depth_fit.records import Found

FILLED = "every pixel has a reading: the depth has been filled"
_LAGS = 16
_MOST = 0.99
"""A policy loses no more."""
_ENOUGH_PX = 5000
_ENOUGH_LOST_PX = 200
_NAMES = {ORDINARY: "ordinary surfaces", MIRROR: "mirrors", GLASS: "glass", BENT: "convex mirrors"}


class DropoutFinder:
    """Counts pixels by what they show."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._shown = dict.fromkeys(_NAMES, 0)
        self._lost = dict.fromkeys(_NAMES, 0)
        self._first = np.zeros(_LAGS)
        self._both = np.zeros(_LAGS)
        self._at_edges = [0, 0]
        self._any_empty = False

    def add(self, grid: DepthGrid, holes: Holes) -> None:
        """Take a depth map with its holes."""
        self._any_empty |= bool((grid.steps == 0).any())
        codes = np.zeros(grid.steps.shape, np.int8) if grid.codes is None else grid.codes
        for code in _NAMES:
            shown = (codes == code) & ~holes.hidden
            if code == ORDINARY:
                edges = shown & holes.near_edge & ~holes.vast
                self._at_edges[0] += int(edges.sum())
                self._at_edges[1] += int((holes.lost & edges).sum())
                shown &= ~(holes.vast | holes.near_edge)
                self._pair(shown, holes.lost & shown)
            self._shown[code] += int(shown.sum())
            self._lost[code] += int((holes.lost & shown).sum())

    @property
    def is_filled(self) -> bool:
        """Whether every pixel of every map has a reading."""
        return not self._any_empty

    def share(self, code: int) -> Found:
        """Share of readings lost on one kind of surface."""
        shown = self._shown[code]
        if self.is_filled:
            return Found(value=None, pixels=shown, reason=FILLED)
        if shown < _ENOUGH_PX:
            name = _NAMES[code]
            return Found(value=None, pixels=shown, reason=f"too few pixels are known to be {name}")
        return Found(value=min(self._lost[code] / shown, _MOST), pixels=shown)

    def edge_share(self) -> float | None:
        """Share of readings lost near edges, those that a nearer thing hides left out."""
        shown, lost = self._at_edges
        return round(lost / shown, 4) if shown >= _ENOUGH_PX else None

    def grain(self) -> Found:
        """Grain of the blobs on ordinary surfaces."""
        lost, shown = self._lost[ORDINARY], self._shown[ORDINARY]
        share = lost / max(shown, 1)
        if lost < _ENOUGH_LOST_PX or share >= 0.5:
            return Found(value=None, pixels=lost, reason="too few lost pixels on ordinary surfaces")
        seen = self._both[1:] / self._first[1:]
        errors = [np.sum((_joint(share, grain) - seen) ** 2) for grain in GRAINS_PX]
        return Found(value=float(GRAINS_PX[int(np.argmin(errors))]), pixels=lost)

    def _pair(self, shown: NDArray[np.bool_], lost: NDArray[np.bool_]) -> None:
        """Count lost pixels whose neighbour at each lag is shown, and those where it is lost."""
        for lag in range(1, _LAGS):
            for axis in (0, 1):
                near = np.take(lost, range(lost.shape[axis] - lag), axis)
                far_shown = np.take(shown, range(lag, shown.shape[axis]), axis)
                far_lost = np.take(lost, range(lag, lost.shape[axis]), axis)
                self._first[lag] += np.count_nonzero(near & far_shown)
                self._both[lag] += np.count_nonzero(near & far_lost)


def _joint(share: float, grain: float) -> NDArray[np.float64]:
    """Probability that a neighbour of a lost pixel is lost, by lag from 1 on."""
    return np.asarray(both_above(share, correlation(float(grain), _LAGS)[1:]) / share)
