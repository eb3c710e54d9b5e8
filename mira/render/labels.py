"""Tags with labels: where they go and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mira.render.glyphs import text_coverage
from mira.render.style import Color, RenderStyle, contrasting_color
from mira.schema.qa import Box

_TAG_OVERLAP_COST = 8
_MIN_LETTER_PX = 7


class TagLayout:
    """Places for the tags of one picture: beside what they name and apart where there is room.

    Args:
        width_px: Picture width.
        height_px: Picture height.
        keep_clear: Boxes that tags had better not cover.
    """

    def __init__(self, width_px: int, height_px: int, keep_clear: Sequence[Box]) -> None:
        self._width_px = width_px
        self._height_px = height_px
        self._keep_clear = keep_clear
        self._taken: list[Box] = []

    def place(self, anchor: Box, size_px: tuple[int, int]) -> Box:
        """The best free place for a tag, taken from now on.

        Args:
            anchor: Box that the tag names.
            size_px: Width and height of the tag.

        Returns:
            A box of that size, inside the picture unless the tag is larger than it.
        """
        places = [self._inside(corner, size_px) for corner in _corners(anchor, size_px)]
        best = min(places, key=self._cost)
        self._taken.append(best)
        return best

    def _inside(self, corner: tuple[int, int], size_px: tuple[int, int]) -> Box:
        width, height = size_px
        x = max(0, min(corner[0], self._width_px - width))
        y = max(0, min(corner[1], self._height_px - height))
        return x, y, x + width, y + height

    def _cost(self, tag: Box) -> int:
        return _TAG_OVERLAP_COST * _covered(tag, self._taken) + _covered(tag, self._keep_clear)


def tag_size(text: str, letter_px: int) -> tuple[int, int]:
    """Width and height of the tag around a text."""
    height, width = text_coverage(text, letter_px).shape
    margin = _margin(letter_px)
    return max(width, height) + 2 * margin, height + 2 * margin


def draw_tag(
    image_rgb: NDArray[np.uint8],
    tag: Box,
    text: str,
    *,
    color: Color,
    letter_px: int,
    style: RenderStyle,
) -> None:
    """Fill a tag and write its text in the middle, in place.

    Args:
        image_rgb: Changed where the tag lies, shape (height, width, 3).
        tag: Place, at least as large as `tag_size` says.
        text: The label.
        color: Colour of the tag.
        letter_px: Height of a capital.
        style: Colour of the letters.
    """
    coverage = text_coverage(text, letter_px)
    patch = np.empty((tag[3] - tag[1], tag[2] - tag[0], 3), dtype=np.uint8)
    patch[:] = color
    top = (patch.shape[0] - coverage.shape[0]) // 2
    left = (patch.shape[1] - coverage.shape[1]) // 2
    ink = np.array(style.label_color or contrasting_color(color), dtype=np.int64)
    share = coverage[..., None].astype(np.int64)
    mixed = (np.array(color) * (255 - share) + ink * share + 127) // 255
    patch[top : top + coverage.shape[0], left : left + coverage.shape[1]] = mixed
    target = image_rgb[tag[1] : tag[3], tag[0] : tag[2]]
    target[:] = patch[: target.shape[0], : target.shape[1]]


def letter_height(style: RenderStyle, width_px: int, height_px: int) -> int:
    """Height of a label's capitals on a picture."""
    return max(_MIN_LETTER_PX, round(style.label_px * style.scale(width_px, height_px)))


def _margin(letter_px: int) -> int:
    return max(2, round(0.3 * letter_px))


def _corners(anchor: Box, size_px: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Top-left corners of the places around an anchor, the best first."""
    x1, y1, x2, y2 = anchor
    width, height = size_px
    return (
        (x1, y1 - height),
        (x2 - width, y1 - height),
        (x1, y2),
        (x2 - width, y2),
        (x2, y1),
        (x1 - width, y1),
        (x2, y2 - height),
        (x1 - width, y2 - height),
        (x1, y1),
        (x2 - width, y2 - height),
    )


def _covered(tag: Box, boxes: Iterable[Box]) -> int:
    total = 0
    for box in boxes:
        width = min(tag[2], box[2]) - max(tag[0], box[0])
        height = min(tag[3], box[3]) - max(tag[1], box[1])
        total += max(width, 0) * max(height, 0)
    return total
