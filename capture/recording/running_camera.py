"""A camera that is started as a plan wants it, warmed up, and brought back when it stalls."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from capture.pairing import PairRule, max_dt_ms
from capture.plan import read_advanced
from capture.policy import CapturePolicy
from capture.recording.warm_up import warm_up
from capture.sources.frames import (
    CameraFaultError,
    CameraState,
    DeviceControl,
    FramePair,
    FrameSource,
)
from mira.errors import CaptureError, MiraError
from mira.schema.capture_plan import CameraRequest
from mira.schema.session import CameraSettings, Stream, StreamSettings

_LOOK_AGAIN_S = 0.5
_WORKS_AGAIN_PAIRS = 150
"""Pairs in a row after which earlier faults count no more."""

Tell = Callable[[str], None]
"""Takes a line for the person who records."""


class EndOfFramesError(CaptureError):
    """A source has no more frames."""


class RunningCamera:
    """One camera over a whole session, with restarts where need be."""

    def __init__(
        self,
        source: FrameSource,
        request: CameraRequest,
        *,
        policy: CapturePolicy,
        tell: Tell,
        plan_folder: Path,
    ) -> None:
        """Take a camera, which is started when it is first needed.

        Args:
            source: The camera.
            request: How it is to run.
            policy: Thresholds.
            tell: Told of restarts, smaller modes, and exposure that does not settle.
            plan_folder: Where files that the request names are.
        """
        self._source, self._request, self._policy = source, request, policy
        self._tell, self._plan_folder = tell, plan_folder
        self._state: CameraState | None = None
        self._raw: Path | None = None
        self._faults = self._pairs = 0
        self._has_run = False
        self.rule = PairRule(0.0)
        """Decides on the pairs of this run."""

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self._state is not None

    @property
    def state(self) -> CameraState:
        """What runs."""
        if self._state is None:
            raise CaptureError(self._source.name, "does not run")
        return self._state

    @property
    def control(self) -> DeviceControl:
        """Its options."""
        return self._source.control

    @property
    def raw(self) -> Path | None:
        """The recording that it was started with."""
        return self._raw

    def start(self, *, record_to: Path | None = None) -> None:
        """Start it, set it, and warm it up.

        After a fault it is waited for, as it may be on its way back.

        Raises:
            CameraFaultError: It ran before, and does not start now.
            CaptureError: There is none, or it cannot run so.
        """
        until = time.monotonic() + (self._policy.comes_back_s if self._faults else 0.0)
        while True:
            try:
                self._start(record_to)
            except CaptureError as error:
                with suppress(MiraError):
                    self.stop()
                if not (self._faults or self._has_run):
                    raise
                if time.monotonic() >= until:
                    raise CameraFaultError(error.where, error.problem, error.fix) from error
                time.sleep(_LOOK_AGAIN_S)
            else:
                self._has_run = True
                return

    def next_pair(self) -> FramePair:
        """The next pair, waited for twice.

        Raises:
            CameraFaultError: None came, or the camera failed.
            EndOfFramesError: None will come any more.
        """
        for _ in range(2):
            pair = self._source.next_pair(self._policy.stall_s)
            if pair is not None:
                self._pairs += 1
                if self._pairs >= _WORKS_AGAIN_PAIRS:
                    self.worked()
                return pair
            if self._source.ended:
                raise EndOfFramesError(self._source.name, "has no more frames")
        waited_s = 2 * self._policy.stall_s
        raise CameraFaultError(self._source.name, f"sent no frame for {waited_s:g} s")

    def set_recording(self, *, on: bool) -> None:
        """Start or stop writing to the recording."""
        self._source.set_recording(on=on)

    def stop(self, *, keep_raw: bool = False) -> None:
        """Stop it; its recording is then whole, or removed unless it is to be kept."""
        raw, self._raw, self._state = self._raw, None, None
        try:
            self._source.stop()
        finally:
            if raw is not None and not keep_raw:
                raw.unlink(missing_ok=True)

    def worked(self) -> None:
        """Forget earlier faults: it gave what was wanted."""
        self._faults = 0

    def recover(self, fault: CameraFaultError) -> None:
        """Stop a camera that failed, to be started anew; the second time it is reset too.

        Raises:
            CaptureError: Both were done already.
        """
        self._faults += 1
        self._pairs = 0
        with suppress(MiraError):
            self.stop()
        if self._faults > 2:
            raise CaptureError(
                fault.where,
                f"{fault.problem}; starting it again and resetting it did not help",
                "plug it into a USB 3 port again and run the same command",
            ) from fault
        if self._faults == 1:
            self._tell(f"{fault}; starting it again")
            return
        self._tell(f"{fault}; resetting it")
        try:
            self._source.reset()
        except CameraFaultError as failed:
            self._tell(str(failed))

    def asked(self) -> CameraSettings:
        """What it was asked for."""
        request = self._request
        streams: tuple[tuple[Stream, tuple[int, int], str], ...] = (
            ("depth", request.depth, "z16"),
            ("color", request.color, "rgb8"),
        )
        return CameraSettings(
            streams=tuple(
                StreamSettings(
                    stream=stream,
                    width_px=size[0],
                    height_px=size[1],
                    fps=request.fps,
                    pixel_format=pixel_format,
                )
                for stream, size, pixel_format in streams
            ),
            preset=request.preset,
            options=request.options,
        )

    def actual(self) -> CameraSettings:
        """What it does, as it says itself."""
        return CameraSettings(
            streams=self.state.streams,
            preset=self.control.preset(),
            options=self.control.options(),
        )

    def _start(self, record_to: Path | None) -> None:
        self._raw = record_to
        self._state = self._source.start(record_to=record_to)
        self.rule = PairRule(max_dt_ms(self._state, self._policy))
        self._apply_settings()
        if not self._has_run:
            self._tell_of_smaller_modes(self._state)
        warmed = warm_up(self.next_pair, self._policy)
        if not warmed.is_stable:
            self._tell(f"exposure still changes after {warmed.pairs} frames; going on")

    def _apply_settings(self) -> None:
        request, control = self._request, self._source.control
        is_live = self._source.kind == "live"
        # A preset goes on after the start: with the start itself the camera applies its own.
        if is_live and request.preset is not None:
            control.apply_preset(request.preset)
        if is_live and request.advanced_json is not None:
            path = self._plan_folder / request.advanced_json
            control.apply_advanced(read_advanced(path), where=path)
        there = control.options()
        for name, value in request.options.items():
            if not is_live and name not in there:
                if not self._has_run:
                    self._tell(f"{name}: a simulated camera has no such option; going on")
                continue
            control.set_option(name, value)

    def _tell_of_smaller_modes(self, state: CameraState) -> None:
        asked = {stream.stream: stream for stream in self.asked().streams}
        usb = f" by USB {state.device.usb_type}" if state.device.usb_type else ""
        for runs in state.streams:
            wanted = asked[runs.stream]
            if _mode(runs) != _mode(wanted) and not self._request.step_down:
                raise CaptureError(
                    self._source.name,
                    f"expected {runs.stream} {_mode(wanted)}, found {_mode(runs)}",
                )
            if _mode(runs) != _mode(wanted):
                self._tell(f"{runs.stream} runs {_mode(runs)}{usb}, not {_mode(wanted)}")


def _mode(stream: StreamSettings) -> str:
    return f"{stream.width_px}x{stream.height_px}@{stream.fps}"
