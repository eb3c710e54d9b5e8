"""Records of a capture session: the run of a camera that views come from."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from mira.schema.record import Provenance, Record, RootRecord, UtcDatetime

Stream = Literal["depth", "color"]
"""The streams that are captured."""


class DeviceInfo(RootRecord):
    """`device.json`: the camera, as it names itself."""

    name: str
    """Product name, such as `Intel RealSense D435`."""
    serial_number: str | None = None
    """Absent where a recording or a simulated camera does not tell."""
    firmware_version: str | None = None
    """Absent where a recording or a simulated camera does not tell."""
    usb_type: str | None = None
    """USB version of the connection, such as `3.2`; absent where no USB took part."""


class StreamSettings(Record):
    """How one stream runs."""

    stream: Stream
    """Which one."""
    width_px: int = Field(gt=0)
    """Frame width."""
    height_px: int = Field(gt=0)
    """Frame height."""
    fps: int = Field(gt=0)
    """Frames a second."""
    pixel_format: str
    """Name of the format in the SDK, such as `z16` or `rgb8`."""


class CameraSettings(Record):
    """All that a camera is set to."""

    streams: tuple[StreamSettings, ...]
    """Its streams."""
    preset: str | None = None
    """Name of the visual preset; absent for none."""
    options: dict[str, float] = Field(default_factory=dict)
    """Options by stream and name in the SDK, such as `depth.emitter_enabled`."""


class CaptureSettings(RootRecord):
    """`settings.json`: what a camera was asked for, and what it then did."""

    asked: CameraSettings
    """What the plan wants; options that it leaves alone are absent."""
    actual: CameraSettings
    """What the camera reported while the view was taken."""
    burst_pairs: int = Field(default=1, ge=1)
    """Pairs of which the view's was the sharpest."""
    raw_pairs: int = Field(default=0, ge=0)
    """Pairs that were asked for in `raw.db3`; 0 for none."""


class JournalEntry(Record):
    """One line of `journal.jsonl`: what became of a view, and when."""

    at: UtcDatetime
    """When, UTC."""
    event: Literal["planned", "started", "committed", "failed"]
    """A view is on disk when it is committed, not before."""
    scene_id: str
    """Scene of the view."""
    view_id: str
    """The view, as its folder is named."""
    reason: str | None = None
    """Why it failed."""

    @model_validator(mode="after")
    def _reasoned(self) -> Self:
        if (self.event == "failed") != (self.reason is not None):
            raise ValueError(
                "reason: expected for a failed view and no other, "
                f"found {self.reason!r} for {self.event!r}"
            )
        return self


class CaptureSession(RootRecord):
    """`capture.json`: one run of a camera."""

    session_id: str
    """Stable id."""
    source: Literal["live", "file", "simulated", "imported"]
    """A connected camera, a recording, a simulated camera, or another data set's files."""
    sdk_version: str | None = None
    """Version of pyrealsense2; absent where it took no part."""
    provenance: Provenance
    """Program that captured, who worked it, and the recording that was read, if any."""
