"""Small pictures for the page, with outlines of their surfaces."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.report.page import jpeg_uri

_LONGER_PX = 240
_QUALITY = 70
_LEAST_AREA_PX = 6.0
_MOST_RINGS = 12


class Thumbnail(NamedTuple):
    """A picture in small.

    Attributes:
        uri: JPEG as a data URI.
        width_px: Its width.
        height_px: Its height.
        outline: Path of the surfaces' outlines in its pixels, as SVG has it; empty for none.
    """

    uri: str
    width_px: int
    height_px: int
    outline: str


def make_thumbnail(image_rgb: NDArray[np.uint8], masks: tuple[NDArray[np.bool_], ...]) -> Thumbnail:
    """A picture in small, and where its surfaces are in it.

    Args:
        image_rgb: Shape (height, width, 3).
        masks: One a surface, each of shape (height, width).
    """
    height, width = image_rgb.shape[:2]
    scale = _LONGER_PX / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = np.asarray(cv2.resize(image_rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    outline = "".join(_path_of(mask, size) for mask in masks)
    return Thumbnail(jpeg_uri(small, quality=_QUALITY), *size, outline)


def _path_of(mask: NDArray[np.bool_], size: tuple[int, int]) -> str:
    shrunk = cv2.resize(mask.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA)
    rings, _ = cv2.findContours(
        (shrunk > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE
    )
    large = [ring for ring in rings if cv2.contourArea(ring) >= _LEAST_AREA_PX]
    large.sort(key=cv2.contourArea, reverse=True)
    paths = []
    for ring in large[:_MOST_RINGS]:
        points = cv2.approxPolyDP(ring, 0.8, True)[:, 0].tolist()
        paths.append("M" + "L".join(f"{x + 0.5:g} {y + 0.5:g}" for x, y in points) + "Z")
    return "".join(paths)
