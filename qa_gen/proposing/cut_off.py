"""On which sides a thing may go on beyond its outline."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.measured_scene import SceneGeometry
from mira.geometry.outlined_areas import OutlinedAreas
from mira.schema.annotation import ImageAnnotation, Instance

_REACH_PX = 3
"""Outlines that come so near to each other touch."""
_END_SHARE = 0.25
"""What lies beyond a side within this share of a thing's width or height, from its end, touches
that side."""
_LEAST_PX = 3
"""Fewer pixels that touch are a slip of the outline."""


class CutOff(NamedTuple):
    """Sides of an outline beyond which the thing may go on."""

    left: bool = False
    right: bool = False
    top: bool = False
    bottom: bool = False


def cut_off_sides(
    annotation: ImageAnnotation, areas: OutlinedAreas, scene: SceneGeometry
) -> dict[int, CutOff]:
    """For each instance the sides on which something hides the rest of it.

    What may: the picture's edge; for a reflection the edge of the surface that it is seen in; an
    instance that touches it and is measured nearer, or is not measured.

    Args:
        annotation: The picture's annotation.
        areas: Its outlines as masks.
        scene: What geometry says of it.
    """
    nearness = {
        one.instance_id: one.seen.centre_m[2] if one.seen is not None else 0.0
        for one in scene.instances
    }
    labels = _labels(annotation, areas)
    return {
        one.instance_id: _sides(one, annotation, areas, labels, nearness)
        for one in annotation.instances
    }


def _labels(annotation: ImageAnnotation, areas: OutlinedAreas) -> NDArray[np.int32]:
    """Ids of instances at their pixels, 0 elsewhere."""
    labels = np.zeros((annotation.height_px, annotation.width_px), np.int32)
    for number, area in areas.instances.items():
        area.of(labels)[area.mask] = number
    return labels


def _sides(
    one: Instance,
    annotation: ImageAnnotation,
    areas: OutlinedAreas,
    labels: NDArray[np.int32],
    nearness: dict[int, float],
) -> CutOff:
    area = areas.instances[one.instance_id]
    rows, columns = area.mask.shape
    if not area.mask.any():
        return CutOff()
    top, left = max(area.top - _REACH_PX, 0), max(area.left - _REACH_PX, 0)
    bottom = min(area.top + rows + _REACH_PX, annotation.height_px)
    right = min(area.left + columns + _REACH_PX, annotation.width_px)
    own = np.zeros((bottom - top, right - left), np.uint8)
    own[area.top - top :, area.left - left :][:rows, :columns] = area.mask
    square = np.ones((2 * _REACH_PX + 1, 2 * _REACH_PX + 1), np.uint8)
    rim = (cv2.dilate(own, square) > 0) & (own == 0)
    around = labels[top:bottom, left:right]
    hides = np.zeros_like(rim)
    for other in np.unique(around[rim]).tolist():
        if other and other != one.instance_id and nearness[other] <= nearness[one.instance_id]:
            hides |= around == other
    if one.seen_in:
        surface = areas.surfaces[one.seen_in[0]]
        hides |= ~_window(surface, top, left, rim.shape)
    hides &= own == 0
    x = np.arange(left, right) - area.left
    y = (np.arange(top, bottom) - area.top)[:, None]
    return CutOff(
        left=area.left <= 1 or _touch(own, hides & (x < _END_SHARE * columns), -1, 0),
        right=area.left + columns >= annotation.width_px - 1
        or _touch(own, hides & (x >= (1 - _END_SHARE) * columns), 1, 0),
        top=area.top <= 1 or _touch(own, hides & (y < _END_SHARE * rows), 0, -1),
        bottom=area.top + rows >= annotation.height_px - 1
        or _touch(own, hides & (y >= (1 - _END_SHARE) * rows), 0, 1),
    )


def _touch(own: NDArray[np.uint8], hides: NDArray[np.bool_], right: int, down: int) -> bool:
    """Whether something lies just beyond a mask in a direction."""
    line = np.zeros((2 * _REACH_PX + 1, 2 * _REACH_PX + 1), np.uint8)
    steps = np.arange(1, _REACH_PX + 1)
    # A pixel is reached when the mask is so many steps back.
    line[_REACH_PX - down * steps, _REACH_PX - right * steps] = 1
    beyond = cv2.dilate(own, line) > 0
    return int(np.count_nonzero(beyond & hides)) >= _LEAST_PX


def _window(area: CroppedMask, top: int, left: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """A mask's pixels in a window of the picture."""
    window = np.zeros(shape, bool)
    rows, columns = area.mask.shape
    first_row, first_column = max(top, area.top), max(left, area.left)
    last_row = min(top + shape[0], area.top + rows)
    last_column = min(left + shape[1], area.left + columns)
    if last_row > first_row and last_column > first_column:
        window[first_row - top : last_row - top, first_column - left : last_column - left] = (
            area.mask[
                first_row - area.top : last_row - area.top,
                first_column - area.left : last_column - area.left,
            ]
        )
    return window
