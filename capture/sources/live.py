"""Frames of a camera that is plugged in."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from capture.sdk import load_sdk
from capture.sources.device_facts import device_info
from capture.sources.frames import CameraFaultError, SourceKind
from capture.sources.modes import Mode, Modes, choose_modes
from capture.sources.pipeline import PipelineSource, Started
from capture.sources.sdk_faults import sdk_faults
from mira.errors import CaptureError
from mira.schema.capture_plan import CameraRequest
from mira.schema.session import DeviceInfo

_FORMATS = {"depth": "z16", "color": "rgb8"}
_COMES_BACK_S = 15.0
_LOOK_AGAIN_S = 0.25


class ConnectedCamera(NamedTuple):
    """A camera that is plugged in."""

    info: DeviceInfo
    """As it names itself."""
    depth_modes: tuple[Mode, ...]
    """What its depth sensor offers by this connection."""
    color_modes: tuple[Mode, ...]
    """What its colour sensor offers."""


def connected_cameras() -> tuple[ConnectedCamera, ...]:
    """The cameras that are plugged in, by serial number.

    Raises:
        MissingExtraError: The SDK is not installed.
        CaptureError: It cannot be loaded, or cannot look.
    """
    sdk = load_sdk()
    found = [
        ConnectedCamera(device_info(sdk, device), _modes(device, "depth"), _modes(device, "color"))
        for device in _devices(sdk)
    ]
    return tuple(sorted(found, key=lambda camera: camera.info.serial_number or ""))


class LiveCamera(PipelineSource):
    """A camera that is plugged in as a `FrameSource`."""

    kind: SourceKind = "live"

    def __init__(self, request: CameraRequest, *, serial: str | None = None) -> None:
        """Choose a camera; it is looked for when it is started.

        Args:
            request: How it is to run.
            serial: Its serial number; the only camera there is when missing.
        """
        super().__init__()
        self._request, self._serial = request, serial
        self._last: Any = None

    @property
    def name(self) -> str:
        """By its serial number, where that is known."""
        return f"camera {self._serial}" if self._serial else "camera"

    def _start(self, pipeline: Any, record_to: Path | None) -> Started:
        device = self._last = self._find()
        modes = choose_modes(
            self._request,
            depth=_modes(device, "depth"),
            color=_modes(device, "color"),
            where=self.name,
        )
        pipeline.set_device(self._recording(device, record_to))
        return Started(device, pipeline.start(self._config(modes)))

    def _find(self) -> Any:
        devices = {_serial_of(self._sdk, device): device for device in _devices(self._sdk)}
        listed = ", ".join(devices) or "none"
        if self._serial is None and len(devices) == 1:
            # From here on it is this one, also when another is plugged in meanwhile.
            self._serial = next(iter(devices))
        if self._serial is None:
            problem = f"expected one that is plugged in, found {listed}"
            fix = "choose one by its serial number" if devices else "plug it into a USB 3 port"
            raise CaptureError("camera", problem, fix)
        if self._serial not in devices:
            raise CaptureError(self.name, f"is not plugged in; found {listed}")
        return devices[self._serial]

    def _config(self, modes: Modes) -> Any:
        config = self._sdk.config()
        for stream, mode in modes._asdict().items():
            kind = getattr(self._sdk.stream, stream)
            pixel_format = getattr(self._sdk.format, _FORMATS[stream])
            config.enable_stream(kind, 0, *mode.size, pixel_format, mode.fps)
        return config

    def reset(self) -> None:
        """Reset the camera that ran last; see `FrameSource`."""
        if self._last is None:
            raise CameraFaultError(self.name, "has not run, and cannot be reset")
        reset_device(self._sdk, self._last, name=self.name)

    def _release(self) -> None:
        """Nothing: the device itself is kept, to be reset."""


def reset_device(sdk: Any, device: Any, *, name: str) -> None:
    """Reset a device and wait until it is gone and back.

    Raises:
        CameraFaultError: It cannot be reset, or does not come back.
    """
    serial = _serial_of(sdk, device)
    with sdk_faults(name):
        device.hardware_reset()
    context = sdk.context()
    until = time.monotonic() + _COMES_BACK_S
    while time.monotonic() < until and device.is_connected():
        time.sleep(_LOOK_AGAIN_S)
    while time.monotonic() < until:
        if serial in _serials(sdk, context):
            return
        time.sleep(_LOOK_AGAIN_S)
    problem = f"did not come back within {_COMES_BACK_S:g} s of a reset"
    raise CameraFaultError(name, problem, "unplug it and plug it in again")


def _serials(sdk: Any, context: Any) -> set[str]:
    """Serial numbers of the cameras that answer; one that is starting does not yet."""
    found = set()
    try:
        for device in context.query_devices():
            found.add(_serial_of(sdk, device))
    except RuntimeError:
        pass
    return found


def _devices(sdk: Any) -> list[Any]:
    try:
        return list(sdk.context().query_devices())
    except RuntimeError as error:
        raise CaptureError("camera", f"cannot be looked for: {error}") from None


def _serial_of(sdk: Any, device: Any) -> str:
    return device_info(sdk, device).serial_number or "without a serial number"


def _modes(device: Any, stream: str) -> tuple[Mode, ...]:
    found = {
        Mode((video.width(), video.height()), video.fps())
        for sensor in device.query_sensors()
        for profile in sensor.get_stream_profiles()
        if profile.stream_type().name == stream and profile.format().name == _FORMATS[stream]
        for video in (profile.as_video_stream_profile(),)
    }
    return tuple(sorted(found, reverse=True))
