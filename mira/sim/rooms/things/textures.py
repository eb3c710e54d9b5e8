"""Procedural pictures for surfaces, drawn from a seed; tiles repeat without a seam."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Rgb, Texture

_SIZE = 512
FloatImage = NDArray[np.float32]


def plaster(rng: Generator, rgb: Rgb) -> Texture:
    """A painted wall: one colour with faint roller marks."""
    relief = 0.006 * _noise(rng, 64) + 0.008 * _noise(rng, 6) + 0.006 * _noise(rng, 256)
    return _finish(_flat(rgb) * (1 + relief)[..., None])


def wallpaper(rng: Generator, rgb: Rgb, accent: Rgb) -> Texture:
    """Vertical stripes in two near colours."""
    x = np.arange(_SIZE) / _SIZE
    stripe = (np.sin(2 * np.pi * 4 * x) > 0.1).astype(np.float32)
    mix = cv2.GaussianBlur(np.tile(stripe, (_SIZE, 1)), (0, 0), 1.2)[..., None]
    picture = _flat(rgb) * (1 - mix) + _flat(accent) * mix
    return _finish(picture * (1 + 0.008 * _noise(rng, 128))[..., None])


def tiles(
    rng: Generator,
    rgb: Rgb,
    grout: Rgb,
    *,
    columns: int = 4,
    rows: int = 4,
    variation: float = 0.03,
) -> Texture:
    """Ceramic tiles with grout lines and a soft bevel."""
    shade = 1 + variation * rng.standard_normal((rows, columns)).astype(np.float32)
    body = cv2.resize(shade, (_SIZE, _SIZE), interpolation=cv2.INTER_NEAREST)
    edge = _distance_to_grid(columns, rows)
    bevel = 0.94 + 0.06 * np.clip((edge - 2.5) / 6, 0, 1)
    glaze = 1 + 0.015 * _noise(rng, 10)
    joint = np.clip(3.0 - edge, 0, 1)[..., None]
    picture = _flat(rgb) * (body * bevel * glaze)[..., None]
    return _finish(picture * (1 - joint) + _flat(grout) * joint)


def wood(rng: Generator, rgb: Rgb, *, planks: int = 1) -> Texture:
    """Wood with its grain along x, cut into planks along y."""
    height = _SIZE // planks
    boards = [_board(rng, height) * (1 + 0.07 * rng.standard_normal()) for _ in range(planks)]
    value = np.vstack(boards)
    value = cv2.resize(value, (_SIZE, _SIZE)) if len(value) != _SIZE else value
    if planks > 1:
        edge = np.minimum(np.arange(_SIZE) % height, height - 1 - np.arange(_SIZE) % height)
        value = value * np.where(edge < 2, 0.62, 1.0).astype(np.float32)[:, None]
    warm = np.stack((value, value**1.15, value**1.35), axis=-1)
    return _finish(_flat(rgb) * warm)


def marble(rng: Generator, rgb: Rgb, vein: Rgb) -> Texture:
    """Polished stone with thin veins."""
    warp = 1.4 * _noise(rng, 4) + 0.5 * _noise(rng, 12)
    y, x = np.mgrid[0:_SIZE, 0:_SIZE] / _SIZE
    lines = np.abs(np.sin(np.pi * (2 * x + 2 * y) + 2.2 * warp))
    strength = (0.22 * np.exp(-lines * 9) + 0.10 * np.clip(_noise(rng, 5), 0, 2))[..., None]
    return _finish(_flat(rgb) * (1 - strength) + _flat(vein) * strength)


def fabric(rng: Generator, rgb: Rgb) -> Texture:
    """Woven cloth."""
    y, x = np.mgrid[0:_SIZE, 0:_SIZE] * (2 * np.pi * 64 / _SIZE)
    weave = 0.05 * np.sin(x) * np.sin(y)
    return _finish(
        _flat(rgb) * (1 + weave + 0.04 * _noise(rng, 128) + 0.03 * _noise(rng, 8))[..., None]
    )


def rug(rng: Generator, rgb: Rgb, accent: Rgb) -> Texture:
    """A carpet with borders and a diamond pattern, to be stretched over its part."""
    picture = (_flat(rgb) * 255).astype(np.uint8).copy()
    tone = tuple(int(255 * value) for value in accent)
    light = tuple(int(127 + 128 * value) for value in accent)
    for inset, width in ((24, 10), (46, 4)):
        cv2.rectangle(picture, (inset, inset), (_SIZE - inset, _SIZE - inset), tone, width)
    for row in range(5):
        for column in range(5):
            centre = (110 + 73 * column, 110 + 73 * row)
            size = (26, 26) if (row + column) % 2 else (14, 14)
            diamond = cv2.boxPoints((centre, size, 45.0)).astype(np.int32)
            cv2.fillPoly(picture, [diamond], tone if (row + column) % 2 else light)
    noisy = picture / np.float32(255) * (1 + 0.07 * _noise(rng, 200))[..., None]
    return _finish(noisy)


def sky(*, night: bool) -> Texture:
    """What a window shows: a bright sky over trees, or a dark one with lit windows."""
    top, low = ((8, 13, 31), (26, 31, 56)) if night else ((140, 191, 250), (237, 245, 255))
    t = np.linspace(0, 1, _SIZE)[:, None]
    rows = (1 - t) * np.array(top) + t * np.array(low)
    canvas = np.repeat(rows.astype(np.uint8)[:, None], _SIZE, axis=1)
    crown = (10, 16, 18) if night else (92, 138, 84)
    for k in range(9):
        spot = (60 * k, 470 + 18 * (k % 3))
        cv2.circle(canvas, spot, 62 + 9 * (k % 2), crown, -1, cv2.LINE_AA)
    for k in range(5 if night else 0):
        corner = (70 + 80 * k, 330 + 22 * (k % 2))
        cv2.rectangle(canvas, corner, (corner[0] + 14, corner[1] + 20), (250, 205, 120), -1)
    return Texture(canvas)


def book_spines(rng: Generator, count: int) -> Texture:
    """A row of books seen from their spines, to be stretched over a box's front."""
    canvas = np.full((_SIZE // 2, _SIZE, 3), (44, 34, 28), np.uint8)
    edges = np.linspace(0, _SIZE, count + 1) + rng.uniform(-5, 5, count + 1)
    for left, right in pairwise(edges.tolist()):
        tone = tuple(int(v) for v in _SPINES[int(rng.integers(len(_SPINES)))])
        top = int(rng.uniform(0, 50))
        low, high = (int(left) + 1, top), (int(right) - 1, _SIZE // 2)
        cv2.rectangle(canvas, low, high, tone, -1)
        cv2.rectangle(canvas, (low[0], top + 30), (high[0], top + 44), (232, 214, 160), -1)
    return Texture(canvas)


_SPINES = (
    (158, 42, 43), (38, 84, 124), (58, 110, 75), (214, 158, 46), (96, 62, 120),
    (224, 122, 95), (61, 64, 91), (129, 178, 154), (200, 190, 170), (30, 110, 120),
)  # fmt: skip


def _board(rng: Generator, height: int) -> FloatImage:
    """Grain of one board, shape (height, _SIZE): slow along x, quick along y."""
    streaks = _stretched_noise(rng, 4, max(height // 3, 4), height)
    broad = _stretched_noise(rng, 3, max(height // 40, 3), height)
    rings = np.sin(9 * broad + 3 * streaks)
    return np.asarray(1 + 0.05 * streaks + 0.05 * broad + 0.05 * rings, np.float32)


def _stretched_noise(rng: Generator, cells_x: int, cells_y: int, height: int) -> FloatImage:
    grid = rng.standard_normal((cells_y, cells_x)).astype(np.float32)
    grid = np.hstack((grid, grid[:, :1]))
    return _enlarged(grid, _SIZE, height)


def _noise(rng: Generator, cells: int) -> FloatImage:
    """Seamless noise of unit variance at the grid points, shape (_SIZE, _SIZE)."""
    grid = rng.standard_normal((cells, cells)).astype(np.float32)
    margin = 2
    wrapped = np.pad(grid, margin, mode="wrap")
    scale = _SIZE / cells
    full = round(scale * (cells + 2 * margin))
    big = _enlarged(wrapped, full, full)
    start = round(scale * margin)
    return big[start : start + _SIZE, start : start + _SIZE]


def _enlarged(grid: FloatImage, width: int, height: int) -> FloatImage:
    return np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _distance_to_grid(columns: int, rows: int) -> FloatImage:
    """Pixels to the next grout line."""

    def axis(count: int) -> FloatImage:
        step = _SIZE / count
        phase = (np.arange(_SIZE, dtype=np.float32) + 0.5) % step
        return np.asarray(np.minimum(phase, step - phase), np.float32)

    return np.minimum(axis(rows)[:, None], axis(columns)[None, :])


def _flat(rgb: Rgb) -> FloatImage:
    return np.full((_SIZE, _SIZE, 3), rgb, np.float32)


def _finish(picture: NDArray[np.floating]) -> Texture:
    return Texture((np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))
