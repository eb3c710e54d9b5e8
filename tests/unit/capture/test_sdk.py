from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

from capture.sdk import load_sdk, sdk_version
from mira.errors import CaptureError, MissingExtraError


@pytest.fixture(autouse=True)
def _forget() -> Any:
    load_sdk.cache_clear()
    yield
    load_sdk.cache_clear()


def _without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in packages else find(name)
    )


def _broken(monkeypatch: pytest.MonkeyPatch, message: str) -> None:
    load = importlib.import_module

    def fail(name: str) -> Any:
        if name == "pyrealsense2":
            raise ImportError(message)
        return load(name)

    monkeypatch.setattr(importlib, "import_module", fail)


def test_without_the_sdk_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _without(monkeypatch, "pyrealsense2")

    with pytest.raises(MissingExtraError, match=r"pyrealsense2: is not installed \(.*capture"):
        load_sdk()


def test_without_libusb_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _without(monkeypatch, "libusb_package")
    monkeypatch.setattr(importlib.util, "find_spec", _found_but("libusb_package"))
    _broken(monkeypatch, "libusb-1.0.so.0: cannot open shared object file")

    with pytest.raises(CaptureError) as caught:
        load_sdk()

    assert str(caught.value).startswith("pyrealsense2: needs libusb-1.0.so.0")
    assert "apt-get install libusb-1.0-0" in str(caught.value)


def test_an_sdk_that_cannot_be_loaded_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", _found_but())
    _broken(monkeypatch, "GLIBC_2.99 not found")

    with pytest.raises(CaptureError, match=r"cannot be loaded: GLIBC_2\.99 not found"):
        load_sdk()


def test_the_real_sdk_loads_on_a_system_without_libusb(sdk: Any) -> None:
    assert sdk.context().query_devices().size() >= 0
    assert sdk_version().startswith("2.")


def _found_but(*missing: str) -> Any:
    return lambda name: None if name in missing else object()
