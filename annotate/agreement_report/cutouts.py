"""Parts of pictures around shapes, cut from the full resolution."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotate.agreement_report.policy import ReportPolicy
from mira.report.page import jpeg_uri

Bounds = tuple[float, float, float, float]
"""Least x and y, greatest x and y, pixels from the picture's top-left corner."""


class Cutout(NamedTuple):
    """Where a part of a picture is, and how large it is shown."""

    left: int
    """First column, pixels of the picture."""
    top: int
    """First row."""
    width: int
    """Columns, at least 1."""
    height: int
    """Rows, at least 1."""
    scale: float
    """Pixels on the page, at its nominal size, for one of the picture."""

    @property
    def shown_px(self) -> tuple[int, int]:
        """Nominal width and height on the page."""
        return max(1, round(self.width * self.scale)), max(1, round(self.height * self.scale))


def cut_around(bounds: Bounds, *, size_px: tuple[int, int], policy: ReportPolicy) -> Cutout:
    """The part of a picture around a box, with context, in the page's proportions where it fits.

    Args:
        bounds: The box, which may leave the picture.
        size_px: Width and height of the picture.
        policy: How much context, and how large it is shown.
    """
    aspect = policy.picture_width_px / policy.picture_height_px
    width, height = (
        max(policy.min_cut_px, (high - low) * (1 + 2 * policy.context))
        for low, high in ((bounds[0], bounds[2]), (bounds[1], bounds[3]))
    )
    width, height = max(width, height * aspect), max(height, width / aspect)
    left, columns = _placed((bounds[0] + bounds[2]) / 2, width, size_px[0])
    top, rows = _placed((bounds[1] + bounds[3]) / 2, height, size_px[1])
    scale = min(policy.picture_width_px / columns, policy.picture_height_px / rows)
    return Cutout(left, top, columns, rows, scale)


def cut_uri(image_rgb: NDArray[np.uint8], cutout: Cutout, *, quality: int) -> str:
    """A part of a picture as a data URI, made smaller where it is larger than it is shown.

    Args:
        image_rgb: The whole picture, shape (height, width, 3).
        cutout: Which part.
        quality: JPEG quality, 1 to 100.
    """
    rows = slice(cutout.top, cutout.top + cutout.height)
    part = image_rgb[rows, cutout.left : cutout.left + cutout.width]
    if cutout.scale < 1:
        part = np.asarray(cv2.resize(part, cutout.shown_px, interpolation=cv2.INTER_AREA), np.uint8)
    return jpeg_uri(np.ascontiguousarray(part), quality=quality)


def _placed(centre: float, length: float, limit: int) -> tuple[int, int]:
    """First pixel and number of pixels, moved into the picture rather than cut."""
    count = min(limit, max(1, round(length)))
    return int(np.clip(round(centre - count / 2), 0, limit - count)), count
