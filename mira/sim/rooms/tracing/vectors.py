"""Arithmetic on many short vectors, in single precision, the same on any number of threads."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]


def dot(a: Floats, b: Floats) -> Floats:
    """Products of vectors of three, shape (n,)."""
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2], np.float32)


def along(a: Floats, vector: ArrayLike) -> Floats:
    """Products with one vector, shape (n,)."""
    x, y, z = np.asarray(vector, np.float32)
    return np.asarray(a[:, 0] * x + a[:, 1] * y + a[:, 2] * z, np.float32)


def unit(a: Floats) -> Floats:
    """Vectors brought to length 1, shape (n, 3)."""
    length = np.sqrt(dot(a, a))
    return np.asarray(a / np.maximum(length, np.float32(1e-12))[:, None], np.float32)


def mapped(a: Floats, matrix: ArrayLike, shift: ArrayLike | None = None) -> Floats:
    """`matrix · a + shift` for each row, shape (n, rows of the matrix)."""
    whole = np.asarray(matrix, np.float32)
    if shift is not None:
        whole = np.column_stack((whole, np.asarray(shift, np.float32)))
    if not len(a):
        return np.zeros((0, len(whole)), np.float32)
    return np.asarray(cv2.transform(np.ascontiguousarray(a)[:, None], whole)[:, 0], np.float32)
