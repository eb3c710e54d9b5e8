"""Pictures of what streets and buildings are made of, drawn from a seed; they repeat seamlessly."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Rgb, Texture

_SIZE = 512
Floats = NDArray[np.float32]


def concrete(rng: Generator, rgb: Rgb) -> Texture:
    """Cast concrete: clouds, small pores and the faint joints of its shuttering; 2.4 m a tile."""
    value = 1 + 0.045 * _clouds(rng, 4) + 0.03 * _clouds(rng, 14) + 0.02 * _clouds(rng, 200)
    for edge in (0, _SIZE // 2):
        value[:, edge : edge + 2] *= 0.86
        value[edge : edge + 2] *= 0.86
    for x, y in rng.integers(0, _SIZE, (90, 2)).tolist():
        cv2.circle(value, (x, y), int(rng.integers(1, 3)), 0.72, -1, cv2.LINE_AA)
    return _picture(value, rgb)


def floor_paint(rng: Generator, rgb: Rgb) -> Texture:
    """A worn, painted floor with faint tyre marks along y."""
    value = 1 + 0.05 * _clouds(rng, 5) + 0.03 * _clouds(rng, 30) + 0.025 * _clouds(rng, 256)
    for x in rng.integers(20, _SIZE - 40, 3).tolist():
        value[:, x : x + 14] *= float(rng.uniform(0.88, 0.95))
    return _picture(cv2.GaussianBlur(value, (5, 1), 0), rgb)


def asphalt(rng: Generator, rgb: Rgb) -> Texture:
    """Road surface: fine grit and darker patches."""
    grit = rng.standard_normal((_SIZE, _SIZE)).astype(np.float32)
    value = 1 + 0.13 * grit + 0.06 * _clouds(rng, 6) + 0.05 * _clouds(rng, 40)
    return _picture(value, rgb)


def paving(rng: Generator, rgb: Rgb) -> Texture:
    """Rectangular slabs in a running bond, two by four; 1.6 m a tile."""
    rows, columns = 4, 2
    return _bond(rng, rgb, (0.72, 0.72, 0.72), rows=rows, columns=columns, joint=4, spread=0.06)


def brick(rng: Generator, rgb: Rgb) -> Texture:
    """A brick wall in a running bond with light joints; 0.9 m a tile."""
    return _bond(rng, rgb, (1.35, 1.4, 1.5), rows=12, columns=4, joint=6, spread=0.10)


def foliage(rng: Generator, rgb: Rgb) -> Texture:
    """Small leaves close together; 0.4 m a tile."""
    value = 1 + 0.28 * _clouds(rng, 48) + 0.22 * _clouds(rng, 90)
    return _picture(np.clip(value, 0.25, 1.9), rgb)


def _bond(
    rng: Generator, rgb: Rgb, mortar: Rgb, *, rows: int, columns: int, joint: int, spread: float
) -> Texture:
    """Courses, every other one shifted by half a stone; `mortar` multiplies the stone's colour."""
    tall, wide = _SIZE / rows, _SIZE / columns
    y, x = np.mgrid[0:_SIZE, 0:_SIZE].astype(np.float32) + 0.5
    row = (y / tall).astype(np.int32)
    along = (x + (row % 2) * np.float32(wide / 2)) % np.float32(_SIZE)
    column = (along / wide).astype(np.int32)
    down, right = y - row * np.float32(tall), along - column * np.float32(wide)
    shade = (1 + spread * rng.standard_normal((rows, columns))).astype(np.float32)
    edge = np.minimum(np.minimum(down, tall - down), np.minimum(right, wide - right))
    gap = np.clip(np.float32(joint / 2 + 0.5) - edge, 0, 1)[..., None]
    value = shade[row, np.minimum(column, columns - 1)] * (
        1 + 0.04 * _clouds(rng, 40) + 0.04 * _clouds(rng, 170)
    )
    tone = np.array(rgb, np.float32)
    joints = gap * tone * np.array(mortar, np.float32)
    return _clipped(value[..., None] * tone * (1 - gap) + joints)


def _clouds(rng: Generator, cells: int) -> Floats:
    """Seamless noise of about unit variance, shape (_SIZE, _SIZE)."""
    grid = rng.standard_normal((cells, cells)).astype(np.float32)
    wrapped = np.pad(grid, 2, mode="wrap")
    full = round(_SIZE / cells * (cells + 4))
    big = cv2.resize(wrapped, (full, full), interpolation=cv2.INTER_CUBIC)
    start = round(_SIZE / cells * 2)
    return np.array(big[start : start + _SIZE, start : start + _SIZE], np.float32)


def _picture(value: Floats, rgb: Rgb) -> Texture:
    return _clipped(value[..., None] * np.array(rgb))


def _clipped(picture: NDArray[np.floating]) -> Texture:
    return Texture((np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))
