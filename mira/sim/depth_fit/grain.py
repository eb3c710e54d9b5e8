"""How alike blurred noise is at neighbouring pixels."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import cv2
import numpy as np
from numpy.typing import NDArray

Curve = NDArray[np.float64]

GRAINS_PX = np.geomspace(0.3, 14.0, 120)
"""Standard deviations of the blur that are tried."""
_STEPS = 64


@cache
def _kernel(grain_px: float) -> tuple[float, ...]:
    """The blur as the simulated camera applies it."""
    size = round(grain_px * 8 + 1) | 1
    return tuple(cv2.getGaussianKernel(size, grain_px).ravel().tolist())


@cache
def _correlations(grain_px: float, count: int) -> tuple[float, ...]:
    kernel = np.array(_kernel(grain_px))
    padded = np.concatenate([kernel, np.zeros(count)])
    power = float(kernel @ kernel)
    return tuple(float(kernel @ padded[lag : lag + len(kernel)]) / power for lag in range(count))


def correlation(grain_px: float, count: int) -> Curve:
    """Correlation of blurred white noise at lags 0 to `count` - 1 along a row or column."""
    return np.array(_correlations(float(grain_px), count))


def both_above(share: float, correlations: Curve) -> Curve:
    """Probability that of two numbers, correlated normal ones, both are in the top share.

    The integral over the correlation of the density at the limit (Plackett's identity).
    """
    limit = NormalDist().inv_cdf(1 - share)
    fraction = (np.arange(_STEPS) + 0.5) / _STEPS
    # The substitution sin t = correlation takes the pole at 1 away.
    angle = np.arcsin(correlations.clip(-1, 1))[:, None] * fraction
    density = np.exp(-(limit**2) / (1 + np.sin(angle))) / (2 * math.pi)
    return np.asarray(share**2 + density.mean(axis=1) * np.arcsin(correlations.clip(-1, 1)))
