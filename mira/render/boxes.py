"""Boxes drawn around marked instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mira.render.labels import TagLayout, draw_tag, letter_height, tag_size
from mira.render.style import Color, RenderStyle
from mira.schema.qa import Box, Mark


def draw_boxes(
    image_rgb: NDArray[np.uint8], marks: Sequence[Mark], *, style: RenderStyle
) -> NDArray[np.uint8]:
    """A picture with a box, and by style a label, for each mark.

    Lines lie just outside the boxes, so what is marked stays whole; at the picture's edge they
    lie just inside it.

    Args:
        image_rgb: Colours, shape (height, width, 3).
        marks: What to draw; slots and candidates differ in colour.
        style: Colours, thickness, rim, labels.

    Returns:
        A new picture; pixels away from lines and tags are as they were.
    """
    drawn = np.array(image_rgb, order="C")
    height_px, width_px = drawn.shape[:2]
    scale = style.scale(width_px, height_px)
    line = max(1, round(style.line_px * scale))
    rim = max(1, round(style.halo_px * scale)) if style.halo_px else 0
    colors = style.colors_of(tuple(marks))
    frames = [_grown(mark.box_xyxy_px, line + rim, width_px, height_px) for mark in marks]
    for frame, color in zip(frames, colors, strict=True):
        draw_frame(drawn, frame, thickness=rim, color=style.halo_color)
        draw_frame(drawn, _grown(frame, -rim, width_px, height_px), thickness=line, color=color)
    if style.label_shown(style.box_labels, len(marks)):
        draw_labels(drawn, marks, frames, style=style)
    return drawn


def draw_labels(
    image_rgb: NDArray[np.uint8],
    marks: Sequence[Mark],
    anchors: Sequence[Box],
    *,
    style: RenderStyle,
) -> None:
    """Write the label of each mark on a tag beside its anchor, in place.

    Args:
        image_rgb: Changed where the tags lie, shape (height, width, 3).
        marks: Whose labels.
        anchors: One box a mark.
        style: Colours and size of the letters.
    """
    height_px, width_px = image_rgb.shape[:2]
    letter_px = letter_height(style, width_px, height_px)
    layout = TagLayout(width_px, height_px, anchors)
    for mark, anchor, color in zip(marks, anchors, style.colors_of(tuple(marks)), strict=True):
        tag = layout.place(anchor, tag_size(mark.label, letter_px))
        draw_tag(image_rgb, tag, mark.label, color=color, letter_px=letter_px, style=style)


def draw_frame(image_rgb: NDArray[np.uint8], outer: Box, *, thickness: int, color: Color) -> None:
    """Draw the lines just inside a box, in place; a small box is filled."""
    if not thickness:
        return
    x1, y1, x2, y2 = outer
    image_rgb[y1 : min(y1 + thickness, y2), x1:x2] = color
    image_rgb[max(y2 - thickness, y1) : y2, x1:x2] = color
    image_rgb[y1:y2, x1 : min(x1 + thickness, x2)] = color
    image_rgb[y1:y2, max(x2 - thickness, x1) : x2] = color


def _grown(box: Box, by_px: int, width_px: int, height_px: int) -> Box:
    x1, y1, x2, y2 = box
    return (
        max(x1 - by_px, 0),
        max(y1 - by_px, 0),
        min(x2 + by_px, width_px),
        min(y2 + by_px, height_px),
    )
