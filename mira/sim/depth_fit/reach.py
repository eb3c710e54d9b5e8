"""The nearest and farthest distances that are read, where a scene goes beyond them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.sim.depth_fit.frames import ORDINARY, DepthGrid
from mira.sim.depth_fit.holes import Holes
from mira.sim.depth_fit.records import Found

_BINS_M = np.geomspace(0.02, 70.0, 3200)
"""Edges, a quarter of a percent apart."""
_TAIL = 0.0005
"""Share of readings beyond either end that are taken for slips."""
_BAND = 0.15
"""Readings as near to an end count as being at it."""
_SHARP = 0.04
_AT_END = 0.9
"""Share of the readings at holes, of those in the band, that are alike to `_SHARP`: a range ends
at one distance, things that are hard to see lie at any."""
_ENOUGH_PX = 100


class ReachFinder:
    """Collects depths, and those at the rim of holes."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._all = np.zeros(len(_BINS_M) - 1, np.int64)
        self._at_holes = np.zeros(len(_BINS_M) - 1, np.int64)

    def add(self, grid: DepthGrid, holes: Holes) -> None:
        """Take a depth map with its holes."""
        depth_m = grid.depth_m
        rim = cv2.dilate(holes.large.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if grid.codes is not None:
            rim &= grid.codes == ORDINARY
        self._all += np.histogram(depth_m[depth_m > 0], _BINS_M)[0]
        self._at_holes += np.histogram(depth_m[(depth_m > 0) & rim], _BINS_M)[0]

    def nearest(self) -> Found:
        """The shortest distance that is read."""
        return self._end(self._quantile(self._all, _TAIL), "nearer")

    def farthest(self) -> Found:
        """The longest distance that is read."""
        return self._end(self._quantile(self._all, 1 - _TAIL), "farther")

    def _end(self, end_m: float, word: str) -> Found:
        middle = np.sqrt(_BINS_M[1:] * _BINS_M[:-1])
        close = np.where(np.abs(np.log(middle / end_m)) <= _BAND / 2, self._at_holes, 0)
        value = self._quantile(close, 0.5)
        apart = np.abs(np.log(middle / value))
        band = int(self._at_holes[apart <= _BAND].sum())
        sharp = int(self._at_holes[apart <= _SHARP].sum())
        if sharp < _ENOUGH_PX or sharp < _AT_END * band:
            reason = f"nothing is seen to lie {word} than what is read"
            return Found(value=None, pixels=sharp, reason=reason)
        return Found(value=value, pixels=sharp)

    @staticmethod
    def _quantile(counts: NDArray[np.int64], share: float) -> float:
        total = np.cumsum(counts)
        if not total[-1]:
            return float(_BINS_M[0])
        place = int(np.searchsorted(total, share * total[-1]))
        place = min(place, len(counts) - 1)
        return float(np.sqrt(_BINS_M[place] * _BINS_M[place + 1]))
