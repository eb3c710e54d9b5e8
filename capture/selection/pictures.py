"""The pictures of one committed view, decoded once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.errors import SceneSourceError
from mira.render.header import read_header
from mira.render.source import decode_color, decode_depth
from mira.store.atomic import os_faults
from mira.store.session import COLOR_NAME, DEPTH_ALIGNED_NAME, DEPTH_NAME, SURFACES_NAME

_MOST_PIXELS = 50_000_000
"""More than a camera for such data gives, and little enough to hold in memory."""


@dataclass(frozen=True, eq=False)
class ViewPictures:
    """What a view's files show.

    Attributes:
        color_rgb: The picture, shape (height, width, 3).
        depth: Readings of any grid, 0 for none; absent without depth.
        depth_fits: Whether that grid is the picture's.
        labels: 0, or k + 1 where the scene's surface k is seen, shape (height, width); absent
            where nobody said.
    """

    color_rgb: NDArray[np.uint8]
    depth: NDArray[np.uint16] | None
    depth_fits: bool
    labels: NDArray[np.uint8] | None

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return int(self.color_rgb.shape[1]), int(self.color_rgb.shape[0])


def read_pictures(folder: Path) -> ViewPictures:
    """The pictures in a view's folder.

    Raises:
        MiraError: A file is missing or damaged, or of another size than the picture.
    """
    color = decode_color(_bytes_of(folder / COLOR_NAME), where=folder / COLOR_NAME)
    aligned = folder / DEPTH_ALIGNED_NAME
    depth = _depth_at(aligned)
    depth_fits = depth is not None
    if depth is None:
        depth = _depth_at(folder / DEPTH_NAME)
    elif depth.shape != color.shape[:2]:
        raise _of_another_size(aligned, depth.shape, color)
    return ViewPictures(color, depth, depth_fits, _labels_at(folder / SURFACES_NAME, color))


def _depth_at(path: Path) -> NDArray[np.uint16] | None:
    return decode_depth(_bytes_of(path), where=path) if path.is_file() else None


def _labels_at(path: Path, color: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    if not path.is_file():
        return None
    data = np.frombuffer(_bytes_of(path), np.uint8)
    labels = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    if labels is None or labels.ndim != 2 or labels.dtype != np.uint8:
        found = "damage" if labels is None else f"shape {labels.shape} of {labels.dtype}"
        raise SceneSourceError(path, f"expected one channel of uint8, found {found}")
    if labels.shape != color.shape[:2]:
        raise _of_another_size(path, labels.shape, color)
    return labels.astype(np.uint8, copy=False)


def _bytes_of(path: Path) -> bytes:
    with os_faults(path):
        data = path.read_bytes()
    header = read_header(data, where=path)
    if header.width_px * header.height_px > _MOST_PIXELS:
        size = f"{header.width_px} x {header.height_px}"
        raise SceneSourceError(path, f"expected at most {_MOST_PIXELS:,} pixels, found {size}")
    return data


def _of_another_size(
    path: Path, shape: tuple[int, ...], color: NDArray[np.uint8]
) -> SceneSourceError:
    height, width = color.shape[:2]
    found = f"{shape[1]} x {shape[0]}"
    return SceneSourceError(path, f"expected {width} x {height} as {COLOR_NAME}, found {found}")
