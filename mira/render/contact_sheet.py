"""Many small pictures with captions in one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

_GAP_PX = 6
_CAPTION_PX = 22
_INK = (60, 60, 60)


class Captioned(NamedTuple):
    """A picture with what stands below it.

    Attributes:
        picture: Colours, shape (height, width, 3); None leaves its place empty.
        caption: A few words.
    """

    picture: NDArray[np.uint8] | None
    caption: str


def draw_contact_sheet(
    shown: Iterable[Captioned], *, tile_px: tuple[int, int], columns: int
) -> NDArray[np.uint8]:
    """Pictures made small, row by row from the top left, on white.

    Args:
        shown: What to show, at least one; colours in any order, which the sheet has as well.
        tile_px: Width and height that each picture gets.
        columns: Most pictures in a row.

    Returns:
        Colours, shape (height, width, 3).
    """
    tiles = [_tile(one, tile_px) for one in shown]
    columns = min(columns, len(tiles))
    blank = np.full_like(tiles[0], 255)
    tiles += [blank] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[start : start + columns]) for start in range(0, len(tiles), columns)]
    return np.vstack(rows)


def _tile(one: Captioned, tile_px: tuple[int, int]) -> NDArray[np.uint8]:
    """A small picture over its caption, with a white margin."""
    width, height = tile_px
    tile = np.full((height + _CAPTION_PX + _GAP_PX, width + _GAP_PX, 3), 255, np.uint8)
    if one.picture is not None:
        tile[:height, :width] = cv2.resize(one.picture, tile_px, interpolation=cv2.INTER_AREA)
    font, spot = cv2.FONT_HERSHEY_SIMPLEX, (4, height + 15)
    cv2.putText(tile, one.caption, spot, font, 0.42, _INK, 1, cv2.LINE_AA)
    return tile
