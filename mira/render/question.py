"""The pictures that go with a question, in any referring protocol and modality."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mira.errors import MiraError
from mira.render.boxes import draw_boxes
from mira.render.depth import render_depth
from mira.render.masks import render_masks
from mira.render.overlay import overlay_mask, union_mask
from mira.render.pictures import PictureMetadata, RenderedPicture, ScenePictures
from mira.render.style import Color, RenderStyle
from mira.schema.qa import Mark, Modality, Protocol
from mira.taxonomy.catalogue import taxonomy

__all__ = ["RenderedPicture", "ScenePictures", "render_question"]


def render_question(
    pictures: ScenePictures,
    marks: Sequence[Mark],
    *,
    protocol: Protocol,
    modality: Modality,
    style: RenderStyle,
) -> tuple[RenderedPicture, ...]:
    """The pictures of a question in the order they are shown: RGB, mask if any, depth if any.

    Args:
        pictures: Colours, depth and masks of the scene.
        marks: Instances that the question and its options point at; none is allowed.
        protocol: Whether boxes are drawn or a mask picture is added.
        modality: Whether depth is shown and reflective regions are overlaid, on RGB and depth.
        style: How it all looks.

    Raises:
        MiraError: Depth is asked for and the scene has none, a marked instance has no mask, or a
            box is empty or leaves the picture.
    """
    pointing, shown = taxonomy().protocol(protocol), taxonomy().modality(modality)
    _require_boxes_inside(pictures, marks)
    if shown.depth and pictures.depth is None:
        raise MiraError(
            pictures.image_id, f"expected depth for modality {modality}, found a scene without"
        )
    boxes = tuple(marks) if pointing.drawn_box else ()
    mirror = _mirror(pictures) if shown.mirror else None
    rendered = [_color(pictures, mirror, boxes, style)]
    if pointing.mask_picture and marks:
        rendered.append(_mask(pictures, marks, style))
    if shown.depth and pictures.depth is not None:
        rendered.append(_depth(pictures, pictures.depth, mirror, boxes, style))
    return tuple(rendered)


def _mirror(pictures: ScenePictures) -> NDArray[np.bool_]:
    return union_mask(
        pictures.surface_masks, width_px=pictures.width_px, height_px=pictures.height_px
    )


def _color(
    pictures: ScenePictures,
    mirror: NDArray[np.bool_] | None,
    boxes: tuple[Mark, ...],
    style: RenderStyle,
) -> RenderedPicture:
    image_rgb = _marked(
        pictures.color_rgb, mirror, boxes, style.mirror_color, style.mirror_alpha, style
    )
    return RenderedPicture("rgb", image_rgb, _metadata(image_rgb, mirror, boxes))


def _depth(
    pictures: ScenePictures,
    depth: NDArray[np.uint16],
    mirror: NDArray[np.bool_] | None,
    boxes: tuple[Mark, ...],
    style: RenderStyle,
) -> RenderedPicture:
    colored = render_depth(depth, unit_m=pictures.metric_unit_m, style=style)
    image_rgb = _marked(
        colored.image_rgb, mirror, boxes, style.mirror_depth_color, style.mirror_depth_alpha, style
    )
    metadata = _metadata(image_rgb, mirror, boxes).model_copy(update={"depth": colored.scale})
    return RenderedPicture("depth", image_rgb, metadata)


def _mask(pictures: ScenePictures, marks: Sequence[Mark], style: RenderStyle) -> RenderedPicture:
    image_rgb = render_masks(
        pictures.instance_masks,
        marks,
        width_px=pictures.width_px,
        height_px=pictures.height_px,
        style=style,
        where=pictures.image_id,
    )
    return RenderedPicture("mask", image_rgb, _metadata(image_rgb, None, marks))


def _marked(
    image_rgb: NDArray[np.uint8],
    mirror: NDArray[np.bool_] | None,
    boxes: tuple[Mark, ...],
    mirror_color: Color,
    mirror_alpha: float,
    style: RenderStyle,
) -> NDArray[np.uint8]:
    if mirror is not None:
        image_rgb = overlay_mask(image_rgb, mirror, color=mirror_color, alpha=mirror_alpha)
    return draw_boxes(image_rgb, boxes, style=style)


def _metadata(
    image_rgb: NDArray[np.uint8], mirror: NDArray[np.bool_] | None, marks: Sequence[Mark]
) -> PictureMetadata:
    height_px, width_px = image_rgb.shape[:2]
    return PictureMetadata(
        width_px=width_px,
        height_px=height_px,
        marked=tuple(mark.label for mark in marks),
        mirror_overlay=mirror is not None and bool(mirror.any()),
    )


def _require_boxes_inside(pictures: ScenePictures, marks: Sequence[Mark]) -> None:
    for mark in marks:
        x1, y1, x2, y2 = mark.box_xyxy_px
        if not (0 <= x1 < x2 <= pictures.width_px and 0 <= y1 < y2 <= pictures.height_px):
            raise MiraError(
                pictures.image_id,
                f"expected the box of {mark.label} inside {pictures.width_px} x "
                f"{pictures.height_px} px, found {mark.box_xyxy_px}",
            )
