"""A camera that is started as a plan wants it, warmed up, and brought back when it stalls."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from capture.pairing import PairRule, max_dt_ms
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
from mira.schema.session import CameraSettings, CaptureSettings, StreamSettings
from mira.store.atomic import os_faults

_LOOK_AGAIN_S = 0.5

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
            tell: Told of restarts, and of exposure that does not settle.
            plan_folder: Where files that the request names are.
        """
        self._source, self._request, self._policy = source, request, policy
        self._tell, self._plan_folder = tell, plan_folder
        self._state: CameraState | None = None
        self._raw: Path | None = None
        self._faults = 0
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
            raise CaptureError("camera", "does not run")
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
            CameraFaultError: It had failed before, and does not come back.
            CaptureError: There is none, or it cannot run so.
        """
        until = time.monotonic() + (self._policy.comes_back_s if self._faults else 0.0)
        while True:
            try:
                self._start(record_to)
            except CaptureError as error:
                with suppress(MiraError):
                    self.stop()
                if not self._faults:
                    raise
                if time.monotonic() >= until:
                    raise CameraFaultError(error.where, error.problem, error.fix) from error
                time.sleep(_LOOK_AGAIN_S)
            else:
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
                return pair
            if self._source.ended:
                raise EndOfFramesError("camera", "has no more frames")
        raise CameraFaultError("camera", f"sent no frame for {2 * self._policy.stall_s:g} s")

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
        if self._faults > 2:
            raise CaptureError(
                fault.where,
                f"{fault.problem}; starting it again and resetting it did not help",
                "plug it into a USB 3 port again and run the same command",
            ) from fault
        if self._faults == 2:
            self._tell(f"{fault}; resetting it")
            with suppress(CaptureError):
                self._source.control.reset()
        else:
            self._tell(f"{fault}; starting it again")
        with suppress(MiraError):
            self.stop()

    def settings(self) -> CaptureSettings:
        """What it was asked for and what it does."""
        request = self._request
        streams = (("depth", request.depth, "z16"), ("color", request.color, "rgb8"))
        asked = tuple(
            StreamSettings.model_validate(
                {
                    "stream": stream,
                    "width_px": size[0],
                    "height_px": size[1],
                    "fps": request.fps,
                    "pixel_format": pixel_format,
                }
            )
            for stream, size, pixel_format in streams
        )
        is_live = self._source.kind == "live"
        return CaptureSettings(
            asked=CameraSettings(streams=asked, preset=request.preset, options=request.options),
            actual=CameraSettings(
                streams=self.state.streams,
                preset=request.preset if is_live else None,
                options=self.control.options(),
            ),
        )

    def _start(self, record_to: Path | None) -> None:
        self._raw = record_to
        self._state = self._source.start(record_to=record_to)
        self.rule = PairRule(max_dt_ms(self._state, self._policy))
        self._apply_settings()
        warmed = warm_up(self.next_pair, self._policy)
        if not warmed.is_stable:
            self._tell(f"exposure still changes after {warmed.pairs} frames; going on")

    def _apply_settings(self) -> None:
        request, control = self._request, self._source.control
        # A simulated camera has options alone.
        if self._source.kind == "live":
            if request.preset is not None:
                control.apply_preset(request.preset)
            if request.advanced_json is not None:
                path = self._plan_folder / request.advanced_json
                with os_faults(path):
                    control.apply_advanced(path.read_text(), where=path)
        for name, value in request.options.items():
            control.set_option(name, value)
