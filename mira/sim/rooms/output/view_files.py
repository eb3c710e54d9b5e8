"""The files that a camera leaves of a view."""

from __future__ import annotations

import numpy as np

from mira.render.png import encode_png_quickly
from mira.render.quality import measure_quality
from mira.schema.capture import Calibration, ViewFrame
from mira.schema.session import CameraSettings, CaptureSettings, DeviceInfo, StreamSettings
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView
from mira.sim.rooms.truth.depth_sensor import DEPTH_UNIT_M

_FPS = 30


def view_files(view: SceneView, policy: RoomPolicy) -> dict[str, bytes]:
    """Content of a view's files by name, as a session takes them."""
    colour, depth = view.truth.colour, view.sensor_depth
    frame = ViewFrame(
        depth_unit_m=DEPTH_UNIT_M, depth_kind="metric", quality=measure_quality(colour, depth)
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
        "color.png": encode_png_quickly(colour),
        "depth_aligned.png": encode_png_quickly(depth),
        "surfaces.png": encode_png_quickly((view.truth.first_surface + 1).astype(np.uint8)),
        "frame.json": frame.to_json(),
        "calib.json": Calibration(color=camera.intrinsics()).to_json(),
        "device.json": DeviceInfo(name="mira simulated RGB-D camera").to_json(),
        "settings.json": CaptureSettings(asked=settings, actual=settings).to_json(),
    }
