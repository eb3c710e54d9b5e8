"""The SDK's software device: what a simulated camera is to the SDK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.errors import CaptureError
from mira.schema.capture import Calibration, CameraIntrinsics, TimestampDomain

_SERIAL = "simulated"
_OPTIONS = {
    ("depth", "emitter_enabled"): (0.0, 2.0, 1.0, 1.0),
    ("color", "auto_exposure_priority"): (0.0, 1.0, 1.0, 1.0),
}
"""Options that it takes: least, most, step, default."""


@dataclass(frozen=True, eq=False)
class SimulatedFrames:
    """What a simulated camera sends next: a frame of each stream, or of one, or of none.

    Attributes:
        color: RGB, shape (height, width, 3), uint8; None for a frame that is dropped.
        depth: uint16 on the depth grid; None likewise.
        number: Number of both frames.
        color_ms: Timestamp of the colour frame.
        depth_ms: Timestamp of the depth frame.
        domain: Clock of both.
        color_number: Number of the colour frame, where it is another.
        metadata: What both frames carry, under the SDK's names.
    """

    color: NDArray[np.uint8] | None
    depth: NDArray[np.uint16] | None
    number: int
    color_ms: float
    depth_ms: float
    domain: TimestampDomain = "hardware_clock"
    color_number: int | None = None
    metadata: Mapping[str, int] = field(default_factory=dict)


Lookup = Callable[[], Mapping[str, float]]
"""Gives the options that the camera has just now."""
FrameMaker = Callable[[Lookup], Iterable[SimulatedFrames]]
"""Makes the frames of one run; asked again at each start."""


@dataclass(frozen=True)
class SimulatedCamera:
    """A camera to simulate.

    Attributes:
        calibration: Both cameras and how they stand to each other.
        frames: What it sends.
        fps: Frames a second, as its streams say.
        depth_unit_m: Metres a count of depth.
        name: How it names itself.
    """

    calibration: Calibration
    frames: FrameMaker
    fps: int = 30
    depth_unit_m: float = 0.001
    name: str = "Simulated RGB-D camera"


class SoftwareDevice:
    """The SDK's device with one depth and one colour stream."""

    def __init__(self, sdk: Any, camera: SimulatedCamera) -> None:
        depth = camera.calibration.depth
        if depth is None or camera.calibration.depth_to_color is None:
            raise CaptureError(camera.name, "needs a depth camera and how it stands to colour")
        self._sdk, self._camera = sdk, camera
        self.device = sdk.software_device()
        self.device.register_info(sdk.camera_info.name, camera.name)
        self.device.register_info(sdk.camera_info.serial_number, _SERIAL)
        self._sensors = {
            "depth": self.device.add_sensor("Stereo Module"),
            "color": self.device.add_sensor("RGB Camera"),
        }
        self._sensors["depth"].add_read_only_option(sdk.option.depth_units, camera.depth_unit_m)
        for (stream, name), (least, most, step, default) in _OPTIONS.items():
            span = sdk.option_range()
            span.min, span.max, span.step, span.default = least, most, step, default
            self._sensors[stream].add_option(getattr(sdk.option, name), span, True)
        self._sizes = {"depth": depth, "color": camera.calibration.color}
        self._profiles = {
            "depth": self._add("depth", sdk.format.z16, 2, uid=0),
            "color": self._add("color", sdk.format.rgb8, 3, uid=1),
        }
        self._register_transform()

    def _add(self, stream: str, pixel_format: Any, size_bytes: int, *, uid: int) -> Any:
        video = self._sdk.video_stream()
        lens = self._sizes[stream]
        video.type, video.index, video.uid = getattr(self._sdk.stream, stream), 0, uid
        video.width, video.height = lens.width_px, lens.height_px
        video.fps, video.bpp, video.fmt = self._camera.fps, size_bytes, pixel_format
        video.intrinsics = _sdk_intrinsics(self._sdk, lens)
        return self._sensors[stream].add_video_stream(video).as_video_stream_profile()

    def _register_transform(self) -> None:
        transform = self._camera.calibration.depth_to_color
        assert transform is not None
        extrinsics = self._sdk.extrinsics()
        extrinsics.rotation = [
            value for column in zip(*transform.rotation, strict=True) for value in column
        ]
        extrinsics.translation = list(transform.translation_m)
        self._profiles["depth"].register_extrinsics_to(self._profiles["color"], extrinsics)

    def config(self) -> Any:
        """Both streams, named in full."""
        config = self._sdk.config()
        for stream, lens in self._sizes.items():
            profile = self._profiles[stream]
            kind = getattr(self._sdk.stream, stream)
            config.enable_stream(
                kind, 0, lens.width_px, lens.height_px, profile.format(), self._camera.fps
            )
        return config

    def options(self) -> dict[str, float]:
        """Options as `<stream>.<name in the SDK>`, with their values."""
        return {
            f"{stream}.{name}": self._sensors[stream].get_option(getattr(self._sdk.option, name))
            for stream, name in _OPTIONS
        }

    def send(self, frames: SimulatedFrames) -> None:
        """Send what there is; colour first, so that depth finds its partner waiting."""
        if frames.color is not None:
            number = frames.number if frames.color_number is None else frames.color_number
            self._send("color", frames.color, (np.uint8, 3), number, frames.color_ms, frames)
        if frames.depth is not None:
            self._send(
                "depth", frames.depth, (np.uint16, 1), frames.number, frames.depth_ms, frames
            )

    def _send(
        self,
        stream: str,
        pixels: NDArray[Any],
        form: tuple[type, int],
        number: int,
        time_ms: float,
        frames: SimulatedFrames,
    ) -> None:
        # The SDK takes any buffer and shows what happens to be in memory.
        lens = self._sizes[stream]
        shape = (lens.height_px, lens.width_px) + ((form[1],) if form[1] > 1 else ())
        if pixels.shape != shape or pixels.dtype != form[0]:
            expected, found = f"{np.dtype(form[0])} {shape}", f"{pixels.dtype} {pixels.shape}"
            raise CaptureError(
                f"{self._camera.name}: {stream}", f"expected {expected}, found {found}"
            )
        sensor = self._sensors[stream]
        for name, value in frames.metadata.items():
            sensor.set_metadata(getattr(self._sdk.frame_metadata_value, name), value)
        # A new frame each time: one that is sent twice ends the process.
        frame = self._sdk.software_video_frame()
        frame.pixels = np.ascontiguousarray(pixels)
        frame.bpp = pixels.dtype.itemsize * form[1]
        frame.stride = lens.width_px * frame.bpp
        frame.timestamp, frame.frame_number = time_ms, number
        frame.domain = getattr(self._sdk.timestamp_domain, frames.domain)
        frame.profile = self._profiles[stream]
        if stream == "depth":
            frame.depth_units = self._camera.depth_unit_m
        sensor.on_video_frame(frame)


def _sdk_intrinsics(sdk: Any, lens: CameraIntrinsics) -> Any:
    intrinsics = sdk.intrinsics()
    intrinsics.width, intrinsics.height = lens.width_px, lens.height_px
    intrinsics.fx, intrinsics.fy = lens.fx_px, lens.fy_px
    intrinsics.ppx, intrinsics.ppy = lens.cx_px, lens.cy_px
    intrinsics.model = getattr(sdk.distortion, lens.distortion_model)
    coefficients = lens.distortion_coeffs[:5]
    intrinsics.coeffs = [*coefficients, *[0.0] * (5 - len(coefficients))]
    return intrinsics
