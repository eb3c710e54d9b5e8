"""The binary picture of marked instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.errors import MiraError
from mira.geometry.mask import Rle, area_of_rle, box_of_rle, decode_rle
from mira.render.boxes import draw_labels
from mira.render.style import RenderStyle
from mira.schema.qa import Box, Mark


def render_masks(
    instance_masks: Mapping[int, Rle],
    marks: Sequence[Mark],
    *,
    width_px: int,
    height_px: int,
    style: RenderStyle,
    where: str = "mask picture",
) -> NDArray[np.uint8]:
    """White regions of the marked instances on black.

    Regions that touch are kept apart by a gap, the smaller one whole; by style each carries its
    label when there are several.

    Args:
        instance_masks: Mask of each instance.
        marks: Whose regions to show.
        width_px: Picture width.
        height_px: Picture height.
        style: Colours, gap, labels.
        where: Named in the error, usually the picture.

    Returns:
        Colours, shape (height, width, 3).

    Raises:
        MiraError: A marked instance has no mask.
    """
    missing = [mark.instance_id for mark in marks if mark.instance_id not in instance_masks]
    if missing:
        raise MiraError(where, f"expected a mask of instance {missing[0]}, found none")
    shown = {mark.instance_id: instance_masks[mark.instance_id] for mark in marks}
    gap_px = round(style.mask_gap_px * style.scale(width_px, height_px))
    white = _separated(tuple(shown.values()), gap_px, (height_px, width_px))
    picture = np.empty((height_px, width_px, 3), dtype=np.uint8)
    picture[:] = style.mask_background
    picture[white] = style.mask_fill
    if style.label_shown(style.mask_labels, len(marks)):
        draw_labels(picture, marks, [mark.box_xyxy_px for mark in marks], style=style)
    return picture


def _separated(masks: Sequence[Rle], gap_px: int, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The union of masks, each cut back by a gap where a smaller one lies on or beside it."""
    union = np.zeros(shape, dtype=np.bool_)
    kernel = np.ones((2 * gap_px + 1, 2 * gap_px + 1), dtype=np.uint8)
    for rle in sorted(masks, key=area_of_rle, reverse=True):
        around = _window(box_of_rle(rle), gap_px)
        region = decode_rle(rle)[around]
        kept = union[around] & (cv2.dilate(region.astype(np.uint8, order="C"), kernel) == 0)
        union[around] = kept | region
    return union


def _window(box: Box, margin_px: int) -> tuple[slice, slice]:
    x1, y1, x2, y2 = box
    rows = slice(max(y1 - margin_px, 0), y2 + margin_px)
    return rows, slice(max(x1 - margin_px, 0), x2 + margin_px)
