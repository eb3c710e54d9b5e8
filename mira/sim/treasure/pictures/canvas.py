"""Polygons in space onto a picture: a pinhole camera and a painter who begins with what is far.

Metres, x and y as the cells of the floor, z up. Pictures are drawn at twice their size and made
smaller, which smooths all edges alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Rgb = tuple[float, float, float]
"""Red, green and blue, 0 to 255."""

WIDTH_PX, HEIGHT_PX = 720, 480
"""Size of a picture."""
Part = Literal["room", "dark_box", "light_box", "body", "head", "face"]
"""What is drawn: `face` is eyes, brows, mouth and sweat, `head` all else above the neck."""
_SCALE = 2
_NEAR_M = 0.05
_LIMITS = np.array(
    [(0, 0, 1, -_NEAR_M), *((x, y, 4, 0) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)))]
)
"""Planes that polygons are cut off at: the near one, and four far outside the picture, for there
are numbers that OpenCV cannot count to."""
_SHIFT = 4
"""Binary digits of a pixel's fraction that OpenCV draws by."""


class Eye(NamedTuple):
    """A pinhole camera.

    Attributes:
        at_m: Where it is.
        yaw_deg: Where it looks, from +x against the clock.
        pitch_deg: How far it looks up.
        focal_px: Focal length in pixels of the picture.
    """

    at_m: tuple[float, float, float]
    yaw_deg: float
    pitch_deg: float
    focal_px: float

    @property
    def axes(self) -> FloatArray:
        """Right, up and forward in the world, the rows of shape (3, 3)."""
        yaw, pitch = math.radians(self.yaw_deg), math.radians(self.pitch_deg)
        forward = np.array(
            [math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)]
        )
        right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
        return np.stack([right, np.cross(right, forward), forward])


class Canvas:
    """A picture on its way, seen by an eye.

    Attributes:
        eye: Who sees it.
    """

    def __init__(
        self, eye: Eye, *, width_px: int = WIDTH_PX, height_px: int = HEIGHT_PX, ground: Rgb
    ) -> None:
        self.eye = eye
        self._size = width_px, height_px
        self._pixels = _ground(height_px * _SCALE, width_px * _SCALE, ground).copy()
        self._axes, self._at = eye.axes, np.array(eye.at_m)

    def finished(self) -> NDArray[np.uint8]:
        """The picture, RGB of shape (height, width, 3)."""
        small = cv2.resize(self._pixels, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def begin(self, part: Part) -> None:
        """Be told what is drawn from here on, which makes no difference to a picture."""

    def distance_m(self, point_m: Sequence[float]) -> float:
        """How far a point is from the eye."""
        return float(np.linalg.norm(np.asarray(point_m) - self._at))

    def polygon(self, corners_m: FloatArray, colour: Rgb, *, opacity: float = 1.0) -> None:
        """Draw a flat polygon, cut off where it comes too near the eye.

        Args:
            corners_m: Corners in their order, shape (n, 3).
            colour: Its colour.
            opacity: 0 for nothing to be seen, 1 for nothing behind it.
        """
        seen = _in_view(self._seen(corners_m))
        if len(seen) < 3:
            return
        corners = self._fixed(seen)
        if opacity >= 1:
            self._fill(corners, colour)
            return
        low = np.maximum(corners.min(axis=0) >> _SHIFT, 0)
        high = np.minimum((corners.max(axis=0) >> _SHIFT) + 2, self._pixels.shape[1::-1])
        if (low >= high).any():
            return
        patch = self._pixels[low[1] : high[1], low[0] : high[0]]
        before = patch.copy()
        self._fill(corners, colour)
        patch[:] = np.rint(opacity * patch + (1 - opacity) * before.astype(np.float64))

    def faces(self, corners_m: FloatArray, colours: FloatArray) -> None:
        """Draw flat faces of one solid, those turned away left out, far ones first.

        Args:
            corners_m: Four corners of each, against the clock as seen from outside, shape
                (n, 4, 3).
            colours: Colour of each, shape (n, 3).
        """
        seen = self._seen(corners_m)
        normals = np.cross(seen[:, 2] - seen[:, 0], seen[:, 3] - seen[:, 1])
        centres = seen.mean(axis=1)
        # The camera's axes (right, up, forward) are left-handed: outward normals turn inward.
        shown = (np.einsum("ij,ij->i", normals, centres) > 0) & (seen[..., 2] > _NEAR_M).all(axis=1)
        order = np.argsort(-centres[shown, 2], kind="stable")
        corners = self._fixed(seen[shown][order])
        for face, colour in zip(corners, colours[shown][order].tolist(), strict=True):
            cv2.fillConvexPoly(self._pixels, face, colour, cv2.LINE_8, _SHIFT)

    def _seen(self, points_m: FloatArray) -> FloatArray:
        found: FloatArray = (points_m - self._at) @ self._axes.T
        return found

    def _fixed(self, seen: FloatArray) -> NDArray[np.int32]:
        """Pixels of points in front of the eye, in OpenCV's fixed-point numbers."""
        scale = _SCALE * self.eye.focal_px
        middle = np.array(self._size) * _SCALE / 2
        flat = seen[..., :2] / seen[..., 2:] * np.array([scale, -scale]) + middle
        fixed: NDArray[np.int32] = np.rint(flat * 2**_SHIFT).astype(np.int32)
        return fixed

    def _fill(self, corners: NDArray[np.int32], colour: Rgb) -> None:
        cv2.fillPoly(self._pixels, [corners], colour, cv2.LINE_8, _SHIFT)


@lru_cache(maxsize=4)
def _ground(height_px: int, width_px: int, colour: Rgb) -> NDArray[np.uint8]:
    return np.full((height_px, width_px, 3), colour, np.uint8)


def _in_view(seen: FloatArray) -> FloatArray:
    """A polygon without what is too near or far beside the picture (Sutherland and Hodgman)."""
    sides = seen @ _LIMITS[:, :3].T + _LIMITS[:, 3]
    if (sides >= 0).all():
        return seen
    for limit in _LIMITS:
        inside = seen @ limit[:3] + limit[3]
        kept: list[FloatArray] = []
        for k in range(len(seen)):
            one, other = inside[k - 1], inside[k]
            if (one >= 0) != (other >= 0):
                kept.append(seen[k - 1] + one / (one - other) * (seen[k] - seen[k - 1]))
            if other >= 0:
                kept.append(seen[k])
        seen = np.array(kept).reshape(-1, 3)
    return seen
