"""Disparity noise and its grain, by what planes leave in flat windows.

A plane's disparity is linear in the pixel, so what a linear fit leaves is the camera's error, less
what the fit took of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mira.sim.depth_fit.frames import ORDINARY, DepthGrid
from mira.sim.depth_fit.grain import GRAINS_PX, correlation
from mira.sim.depth_fit.records import Found

_SIDE_PX = 41
_STRIDE_PX = 20
_LAGS = 13
_SEEN_SHARE = 0.85
"""Share of a window's pixels that must have a reading."""
_ENOUGH = 24
_FLATTEST = 0.1
"""The quantile of windows by what is left that is flat for sure."""
_ALIKE = 2.5
"""A window with this many times the usual variance is not flat."""
_FEW = "fewer than 24 flat windows with few holes"


class NoiseFinder:
    """Collects windows."""

    def __init__(self, baseline_m: float) -> None:
        """Start with nothing; the baseline is the camera's."""
        self._baseline_m = baseline_m
        self._basis = _linear_basis()
        self._likeness: list[NDArray[np.float64]] = []
        self._rounding: list[NDArray[np.float64]] = []
        self._slope: list[NDArray[np.float64]] = []

    def add(self, grid: DepthGrid) -> None:
        """Take a depth map; all of one camera."""
        disparity = grid.disparity_px(self._baseline_m)
        if min(disparity.shape) < _SIDE_PX:
            return
        usable = disparity > 0
        if grid.codes is not None:
            usable &= grid.codes == ORDINARY
        seen = _windows(usable)
        seen = seen[seen.mean(axis=(2, 3)) >= _SEEN_SHARE]
        if not len(seen):
            return
        windows = _windows(disparity)[_windows(usable).mean(axis=(2, 3)) >= _SEEN_SHARE]
        share, left = self._planes(windows, seen)
        scale = grid.focal_px * self._baseline_m
        self._likeness.append(_likeness(left, seen))
        middle = share[:, 0] / _SIDE_PX
        self._rounding.append(middle**2 * grid.unit_m / scale)
        self._slope.append(share[:, 1:] * self._basis[:, 1:].max(axis=0) * 2 / (_SIDE_PX - 1))

    def _planes(
        self, windows: NDArray[np.float64], seen: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Planes by the pixels that are seen, and what they leave, 0 where nothing is seen."""
        weight = seen.reshape(len(seen), -1).astype(np.float64)
        flat = windows.reshape(len(windows), -1) * weight
        squares = np.einsum("np,pi,pj->nij", weight, self._basis, self._basis, optimize=True)
        share = np.linalg.solve(squares, (flat @ self._basis)[..., None])[..., 0]
        left = flat - (share @ self._basis.T) * weight
        return share, left.reshape(windows.shape)

    def result(self, step_px: float | None) -> tuple[Found, Found]:
        """Noise and grain in pixels of the depth maps.

        Args:
            step_px: The smallest difference of disparity; None if it is not known.
        """
        if not self._likeness:
            return (Found(value=None, pixels=0, reason=_FEW),) * 2
        likeness, rounding = np.concatenate(self._likeness), np.concatenate(self._rounding)
        slope = np.concatenate(self._slope)
        limit = max(step_px or 0.0, 1.5 * float(np.quantile(rounding, 0.05)))
        exact = rounding <= limit
        kept = np.flatnonzero(exact)[_flat(likeness[exact, 0] - rounding[exact] ** 2 / 12)]
        if len(kept) < _ENOUGH:
            return (Found(value=None, pixels=0, reason=_FEW),) * 2
        pixels = len(kept) * _STRIDE_PX**2
        curve = likeness[kept].mean(axis=0)
        nugget = ((step_px or 0.0) ** 2 + float(np.mean(rounding[kept] ** 2))) / 12
        noise, grain = _fit(curve, nugget, _rounding_curve(slope[kept], step_px), step_px)
        if step_px is not None and noise < step_px / 4:
            reason = "less than a quarter of the disparity step, which hides it"
            return (Found(value=None, pixels=pixels, reason=reason),) * 2
        return Found(value=noise, pixels=pixels), Found(value=grain, pixels=pixels)


def _windows(picture: NDArray[Any]) -> NDArray[Any]:
    views = sliding_window_view(picture, (_SIDE_PX, _SIDE_PX))
    return views[::_STRIDE_PX, ::_STRIDE_PX]


def _linear_basis() -> NDArray[np.float64]:
    """Orthonormal constant and slopes over a window, shape (pixels, 3)."""
    along = np.arange(_SIDE_PX) - (_SIDE_PX - 1) / 2
    columns = [np.ones((_SIDE_PX, _SIDE_PX)), *np.meshgrid(along, along)]
    return np.stack([column.ravel() / np.linalg.norm(column) for column in columns], axis=1)


def _likeness(left: NDArray[np.float64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean product of what is left at two pixels, by lag, along rows and columns alike."""
    curves = []
    for lag in range(_LAGS):
        total, count = np.zeros(len(left)), np.zeros(len(left))
        for first, second in (
            (np.s_[:, :, lag:], np.s_[:, :, : _SIDE_PX - lag]),
            (np.s_[:, lag:], np.s_[:, : _SIDE_PX - lag]),
        ):
            total += np.einsum("nij,nij->n", left[first], left[second])
            count += (seen[first] & seen[second]).sum(axis=(1, 2))
        curves.append(total / count)
    return np.stack(curves, axis=1)


def _flat(variance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The windows whose variance is that of noise alone: the lowest, and those like them."""
    if not len(variance):
        return np.zeros(0, bool)
    usual = float(np.quantile(variance, _FLATTEST))
    kept = variance <= _ALIKE * usual
    for _ in range(20):
        usual = float(np.median(variance[kept]))
        wider = variance <= _ALIKE * usual
        if np.array_equal(wider, kept):
            break
        kept = wider
    return kept


def _rounding_curve(slope: NDArray[np.float64], step_px: float | None) -> NDArray[np.float64]:
    """How far sloping planes keep the error of rounding to steps from being alike, by lag."""
    if step_px is None:
        return np.zeros(_LAGS)
    turns = slope[:, :, None] * np.arange(_LAGS) / step_px
    return np.asarray(np.cos(2 * np.pi * turns).mean(axis=(0, 1)))


def _fit(
    curve: NDArray[np.float64],
    nugget: float,
    level: NDArray[np.float64],
    step_px: float | None,
) -> tuple[float, float]:
    """Noise and grain whose curve is nearest."""
    best = (np.inf, 0.0, 0.0)
    for grain in GRAINS_PX:
        alike = correlation(grain, _LAGS)
        model = (alike - _taken(grain))[1:]
        variance = max(curve[0] - nugget, 0.0)
        for _ in range(4):
            wanted = curve[1:] - _dither(variance, alike[1:], level[1:], step_px)
            own = np.append(model, 1 - _taken(grain))
            seen = np.append(wanted, max(curve[0] - nugget, 0.0))
            variance = max(float(own @ seen / (own @ own)), 0.0)
        error = float(np.sum((own * variance - seen) ** 2))
        if error < best[0]:
            best = (error, variance, float(grain))
    return float(np.sqrt(best[1])), best[2]


def _dither(
    variance: float, alike: NDArray[np.float64], level: NDArray[np.float64], step_px: float | None
) -> NDArray[np.float64]:
    """Likeness of the errors of rounding, which noise of less than a step does not undo."""
    if step_px is None:
        return np.zeros_like(alike)
    first = step_px**2 / (2 * np.pi**2)
    return np.asarray(first * level * np.exp(-4 * np.pi**2 * variance * (1 - alike) / step_px**2))


def _taken(grain: float) -> float:
    """The share of the noise's variance that a linear fit takes."""
    along = np.arange(_SIDE_PX)
    lags = np.abs(along[:, None] - along)
    alike = correlation(float(grain), _SIDE_PX)[lags]
    flat = np.full(_SIDE_PX, 1 / np.sqrt(_SIDE_PX))
    sloped = along - along.mean()
    sloped /= np.linalg.norm(sloped)
    of_flat, of_slope = float(flat @ alike @ flat), float(sloped @ alike @ sloped)
    return of_flat * (of_flat + 2 * of_slope) / _SIDE_PX**2
