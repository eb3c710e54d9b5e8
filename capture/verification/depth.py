"""Depth of a view: whether its meaning is told and the two grids agree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from capture.verification.place import Place
from mira.errors import GeometryError
from mira.geometry.alignment import align_depth_to_color
from mira.schema.capture import Calibration, CameraIntrinsics, ViewFrame
from mira.store.session import DEPTH_ALIGNED_NAME

Pixels = NDArray[Any]


def check_depth_meaning(
    place: Place, name: str, frame: ViewFrame | None, depths: tuple[str, ...]
) -> None:
    """Note depth of which nobody says what it means, and a meaning of depth that is not there.

    Args:
        place: The view.
        name: The record that says what depth means.
        frame: What it says; None where it is absent or damaged.
        depths: The depth pictures that it speaks of.
    """
    there = [depth for depth in depths if (place.folder / depth).exists()]
    if frame is None:
        if there and not (place.folder / name).exists():
            place.note(name, "record-missing", f"expected it beside {there[0]}, found none")
    elif there and frame.depth_kind is None:
        message = f"depth_kind: expected what {there[0]} means, found none"
        place.note(name, "depth-meaning", message)
    elif frame.depth_kind is not None and not there:
        message = f"depth_kind: expected none without depth, found {frame.depth_kind!r}"
        place.note(name, "depth-meaning", message)


def check_alignment(
    place: Place,
    depth: Pixels,
    aligned: Pixels,
    calibration: Calibration,
    *,
    depth_unit_m: float,
    max_share: float,
) -> None:
    """Note aligned depth that is not what raw depth gives.

    Without both cameras, or with pictures that are not of their sizes, there is nothing to compare.

    Args:
        place: The view.
        depth: Readings on the depth camera's grid, shape (height, width).
        aligned: Readings on the colour camera's grid, likewise.
        calibration: The cameras and how they stand to each other.
        depth_unit_m: Metres a step.
        max_share: Most pixels that may differ, as a share of those with a reading in either.
    """
    if calibration.depth_to_color is None or not (
        _fits(depth, calibration.depth) and _fits(aligned, calibration.color)
    ):
        return
    try:
        anew = align_depth_to_color(depth, calibration, depth_unit_m=depth_unit_m)
    except GeometryError as error:
        place.note(DEPTH_ALIGNED_NAME, "depth-alignment", f"cannot be checked: {error}")
        return
    read = int(np.count_nonzero((anew > 0) | (aligned > 0)))
    share = int(np.count_nonzero(anew != aligned)) / max(read, 1)
    if share > max_share:
        place.note(
            DEPTH_ALIGNED_NAME,
            "depth-alignment",
            f"expected at most {max_share:.2%} of it to differ from depth aligned anew, "
            f"found {share:.2%}",
        )


def _fits(pixels: Pixels, camera: CameraIntrinsics | None) -> bool:
    return camera is not None and pixels.shape == (camera.height_px, camera.width_px)
