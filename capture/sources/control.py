"""Settings of a camera that runs, by way of the SDK."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from capture.sources.frames import CameraFaultError
from mira.errors import CaptureError

_STREAMS = ("depth", "color")
_COMES_BACK_S = 15.0
_LOOK_AGAIN_S = 0.25


class SdkControl:
    """Options, presets, advanced settings and reset of one device; see `DeviceControl`."""

    def __init__(self, sdk: Any, device: Any) -> None:
        """Take hold of a device.

        Args:
            sdk: The module.
            device: The device.
        """
        self._sdk, self._device = sdk, device

    def options(self) -> dict[str, float]:
        """Options as `<stream>.<name in the SDK>`, with their values."""
        return {
            f"{stream}.{option.name}": float(sensor.get_option(option))
            for stream, sensor in self._sensors()
            for option in sensor.get_supported_options()
            if _is_told(sensor, option)
        }

    def set_option(self, name: str, value: float) -> None:
        """Set an option.

        Raises:
            CaptureError: The camera has none of this name, or not with this value.
        """
        sensor, option = self._option(name)
        try:
            sensor.set_option(option, value)
        except RuntimeError as error:
            span = sensor.get_option_range(option)
            problem = f"expected {span.min:g} to {span.max:g}, found {value:g}: {error}"
            raise CaptureError(name, problem) from None

    def apply_preset(self, name: str) -> None:
        """Choose a visual preset; raises as `set_option` does."""
        presets = self._sdk.rs400_visual_preset.__members__
        if name not in presets:
            raise CaptureError("preset", f"expected one of {', '.join(presets)}, found {name!r}")
        self.set_option("depth.visual_preset", float(int(presets[name])))

    def apply_advanced(self, text: str, *, where: Path) -> None:
        """Load advanced settings from JSON; raises as `set_option` does, naming `where`."""
        try:
            mode = self._sdk.rs400_advanced_mode(self._device)
            if not mode.is_enabled():
                raise CaptureError(where, "cannot be loaded: the camera's advanced mode is off")
            mode.load_json(text)
        except RuntimeError as error:
            raise CaptureError(where, f"cannot be loaded into the camera: {error}") from None

    def reset(self) -> None:
        """Reset the camera, which goes and comes back; `CameraFaultError` if it does not."""
        serial = self._device.get_info(self._sdk.camera_info.serial_number)
        try:
            self._device.hardware_reset()
        except RuntimeError as error:
            raise CameraFaultError(f"camera {serial}", f"cannot be reset: {error}") from None
        until = time.monotonic() + _COMES_BACK_S
        # It is still listed for a moment after the reset; what counts is that it came back.
        time.sleep(1.0)
        while time.monotonic() < until:
            if serial in _serials(self._sdk):
                return
            time.sleep(_LOOK_AGAIN_S)
        problem = f"did not come back within {_COMES_BACK_S:g} s of a reset"
        raise CameraFaultError(f"camera {serial}", problem, "unplug it and plug it in again")

    def _sensors(self) -> Iterator[tuple[str, Any]]:
        """Sensors by the stream that they give; others are left alone."""
        for sensor in self._device.query_sensors():
            given = {profile.stream_type().name for profile in sensor.get_stream_profiles()}
            for stream in _STREAMS:
                if stream in given:
                    yield stream, sensor
                    break

    def _option(self, name: str) -> tuple[Any, Any]:
        stream, _, option_name = name.partition(".")
        sensors = dict(self._sensors())
        option = self._sdk.option.__members__.get(option_name)
        if stream not in sensors or option is None or not sensors[stream].supports(option):
            names = ", ".join(self.options()) or "none"
            raise CaptureError(name, f"expected an option that the camera has: {names}")
        return sensors[stream], option


class NoControl:
    """Control of what has nothing to set, such as a recording; see `DeviceControl`."""

    def __init__(self, what: str, options: dict[str, float] | None = None) -> None:
        """Say what it is.

        Args:
            what: Named in errors.
            options: What it was set to.
        """
        self._what, self._options = what, options or {}

    def options(self) -> dict[str, float]:
        """What it was set to."""
        return self._options

    def set_option(self, name: str, value: float) -> None:
        """Always a `CaptureError`."""
        raise CaptureError(name, f"cannot be set to {value:g}: {self._what} has no settings")

    def apply_preset(self, name: str) -> None:
        """Always a `CaptureError`."""
        raise CaptureError("preset", f"cannot be {name!r}: {self._what} has none")

    def apply_advanced(self, text: str, *, where: Path) -> None:  # noqa: ARG002
        """Always a `CaptureError`."""
        raise CaptureError(where, f"cannot be loaded: {self._what} has no advanced settings")

    def reset(self) -> None:
        """Always a `CameraFaultError`."""
        raise CameraFaultError(self._what, "cannot be reset")


def _is_told(sensor: Any, option: Any) -> bool:
    """Whether an option has a number to give; some are there and cannot be read just now."""
    try:
        sensor.get_option(option)
    except RuntimeError:
        return False
    return True


def _serials(sdk: Any) -> set[str]:
    return {
        device.get_info(sdk.camera_info.serial_number) for device in sdk.context().query_devices()
    }
