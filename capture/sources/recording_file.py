"""Frames of a recording, every one of them, in order."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from capture.sources.control import NoControl, SdkControl
from capture.sources.frames import CameraState, DeviceControl, SourceKind
from capture.sources.pipeline import PipelineSource, Started
from mira.errors import CaptureError, RecordError
from mira.schema.capture import Calibration
from mira.store.atomic import os_faults
from mira.store.session import CALIBRATION_NAME, RAW_NAME

_OPENS_S = 30
_MAGIC = {b"SQLite format 3\0": "db3", b"#ROSBAG V2.0": "bag"}


def recording_format(path: Path) -> Literal["db3", "bag"]:
    """The format of a recording by its first bytes; its name may say anything.

    Raises:
        CaptureError: It is neither, or cannot be read.
    """
    if path.is_dir():
        raise CaptureError(path, "expected a recording, found a folder")
    with os_faults(path), path.open("rb") as stream:
        head = stream.read(16)
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return "db3" if name == "db3" else "bag"
    found = "an empty file" if not head else repr(head[:12])
    raise CaptureError(path, f"expected a RealSense recording (.db3 or .bag), found {found}")


class RecordingFile(PipelineSource):
    """A recording as a `FrameSource`: as fast as it is asked, and complete."""

    kind: SourceKind = "file"

    def __init__(self, path: Path) -> None:
        """Name a recording.

        Raises:
            CaptureError: It is none, or cannot be read.
        """
        recording_format(path)
        super().__init__()
        self._path = path
        self._playback: Any = None

    @property
    def name(self) -> str:
        """The file."""
        return str(self._path)

    @property
    def ended(self) -> bool:
        """Whether the last frame has come."""
        stopped = self._sdk.playback_status.stopped
        return self._playback is None or bool(self._playback.current_status() == stopped)

    def start(self, *, record_to: Path | None = None) -> CameraState:
        """Start the recording; see `FrameSource`.

        How the cameras stand to each other is kept by the SDK as a quaternion, to seven digits;
        beside a view's own burst, its `calib.json` has it exactly.
        """
        state = super().start(record_to=record_to)
        exact = self._calibration_beside()
        if exact is None or (exact.color, exact.depth) != (
            state.calibration.color,
            state.calibration.depth,
        ):
            return state
        return replace(state, calibration=exact)

    def _calibration_beside(self) -> Calibration | None:
        path = self._path.with_name(CALIBRATION_NAME)
        if self._path.name != RAW_NAME or not path.is_file():
            return None
        try:
            return Calibration.from_json(path.read_bytes(), where=path)
        except (OSError, RecordError):
            return None

    def _require_that_it_opens(self) -> None:
        """Damage can hang the SDK or end the process while it opens a file: another tries first."""
        command = [sys.executable, "-m", "capture.sources.opening_probe", str(self._path)]
        try:
            probe = subprocess.run(command, capture_output=True, timeout=_OPENS_S, check=False)
        except subprocess.TimeoutExpired:
            raise CaptureError(
                self._path, f"is damaged: the SDK hangs on it for {_OPENS_S} s"
            ) from None
        if probe.returncode < 0:
            raise CaptureError(self._path, "is damaged: the SDK ends the process that opens it")

    def _start(self, pipeline: Any, record_to: Path | None) -> Started:
        if record_to is not None:
            raise CaptureError(self._path, "is a recording already")
        self._require_that_it_opens()
        config = self._sdk.config()
        config.enable_device_from_file(str(self._path), repeat_playback=False)
        device = config.resolve(self._sdk.pipeline_wrapper(pipeline)).get_device()
        self._playback = device.as_playback()
        # Paused until the pipeline runs: otherwise the first pair is lost in a quarter of the runs.
        self._playback.set_real_time(False)
        self._playback.pause()
        profile = pipeline.start(config)
        self._require_streams(pipeline, profile)
        self._playback.resume()
        return Started(device, profile)

    def _require_streams(self, pipeline: Any, profile: Any) -> None:
        found = {stream.stream_type().name for stream in profile.get_streams()}
        if missing := {"depth", "color"} - found:
            pipeline.stop()
            named = " and ".join(sorted(missing))
            raise CaptureError(self._path, f"expected depth and color in it, found no {named}")

    def _unusable(self, error: RuntimeError) -> CaptureError:
        reason = str(error).rpartition("Reason: ")[2]
        return CaptureError(self._path, f"cannot be read as a recording: {reason}")

    def _release(self) -> None:
        self._playback = None

    def _control_of(self, device: Any) -> DeviceControl:
        return NoControl("a recording", SdkControl(self._sdk, device).options())
