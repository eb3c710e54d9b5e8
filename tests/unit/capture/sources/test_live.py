from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from capture.sources import live
from capture.sources.control import SdkControl
from capture.sources.frames import CameraFaultError
from capture.sources.live import LiveCamera, connected_cameras, reset_device
from mira.errors import CaptureError
from mira.schema.capture_plan import CameraRequest


class _Info:
    name, serial_number, firmware_version, usb_type_descriptor = range(4)


class _Enum:
    def __init__(self, name: str) -> None:
        self.name = name


class _Profile:
    def __init__(self, stream: str, form: str, size: tuple[int, int], fps: int) -> None:
        self._stream, self._form, self._size, self._fps = stream, form, size, fps

    def stream_type(self) -> _Enum:
        return _Enum(self._stream)

    def format(self) -> _Enum:
        return _Enum(self._form)

    def as_video_stream_profile(self) -> _Profile:
        return self

    def width(self) -> int:
        return self._size[0]

    def height(self) -> int:
        return self._size[1]

    def fps(self) -> int:
        return self._fps


class _Sensor:
    def __init__(self, *profiles: _Profile) -> None:
        self._profiles = profiles

    def get_stream_profiles(self) -> tuple[_Profile, ...]:
        return self._profiles


class _Device:
    def __init__(self, serial: str) -> None:
        self._said = ("Intel RealSense D435", serial, "5.16.0.1", "2.1")
        self.resets = 0
        self.connected = self.answers = True

    def is_connected(self) -> bool:
        return self.connected

    def supports(self, _: int) -> bool:
        return True

    def get_info(self, info: int) -> str:
        if not self.answers:
            raise RuntimeError("failed to set power state")
        return self._said[info]

    def query_sensors(self) -> list[_Sensor]:
        return [
            _Sensor(
                _Profile("depth", "z16", (640, 480), 15),
                _Profile("depth", "y8", (848, 480), 30),
                _Profile("infrared", "y8", (848, 480), 30),
            ),
            _Sensor(_Profile("color", "rgb8", (640, 480), 15)),
        ]

    def hardware_reset(self) -> None:
        self.resets += 1


class _Sdk:
    camera_info = _Info

    def __init__(self, *devices: _Device) -> None:
        self.devices = list(devices)

    def context(self) -> _Sdk:
        return self

    def query_devices(self) -> list[_Device]:
        return self.devices

    def pipeline(self) -> object:
        return object()


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stands in for the SDK with cameras of given serial numbers."""

    def plug(*serials: str) -> _Sdk:
        sdk = _Sdk(*map(_Device, serials))
        monkeypatch.setattr(live, "load_sdk", lambda: sdk)
        monkeypatch.setattr("capture.sources.pipeline.load_sdk", lambda: sdk)
        return sdk

    return plug


def test_cameras_are_listed_with_what_they_offer_by_this_cable(plugged_in: Any) -> None:
    plugged_in("222", "111")

    cameras = connected_cameras()

    assert [camera.info.serial_number for camera in cameras] == ["111", "222"]
    assert cameras[0].info.usb_type == "2.1"
    assert [str(mode) for mode in cameras[0].depth_modes] == ["640x480@15"]
    assert [str(mode) for mode in cameras[0].color_modes] == ["640x480@15"]


@pytest.mark.parametrize(
    ("serials", "serial", "message"),
    [
        ((), None, r"expected one that is plugged in, found none \(plug it into a USB 3 port\)"),
        (("1", "2"), None, r"found 1, 2 \(choose one by its serial number\)"),
        (("1", "2"), "3", "camera 3: is not plugged in; found 1, 2"),
    ],
)
def test_a_camera_that_cannot_be_told_is_one_line(
    plugged_in: Any, serials: tuple[str, ...], serial: str | None, message: str
) -> None:
    plugged_in(*serials)

    with pytest.raises(CaptureError, match=message):
        LiveCamera(CameraRequest(), serial=serial).start()


def test_a_mode_that_the_cable_does_not_carry_is_refused_with_the_modes(plugged_in: Any) -> None:
    plugged_in("1")

    with pytest.raises(CaptureError, match=r"camera 1: expected depth .*found depth 640x480@15"):
        LiveCamera(CameraRequest(step_down=False)).start()


def test_a_reset_waits_until_the_camera_is_gone_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    device = _Device("7")
    sdk, waited = _Sdk(device), []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            device.connected = False
            sdk.devices.clear()
        if len(waited) == 6:
            sdk.devices.append(_Device("7"))

    monkeypatch.setattr("time.sleep", sleep)

    reset_device(sdk, device, name="camera 7")

    assert device.resets == 1
    assert len(waited) == 6


def test_a_camera_that_does_not_come_back_from_a_reset_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sdk = _Sdk(_Device("7"))
    device = sdk.devices.pop()
    clock = iter(range(0, 1000, 5))
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))

    with pytest.raises(CameraFaultError, match="camera 7: did not come back within 15 s"):
        reset_device(sdk, device, name="camera 7")


def test_a_camera_that_is_starting_is_not_back_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    device = _Device("7")
    sdk, waited = _Sdk(device), []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        device.connected = False
        device.answers = len(waited) > 4

    monkeypatch.setattr("time.sleep", sleep)

    reset_device(sdk, device, name="camera 7")

    assert len(waited) == 5


def test_a_camera_that_never_ran_cannot_be_reset(plugged_in: Any) -> None:
    plugged_in("1")

    with pytest.raises(CameraFaultError, match="has not run"):
        LiveCamera(CameraRequest()).reset()


def test_advanced_settings_need_a_camera_that_has_them(sdk: Any) -> None:
    with pytest.raises(CaptureError, match=r"a\.json: cannot be loaded into the camera"):
        SdkControl(sdk, sdk.software_device()).apply_advanced("{}", where=Path("a.json"))
