"""Noise taken out of light, edges left alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def smoothed(
    light: Floats, key: NDArray[np.int32], normals: Floats, *, steps_px: tuple[int, ...]
) -> Floats:
    """Light averaged over neighbours on the same surface, with ever wider steps (à trous).

    Dammertz et al., Edge-Avoiding À-Trous Wavelet Transform, 2010, with a 3 x 3 kernel and edges
    where the surface or its direction changes.

    Args:
        light: Red, green and blue, shape (3, height, width).
        key: What each pixel shows; only equal keys mix, shape (height, width).
        normals: Unit normals, shape (3, height, width).
        steps_px: Distance of the neighbours in each round.
    """
    for step in steps_px:
        if step >= min(key.shape):
            break
        total = light * np.float32(4)
        weight = np.full(key.shape, 4, np.float32)
        for rows, columns, share in ((0, step, 2), (step, 0, 2), (step, step, 1), (step, -step, 1)):
            here, there = _windows(key.shape, rows, columns)
            alike = _alike(key, normals, here, there, np.float32(share))
            for plane, source in zip(total, light, strict=True):
                plane[here] += source[there] * alike
                plane[there] += source[here] * alike
            weight[here] += alike
            weight[there] += alike
        light = total / weight
    return light


def enlarged(
    light: Floats,
    small_key: NDArray[np.int32],
    small_normals: Floats,
    key: NDArray[np.int32],
    normals: Floats,
) -> Floats:
    """Light known at every other pixel, for all pixels: from those on the same surface.

    Args:
        light: At even rows and columns, shape (3, ceil(height / 2), ceil(width / 2)).
        small_key: What is seen there.
        small_normals: Unit normals there.
        key: What all pixels show, shape (height, width).
        normals: Unit normals of all pixels, shape (3, height, width).
    """
    full = np.empty((3, *key.shape), np.float32)
    full[:, ::2, ::2] = light
    for down, right in ((0, 1), (1, 0), (1, 1)):
        place = np.s_[down::2, right::2]
        wanted, direction = key[place], normals[:, down::2, right::2]
        total = np.zeros((3, *wanted.shape), np.float32)
        weight = np.zeros(wanted.shape, np.float32)
        for rows, columns in _sources(down, right, wanted.shape):
            source = np.s_[rows, columns]
            power = np.maximum(_cosines(_padded(small_normals, wanted.shape, source), direction), 0)
            power = power * power
            same = _padded(small_key, wanted.shape, source) == wanted
            alike = same * (power * power) + np.float32(1e-4)
            total += _padded(light, wanted.shape, source) * alike
            weight += alike
        full[:, down::2, right::2] = total / weight
    return full


def _sources(down: int, right: int, wanted: tuple[int, ...]) -> Iterator[tuple[slice, slice]]:
    """Windows of the known pixels around every pixel of one parity."""
    for lower in range(down + 1):
        for farther in range(right + 1):
            yield slice(lower, lower + wanted[0]), slice(farther, farther + wanted[1])


def _padded(
    values: NDArray[Any], wanted: tuple[int, ...], source: tuple[slice, slice]
) -> NDArray[Any]:
    """A window that may reach past the last row and column, which are repeated there."""
    window = values[..., source[0], source[1]]
    short = (wanted[0] - window.shape[-2], wanted[1] - window.shape[-1])
    if short == (0, 0):
        return window
    return np.pad(
        window, [(0, 0)] * (values.ndim - 2) + [(0, short[0]), (0, short[1])], mode="edge"
    )


def _windows(
    shape: tuple[int, ...], rows: int, columns: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Windows that pair every pixel with its neighbour."""
    height, width = shape
    left, right = slice(0, width - abs(columns)), slice(abs(columns), width)
    if columns < 0:
        left, right = right, left
    return (slice(0, height - rows), left), (slice(rows, height), right)


def _alike(
    key: NDArray[np.int32],
    normals: Floats,
    here: tuple[slice, slice],
    there: tuple[slice, slice],
    share: np.float32,
) -> Floats:
    power = np.maximum(_cosines(normals[:, *here], normals[:, *there]), 0)
    for _ in range(4):
        power *= power
    power *= key[here] == key[there]
    power *= share
    return np.asarray(power, np.float32)


def _cosines(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], np.float32)
