"""Settings of a camera that runs, by way of the SDK."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from capture.sources.sdk_faults import sdk_faults
from mira.errors import CaptureError

_STREAMS = ("depth", "color")
_PRESET = "depth.visual_preset"


class SdkControl:
    """Options, presets and advanced settings of one device; see `DeviceControl`."""

    def __init__(self, sdk: Any, device: Any) -> None:
        """Take hold of a device.

        Args:
            sdk: The module.
            device: The device.
        """
        self._sdk, self._device = sdk, device

    def options(self) -> dict[str, float]:
        """Options as `<stream>.<name in the SDK>`, with their values."""
        with sdk_faults("camera"):
            found = {
                f"{stream}.{option.name}": _value_of(sensor, option)
                for stream, sensor in self._sensors()
                for option in sensor.get_supported_options()
            }
        return {name: value for name, value in found.items() if value is not None}

    def preset(self) -> str | None:
        """The visual preset that is on; None for a camera without."""
        value = self.options().get(_PRESET)
        names = {
            float(int(preset)): name
            for name, preset in self._sdk.rs400_visual_preset.__members__.items()
        }
        return None if value is None else names.get(value, f"{value:g}")

    def set_option(self, name: str, value: float) -> None:
        """Set an option.

        Raises:
            CaptureError: The camera has none of this name, or not with this value.
        """
        sensor, option = self._option(name)
        with sdk_faults("camera"):
            span = sensor.get_option_range(option)
        if not span.min <= value <= span.max:
            problem = f"expected {span.min:g} to {span.max:g}, found {value:g}"
            raise CaptureError(name, problem)
        try:
            sensor.set_option(option, value)
        except RuntimeError as error:
            raise CaptureError(name, f"cannot be set to {value:g}: {error}") from None

    def apply_preset(self, name: str) -> None:
        """Choose a visual preset; raises as `set_option` does."""
        presets = self._sdk.rs400_visual_preset.__members__
        if name not in presets:
            raise CaptureError("preset", f"expected one of {', '.join(presets)}, found {name!r}")
        if _PRESET not in self.options():
            problem = "cannot be chosen: the camera's advanced mode is off"
            raise CaptureError("preset", problem, "turn it on in the RealSense Viewer")
        self.set_option(_PRESET, float(int(presets[name])))

    def apply_advanced(self, text: str, *, where: Path) -> None:
        """Load advanced settings from JSON; raises as `set_option` does, naming `where`."""
        try:
            mode = self._sdk.rs400_advanced_mode(self._device)
            if not mode.is_enabled():
                problem = "cannot be loaded: the camera's advanced mode is off"
                raise CaptureError(where, problem, "turn it on in the RealSense Viewer")
            mode.load_json(text)
        except RuntimeError as error:
            raise CaptureError(where, f"cannot be loaded into the camera: {error}") from None

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

    def preset(self) -> str | None:
        """None: nothing tells."""
        return None


def _value_of(sensor: Any, option: Any) -> float | None:
    """An option's value; some are there and cannot be read just now."""
    try:
        return float(sensor.get_option(option))
    except RuntimeError:
        return None
