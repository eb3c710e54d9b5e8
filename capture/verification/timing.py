"""Frame times of views: pairs that belong together, and frames that are saved once."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from capture.policy import CapturePolicy
from capture.verification.place import Place
from capture.verification.policy import VerificationPolicy
from mira.schema.capture import FrameTiming
from mira.schema.session import CaptureSession, CaptureSettings, DeviceInfo

_ROUNDING_MS = 1e-3
"""Times since 1970 in milliseconds are not held more exactly by a 64-bit float."""


class PairCheck:
    """Knows how far apart the frames of a pair may be in a session."""

    def __init__(self, session: CaptureSession, policy: VerificationPolicy) -> None:
        """A check by the thresholds that a session was recorded by, else by a policy's."""
        self._periods, self._limit_ms = policy.max_apart_periods, None
        recorded_by = session.provenance.parameters.get("policy")
        try:
            recording = CapturePolicy.model_validate(recorded_by)
        except ValidationError:
            return
        self._periods, self._limit_ms = recording.max_dt_periods, recording.max_dt_ms

    def check(
        self, place: Place, name: str, timing: FrameTiming, settings: CaptureSettings | None
    ) -> None:
        """Note frames that are too far apart; without settings or one clock nobody can tell."""
        limit_ms = self._limit_ms
        if limit_ms is None and settings is not None and settings.actual.streams:
            slowest_fps = min(stream.fps for stream in settings.actual.streams)
            limit_ms = self._periods * 1000 / slowest_fps
        if timing.dt_ms is None or limit_ms is None or timing.dt_ms <= limit_ms + _ROUNDING_MS:
            return
        message = f"timing.dt_ms: expected at most {limit_ms:.1f}, found {timing.dt_ms:.1f}"
        place.note(name, "frames-apart", message)


class FrameRegister:
    """Remembers which colour frames are saved where."""

    def __init__(self) -> None:
        """A register without frames."""
        self._places: dict[tuple[object, ...], str] = {}

    def check(
        self,
        place: Place,
        name: str,
        timing: FrameTiming,
        color: NDArray[Any],
        device: DeviceInfo | None,
    ) -> None:
        """Note a frame that is saved already: one camera, number, time and picture.

        The picture counts because a simulated camera starts its clock anew with every start.

        Args:
            place: The view.
            name: The record that tells the times.
            timing: What it tells.
            color: The colour picture.
            device: The camera, where it is known.
        """
        camera = None if device is None else (device.name, device.serial_number)
        digest = hashlib.blake2b(np.ascontiguousarray(color).data).digest()
        key = (camera, timing.color_domain, timing.color_frame, timing.color_ms, digest)
        here = (place.folder / name).relative_to(place.root).as_posix()
        first = self._places.setdefault(key, here)
        if first != here:
            message = f"timing.color_frame: {timing.color_frame} at the same time is in {first} too"
            place.note(name, "frame-repeated", message)
