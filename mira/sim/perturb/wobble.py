"""Outlines as a hand redraws them: shifted smoothly, simple rings staying simple."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import shapely
from numpy.random import Generator
from numpy.typing import NDArray

Points = NDArray[np.float64]
Size = tuple[float, float]

DECIMALS = 3
_SCALES = (1.0, 0.5, 0.25, 0.125, 0.0625)
_SMALLEST_SHARE = 0.3
"""A redrawn ring that has less of its area was not drawn so by anybody."""
_CUT_OFF = 3.5
"""Waves this many times shorter than the wobble have no part in it."""


class Redrawn(NamedTuple):
    """A ring after a shift."""

    points: Points
    shift_px: NDArray[np.float64]
    """How far each vertex was moved."""


def redraw_ring(
    ring: Points, *, sigma_px: float, wobble_px: float, size_px: Size, rng: Generator
) -> Redrawn:
    """A ring with every vertex shifted, vertices near each other alike.

    The shift is halved until a simple ring stays simple and keeps its area. Vertices on the
    picture's edge stay on it, and none leaves the picture.

    Args:
        ring: Open, shape (n, 2).
        sigma_px: Standard deviation of the shift along x and along y.
        wobble_px: Length along the ring over which shifts are alike.
        size_px: Picture width and height.
        rng: Drawn from equally whatever `sigma_px` is.
    """
    shift = sigma_px * _wobble(ring, wobble_px, rng)
    shift[(ring <= 0) | (ring >= np.array(size_px) - 1)] = 0
    for scale in _SCALES:
        moved = np.clip(ring + scale * shift, 0, np.maximum(size_px, ring)).round(DECIMALS)
        if _is_sound(moved, ring):
            return Redrawn(moved, np.hypot(*(moved - ring).T))
    return Redrawn(ring, np.zeros(len(ring)))


def shift_points(points: Points, *, sigma_px: float, size_px: Size, rng: Generator) -> Redrawn:
    """Points shifted all by the same, no farther than to the picture's edge."""
    shift = sigma_px * rng.standard_normal(2)
    room = np.array([-points.min(axis=0), size_px - points.max(axis=0)])
    shift = np.clip(shift, np.minimum(room[0], 0), np.maximum(room[1], 0))
    moved = (points + shift).round(DECIMALS)
    return Redrawn(moved, np.hypot(*(moved - points).T))


def redraw_box(corners: Points, *, sigma_px: float, size_px: Size, rng: Generator) -> Redrawn:
    """An upright rectangle (two opposite corners, or four) whose sides are shifted."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    shift = sigma_px * rng.standard_normal((2, 2))
    moved_low = np.clip(low + shift[0], 0, np.maximum(size_px, high))
    moved_high = np.clip(high + shift[1], 0, np.maximum(size_px, high))
    if np.any(moved_high - moved_low < 0.5 * (high - low)):
        moved_low, moved_high = low, high
    moved = np.where(corners == low, moved_low, moved_high).round(DECIMALS)
    return Redrawn(moved, np.hypot(*(moved - corners).T))


def _wobble(ring: Points, wobble_px: float, rng: Generator) -> Points:
    """A smooth random function around the ring of unit variance, for x and y.

    A sum of waves along the arc, weighted so that the correlation falls off as a Gaussian.
    """
    sides = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    around = float(sides.sum())
    if around <= 0:
        return np.zeros_like(ring)
    place = np.concatenate([[0.0], np.cumsum(sides)[:-1]]) * (2 * math.pi / around)
    wave = np.arange(1 + math.ceil(_CUT_OFF * around / (2 * math.pi * wobble_px)))
    power = np.where(wave == 0, 1.0, 2.0)
    power *= np.exp(-0.5 * (2 * math.pi * wobble_px / around * wave) ** 2)
    height = np.sqrt(power / power.sum())[:, None]
    cosine, sine = rng.standard_normal((2, len(wave), 2)) * height
    angle = np.outer(place, wave)
    return np.asarray(np.cos(angle) @ cosine + np.sin(angle) @ sine)


def _is_sound(moved: Points, ring: Points) -> bool:
    before, after = shapely.Polygon(ring), shapely.Polygon(moved)
    if not before.is_valid or before.area == 0:
        return True
    return bool(after.is_valid) and after.area >= _SMALLEST_SHARE * before.area
