"""Where a picture of the treasure game shows what."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.floor import Square, Stance
from mira.sim.treasure.pictures.canvas import Canvas, Eye, FloatArray, Part, Rgb
from mira.sim.treasure.pictures.views import draw_things, eye_of
from mira.sim.treasure.rules import Player

_PARTS: tuple[Part, ...] = get_args(Part)


class Shown(NamedTuple):
    """Where a picture shows something.

    Attributes:
        box_xyxy_px: Left, top, right and bottom edge; the origin is the picture's top-left corner.
        centroid_px: Middle of what is seen; the origin is the centre of the first pixel.
        area_px: How many pixels it fills.
    """

    box_xyxy_px: tuple[float, float, float, float]
    centroid_px: tuple[float, float]
    area_px: float


class PartMap:
    """Which part each point of a player's picture shows, at twice the picture's size."""

    def __init__(
        self,
        viewer: Player,
        own: Stance,
        partner: Stance,
        boxes: tuple[Square, Square],
        shown: Emotion,
    ) -> None:
        """Draw numbers of parts in place of their colours.

        Args:
            viewer: Who sees it.
            own: Where the viewer is.
            partner: Where the other is.
            boxes: Where the dark and the light brown box are.
            shown: What the other shows.
        """
        stencil = _Stencil(eye_of(own, partner, boxes))
        draw_things(stencil, viewer, own, partner, boxes, shown)
        self._numbers = stencil.numbers

    def where(self, parts: Collection[Part]) -> Shown | None:
        """Where some parts are seen, taken as one; None where nothing of them is."""
        rows, columns = np.nonzero(np.isin(self._numbers, [_PARTS.index(part) for part in parts]))
        if not len(rows):
            return None
        left, top, right, bottom = (
            float(edge) / 2
            for edge in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        )
        x, y = (round(float(along.mean()) / 2 - 0.25, 3) for along in (columns, rows))
        return Shown((left, top, right, bottom), (x, y), len(rows) / 4)


class _Stencil(Canvas):
    """Takes the same polygons as a picture and keeps whose each is."""

    def __init__(self, eye: Eye) -> None:
        super().__init__(eye, ground=(0, 0, 0))
        self._number = 0

    @property
    def numbers(self) -> NDArray[np.uint8]:
        """Number of the part at each point, shape (2 * height, 2 * width)."""
        return self._pixels[..., 0]

    def begin(self, part: Part) -> None:
        self._number = _PARTS.index(part)

    def polygon(self, corners_m: FloatArray, colour: Rgb, *, opacity: float = 1.0) -> None:
        del colour
        # What is seen through, such as a shadow, is no thing of its own.
        if opacity >= 1:
            super().polygon(corners_m, (self._number,) * 3)

    def faces(self, corners_m: FloatArray, colours: FloatArray) -> None:
        super().faces(corners_m, np.full_like(colours, self._number))
