"""The one place that loads the camera's SDK."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
from functools import cache
from importlib import metadata
from typing import Any

from mira.errors import CaptureError, MissingExtraError

_PACKAGE = "pyrealsense2"
_LIBUSB = "libusb-1.0.so.0"


@cache
def load_sdk() -> Any:
    """The module `pyrealsense2`, with the USB library that it wants.

    Its Linux wheels are linked to libusb 1.0, which a clean Debian lacks; the package
    `libusb-package` carries one, which is loaded first and for all to see.

    Raises:
        MissingExtraError: It is not installed.
        CaptureError: It is installed and cannot be loaded.
    """
    if importlib.util.find_spec(_PACKAGE) is None:
        raise MissingExtraError(_PACKAGE, "capture")
    try:
        return importlib.import_module(_PACKAGE)
    except ImportError as error:
        if _LIBUSB not in str(error):
            raise _unloadable(error) from None
    _load_libusb()
    try:
        return importlib.import_module(_PACKAGE)
    except ImportError as error:
        raise _unloadable(error) from None


def sdk_version() -> str:
    """Version of the SDK's package.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        return metadata.version(_PACKAGE)
    except metadata.PackageNotFoundError:
        raise MissingExtraError(_PACKAGE, "capture") from None


def _load_libusb() -> None:
    if importlib.util.find_spec("libusb_package") is None:
        problem = f"needs {_LIBUSB}, which is not installed"
        fix = f"sudo apt-get install libusb-1.0-0, or {MissingExtraError.how_to_add('capture')}"
        raise CaptureError(_PACKAGE, problem, fix)
    path = importlib.import_module("libusb_package").get_library_path()
    try:
        ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise CaptureError(_PACKAGE, f"needs {_LIBUSB}, which cannot be loaded: {error}") from None


def _unloadable(error: ImportError) -> CaptureError:
    return CaptureError(_PACKAGE, f"is installed and cannot be loaded: {error}")
