"""The one way by which frames come out of the SDK, whatever is behind it."""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from capture.sdk import load_sdk
from capture.sources.control import SdkControl
from capture.sources.device_facts import pair_of, state_of
from capture.sources.frames import (
    CameraFaultError,
    CameraState,
    DeviceControl,
    FramePair,
    SourceKind,
)
from capture.sources.sdk_faults import sdk_faults
from mira.errors import CaptureError
from mira.schema.record import describe_fault


class Started(NamedTuple):
    """A pipeline that runs."""

    device: Any
    """The device behind it."""
    profile: Any
    """Its streams."""


class PipelineSource(ABC):
    """A `FrameSource` on `rs.pipeline`; subclasses say what the pipeline is connected to."""

    kind: SourceKind

    def __init__(self) -> None:
        """Load the SDK; nothing is opened yet.

        Raises:
            MissingExtraError: The SDK is not installed.
            CaptureError: It cannot be loaded.
        """
        self._sdk = load_sdk()
        self._pipeline: Any = None
        self._recorder: Any = None
        self._control: DeviceControl | None = None
        self._device: Any = None

    @property
    @abstractmethod
    def name(self) -> str:
        """What errors call it."""

    @property
    def ended(self) -> bool:
        """Never, but for recordings."""
        return False

    @property
    def control(self) -> DeviceControl:
        """Options of the camera that runs."""
        if self._control is None:
            raise CaptureError(self.name, "has to run before it can be set")
        return self._control

    def start(self, *, record_to: Path | None = None) -> CameraState:
        """Start the camera; see `FrameSource`."""
        if self._pipeline is not None:
            raise CaptureError(self.name, "runs already")
        try:
            self._pipeline = self._sdk.pipeline()
            started = self._start(self._pipeline, record_to)
            self._device = started.device
            self._control = self._control_of(started.device)
            return state_of(self._sdk, started.device, started.profile)
        except BaseException as error:
            self._let_go()
            if isinstance(error, ValidationError):
                problem = f"tells what cannot be: {describe_fault(error)}"
                raise CaptureError(self.name, problem) from None
            if isinstance(error, RuntimeError):
                raise self._unusable(error) from None
            raise

    def set_recording(self, *, on: bool) -> None:
        """Start or stop writing to the file that `start` was given."""
        if self._recorder is None:
            raise CaptureError(self.name, "was started without a file to record to")
        if on:
            self._recorder.resume()
        else:
            self._recorder.pause()

    def next_pair(self, timeout_s: float) -> FramePair | None:
        """The next pair, or None; see `FrameSource`."""
        if self._pipeline is None:
            raise CaptureError(self.name, "does not run")
        with sdk_faults(self.name):
            came, frames = self._pipeline.try_wait_for_frames(max(1, round(timeout_s * 1000)))
            if came:
                return pair_of(self._sdk, frames)
            if not self._is_connected():
                raise CameraFaultError(self.name, "was unplugged")
        return None

    def stop(self) -> None:
        """Stop the camera and close its files; see `FrameSource`."""
        pipeline = self._pipeline
        try:
            if pipeline is not None:
                with sdk_faults(self.name):
                    pipeline.stop()
        finally:
            del pipeline
            self._let_go()

    def reset(self) -> None:
        """Always a `CameraFaultError`, but for a live camera."""
        raise CameraFaultError(self.name, "cannot be reset")

    def _let_go(self) -> None:
        """Drop everything of the SDK's: a recording is whole only when nothing refers to it."""
        self._pipeline = self._recorder = self._control = self._device = None
        self._release()
        gc.collect()

    def _is_connected(self) -> bool:
        """Whether the device is still there; one that cannot be asked is."""
        is_connected = getattr(self._device, "is_connected", None)
        return is_connected is None or bool(is_connected())

    @abstractmethod
    def _start(self, pipeline: Any, record_to: Path | None) -> Started:
        """Connect and start a pipeline; the SDK's faults are `RuntimeError`."""

    @abstractmethod
    def _release(self) -> None:
        """Let go of the device."""

    def _control_of(self, device: Any) -> DeviceControl:
        return SdkControl(self._sdk, device)

    def _unusable(self, error: RuntimeError) -> CaptureError:
        return CaptureError(self.name, f"cannot be started: {error}")

    def _recording(self, device: Any, record_to: Path | None) -> Any:
        """The device itself, or a recorder around it that does not write yet.

        Compression, the SDK's default, cannot keep up with 1280x720 and loses frames silently.
        """
        if record_to is None:
            return device
        self._recorder = self._sdk.recorder(str(record_to), device, False)
        self._recorder.pause()
        return self._recorder
