"""The files of a view, as a session takes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mira.render.png import encode_png_quickly
from mira.schema.capture import Calibration, ViewFrame
from mira.schema.session import CaptureSettings, DeviceInfo
from mira.store.session import (
    CALIBRATION_NAME,
    COLOR_NAME,
    DEPTH_ALIGNED_NAME,
    DEPTH_NAME,
    DEVICE_NAME,
    FRAME_NAME,
    SETTINGS_NAME,
    SURFACES_NAME,
)


@dataclass(frozen=True, eq=False)
class ViewContent:
    """What a view consists of.

    Attributes:
        color: The picture, RGB, shape (height, width, 3), uint8.
        frame: What is said of its frames.
        depth: Depth on the sensor's own grid, uint16, 0 = no reading.
        depth_aligned: Depth on the picture's grid, uint16, 0 = no reading.
        calibration: The cameras, where known.
        surfaces: 0, or k + 1 where the scene's surface k is seen, on the picture's grid, uint8.
        device: The camera, where one took part.
        settings: What it was set to.
    """

    color: NDArray[np.uint8]
    frame: ViewFrame
    depth: NDArray[np.uint16] | None = None
    depth_aligned: NDArray[np.uint16] | None = None
    calibration: Calibration | None = None
    surfaces: NDArray[np.uint8] | None = None
    device: DeviceInfo | None = None
    settings: CaptureSettings | None = None


def encode_view(content: ViewContent) -> dict[str, bytes]:
    """Files by name; the pictures are lossless."""
    pictures = {
        COLOR_NAME: content.color,
        DEPTH_NAME: content.depth,
        DEPTH_ALIGNED_NAME: content.depth_aligned,
        SURFACES_NAME: content.surfaces,
    }
    records = {
        FRAME_NAME: content.frame,
        CALIBRATION_NAME: content.calibration,
        DEVICE_NAME: content.device,
        SETTINGS_NAME: content.settings,
    }
    files = {
        name: encode_png_quickly(picture)
        for name, picture in pictures.items()
        if picture is not None
    }
    return files | {
        name: record.to_json() for name, record in records.items() if record is not None
    }
