"""The files that a camera leaves of a view."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.schema.capture import Calibration, ViewFrame, ViewQuality
from mira.schema.session import CameraSettings, CaptureSettings, DeviceInfo, StreamSettings
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView
from mira.sim.rooms.truth.depth_sensor import DEPTH_UNIT_M

_COLOUR_PNG = (
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE),
)
_DEPTH_PNG = (
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP),
)
"""What writes each kind of picture fastest; the files are smaller than at plain level 1 too."""
_FPS = 30
_DARK, _BRIGHT = 16, 239


def view_files(view: SceneView, policy: RoomPolicy) -> dict[str, bytes]:
    """Content of a view's files by name, as a session takes them."""
    colour, depth = view.truth.colour, view.sensor_depth
    frame = ViewFrame(
        depth_unit_m=DEPTH_UNIT_M, depth_kind="metric", quality=_quality(colour, depth)
    )
    camera = policy.camera
    streams = tuple(
        StreamSettings(
            stream=stream,
            width_px=camera.width_px,
            height_px=camera.height_px,
            fps=_FPS,
            pixel_format=pixel_format,
        )
        for stream, pixel_format in (("depth", "z16"), ("color", "rgb8"))
    )
    settings = CameraSettings(streams=streams)
    return {
        "color.png": png_of(colour[..., ::-1]),
        "depth_aligned.png": png_of(depth),
        "frame.json": frame.to_json(),
        "calib.json": Calibration(color=camera.intrinsics()).to_json(),
        "device.json": DeviceInfo(name="mira simulated RGB-D camera").to_json(),
        "settings.json": CaptureSettings(asked=settings, actual=settings).to_json(),
    }


def _quality(colour: NDArray[np.uint8], depth: NDArray[np.uint16]) -> ViewQuality:
    grey = cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY)
    return ViewQuality(
        sharpness=round(float(cv2.Laplacian(grey, cv2.CV_64F).var()), 3),
        dark_fraction=round(float((grey < _DARK).mean()), 6),
        bright_fraction=round(float((grey > _BRIGHT).mean()), 6),
        valid_depth_fraction=round(float((depth > 0).mean()), 6),
    )


def png_of(picture: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    """A picture, BGR or of one channel, as a PNG that is quick to write."""
    how = _COLOUR_PNG if picture.ndim == 3 else _DEPTH_PNG
    return cv2.imencode(".png", np.ascontiguousarray(picture), how)[1].tobytes()
