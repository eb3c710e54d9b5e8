"""One view of a plan out of a running camera."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from capture.policy import CapturePolicy
from capture.recording.raw_file import count_frames, partial_recording, recording_fault
from capture.recording.running_camera import RunningCamera
from capture.recording.taking import Take, let_go, take_burst
from capture.sources.frames import CameraFaultError, FramePair
from mira.errors import CaptureError, MiraError
from mira.schema.capture_plan import CapturePlan, PlannedView
from mira.schema.session import CaptureSettings
from mira.store.atomic import os_faults

_EMITTER = "depth.emitter_enabled"
_SPARE_PAIRS = 2
"""Pairs that are on their way when recording starts are not in the file."""


class ViewTaker:
    """Takes views as a plan wants them."""

    def __init__(self, camera: RunningCamera, plan: CapturePlan, policy: CapturePolicy) -> None:
        """Take views from one camera."""
        self._camera, self._plan, self._policy = camera, plan, policy

    def prepare(self, view: PlannedView, folder: Path) -> None:
        """Let the camera run, with a recording of its own for the view where one is wanted.

        Args:
            view: The view.
            folder: Where the view's folder will be.
        """
        camera = self._camera
        if not self._plan.raw_pairs:
            if not camera.is_running:
                camera.start()
            return
        if camera.is_running and camera.raw is not None:
            return
        camera.stop()
        with os_faults(folder):
            folder.mkdir(exist_ok=True)
        camera.start(record_to=partial_recording(folder, view.view_id))

    def take(self, view: PlannedView, *, replace: bool) -> Take:
        """Take a view; its recording is left to whoever writes it, or removed.

        Raises:
            CameraFaultError: The camera failed.
            CaptureError: No good pairs came, or the recording lost frames.
        """
        raw = self._camera.raw
        try:
            return self._take(view, raw, replace=replace)
        except BaseException:
            if raw is not None:
                # What it holds is of no use; the next attempt begins a new one.
                with suppress(MiraError):
                    self._camera.stop()
                raw.unlink(missing_ok=True)
            raise

    def _take(self, view: PlannedView, raw: Path | None, *, replace: bool) -> Take:
        camera, plan = self._camera, self._plan
        if raw is not None:
            camera.set_recording(on=True)
        pairs = self._burst(until=plan.raw_pairs + _SPARE_PAIRS if raw is not None else 0)
        if raw is not None:
            camera.set_recording(on=False)
        state = camera.state
        settings = CaptureSettings(
            asked=camera.asked(),
            actual=camera.actual(),
            burst_pairs=len(pairs),
            raw_pairs=plan.raw_pairs,
        )
        emitter_off = self._burst_without_emitter() if plan.emitter_pair else ()
        if raw is not None:
            # The file is whole only when the camera is stopped.
            camera.stop(keep_raw=True)
            if fault := recording_fault(count_frames(raw), plan.raw_pairs):
                raise CaptureError(f"{view}: raw_pairs", fault)
        return Take(*view, pairs, emitter_off, state, settings, raw, replace=replace)

    def _burst(self, *, until: int = 0) -> tuple[FramePair, ...]:
        camera, keep = self._camera, self._plan.burst_pairs
        return take_burst(camera.next_pair, camera.rule, self._policy, keep=keep, until=until)

    def _burst_without_emitter(self) -> tuple[FramePair, ...]:
        """A second burst with the projector off; afterwards it is as the plan wants it."""
        camera, settle = self._camera, self._policy.emitter_settle_pairs
        if _EMITTER not in camera.control.options():
            raise CaptureError("emitter_pair", "cannot be taken: the camera has no projector")
        try:
            camera.control.set_option(_EMITTER, 0.0)
            let_go(camera.next_pair, settle)
            return self._burst()
        finally:
            try:
                camera.control.set_option(_EMITTER, self._plan.camera.options[_EMITTER])
                let_go(camera.next_pair, settle)
            except CaptureError as error:
                # All later views would be dark: a new start sets it again.
                problem = f"{error.problem}; the projector may be off"
                raise CameraFaultError(error.where, problem) from error
