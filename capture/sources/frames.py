"""What every source of frames gives, and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from mira.errors import CaptureError
from mira.schema.capture import Calibration, FrameTiming
from mira.schema.session import DeviceInfo, StreamSettings

SourceKind = Literal["live", "file", "simulated"]
"""A connected camera, a recording, or a simulated one."""


class CameraFaultError(CaptureError):
    """A camera that ran failed; starting it again may help."""


@dataclass(frozen=True, eq=False)
class FramePair:
    """Colour and depth as the camera paired them; copies that nobody else holds.

    Attributes:
        color: RGB, shape (height, width, 3), uint8.
        depth: Counts of `depth_unit_m` on the depth sensor's grid, 0 = no reading, uint16, shape
            (its height, its width).
        depth_unit_m: Metres a count.
        timing: Numbers and times of both frames.
        exposure: Exposure time of the colour frame in the camera's own unit; None where it does
            not tell.
    """

    color: NDArray[np.uint8]
    depth: NDArray[np.uint16]
    depth_unit_m: float
    timing: FrameTiming
    exposure: int | None = None


@dataclass(frozen=True)
class CameraState:
    """A camera that runs.

    Attributes:
        device: The camera, as it names itself.
        streams: Its streams as they run.
        calibration: Both cameras and how they stand to each other.
    """

    device: DeviceInfo
    streams: tuple[StreamSettings, ...]
    calibration: Calibration


class FrameSource(Protocol):
    """A camera, whatever is behind it.

    Frames are copied when they come, so that the SDK gets its buffers back at once: with 15 of
    them held, it stops.
    """

    @property
    def kind(self) -> SourceKind:
        """What is behind it."""

    @property
    def name(self) -> str:
        """What errors call it."""

    @property
    def ended(self) -> bool:
        """Whether no frame will come any more, as at the end of a recording."""

    @property
    def control(self) -> DeviceControl:
        """Options of the camera that runs."""

    def start(self, *, record_to: Path | None = None) -> CameraState:
        """Start the camera.

        Args:
            record_to: A `.db3` that takes the frames, uncompressed; nothing is written before
                `set_recording`.

        Raises:
            CaptureError: There is no such camera or file, or not with these streams.
        """

    def set_recording(self, *, on: bool) -> None:
        """Start or stop writing frames to the file that `start` was given.

        Raises:
            CaptureError: It was given none.
        """

    def next_pair(self, timeout_s: float) -> FramePair | None:
        """The next pair; None when none came in time, or none will.

        Raises:
            CameraFaultError: The camera failed or is gone.
        """

    def stop(self) -> None:
        """Stop the camera and close its files; one that does not run stays as it is.

        Raises:
            CameraFaultError: It cannot be stopped.
        """

    def reset(self) -> None:
        """Reset the camera, which is stopped; it goes, and comes back.

        Raises:
            CameraFaultError: It cannot be reset, or does not come back.
        """


class DeviceControl(Protocol):
    """Settings of a camera that runs.

    Presets and advanced settings are, with reset, the part of the SDK that no simulated device has.
    """

    def options(self) -> dict[str, float]:
        """Options as `<stream>.<name in the SDK>`, with their values.

        Raises:
            CameraFaultError: The camera failed or is gone.
        """

    def preset(self) -> str | None:
        """The visual preset that is on, under the SDK's name; None for a camera without."""

    def set_option(self, name: str, value: float) -> None:
        """Set an option.

        Raises:
            CaptureError: The camera has none of this name, or not with this value.
        """

    def apply_preset(self, name: str) -> None:
        """Choose a visual preset; raises as `set_option` does."""

    def apply_advanced(self, text: str, *, where: Path) -> None:
        """Load advanced settings from JSON; raises as `set_option` does, naming `where`."""
