"""Records a plan: views are taken one after the other, and written while the next is taken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from capture.policy import CapturePolicy
from capture.recording.raw_file import count_frames, partial_recording
from capture.recording.running_camera import EndOfFramesError, RunningCamera, Tell
from capture.recording.taking import Take, let_go, take_burst
from capture.recording.watching import Command, Standing, Watch
from capture.recording.writer import ViewWriter
from capture.sources.frames import CameraFaultError, FramePair, FrameSource
from mira.errors import CaptureError, MiraError
from mira.schema.capture_plan import CapturePlan
from mira.store.atomic import exclusive, os_faults
from mira.store.session import Session

_LOCK_NAME = ".capture.lock"
_EMITTER = "depth.emitter_enabled"
_RAW_SPARE_PAIRS = 2
"""Pairs that are on their way when recording starts are not in the file."""
_PICTURE_BYTES_PX = 8
"""Bytes a pixel that the pictures of a view take at most: colour, and depth twice."""


class PlannedView(NamedTuple):
    """A view of the plan."""

    scene_id: str
    view_id: str

    def __str__(self) -> str:
        return f"{self.scene_id}/{self.view_id}"


class Recorded(NamedTuple):
    """What became of a plan."""

    committed: tuple[PlannedView, ...]
    """Views that were recorded now, in the plan's order."""
    kept: int
    """Views that were there already."""
    failed: tuple[PlannedView, ...]
    """Views that could not be taken; the journal says why."""
    left: int
    """Views that nobody took."""


class DiskFullError(CaptureError):
    """There is too little room to go on."""


class Recorder:
    """Records one plan into one session."""

    def __init__(
        self,
        source: FrameSource,
        session: Session,
        plan: CapturePlan,
        *,
        policy: CapturePolicy,
        watch: Watch,
        tell: Tell,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
        plan_folder: Path = Path(),
        retake: frozenset[PlannedView] = frozenset(),
    ) -> None:
        """Set up a recording; nothing is opened or written yet.

        Args:
            source: The camera.
            session: Where the views go; it is there already.
            plan: What to record.
            policy: Thresholds.
            watch: Says when to take a view.
            tell: Told what a person should know.
            progress: Told how many views are written, and how many there are to write.
            plan_folder: Where files that the plan names are.
            retake: Committed views that are taken again.
        """
        self._session, self._plan, self._policy = session, plan, policy
        self._watch, self._tell, self._progress = watch, tell, progress
        self._retake = retake
        self._camera = RunningCamera(
            source, plan.camera, policy=policy, tell=tell, plan_folder=plan_folder
        )
        self._committed: set[PlannedView] = set()
        self._failed: list[PlannedView] = []

    def run(self) -> Recorded:
        """Record what is left of the plan.

        Raises:
            CaptureError: There is no camera, it stays away, or there is too little disk.
            MiraError: Another process records this session, or it cannot be written.
        """
        with exclusive(self._session.root / _LOCK_NAME, self._session.root):
            self._session.clean()
            for scene in self._plan.scenes:
                self._session.write_scene(scene.scene(operator=self._plan.operator))
            planned = self._planned()
            todo = [view for view in planned if view in self._retake or not self._is_there(view)]
            self._note_planned(todo)
            try:
                self._record(todo)
            finally:
                with suppress(MiraError):
                    self._camera.stop()
        return Recorded(
            committed=tuple(view for view in todo if view in self._committed),
            kept=len(planned) - len(todo),
            failed=tuple(self._failed),
            left=len(todo) - len(self._committed) - len(self._failed),
        )

    # The plan

    def _planned(self) -> list[PlannedView]:
        return [
            PlannedView(scene.scene_id, view_id)
            for scene in self._plan.scenes
            for view_id in scene.views
        ]

    def _is_there(self, view: PlannedView) -> bool:
        return view.view_id in self._session.committed(view.scene_id)

    def _note_planned(self, todo: list[PlannedView]) -> None:
        known = {(entry.scene_id, entry.view_id) for entry in self._session.journal()}
        for view in todo:
            if view not in known:
                self._session.note("planned", *view)

    def _record(self, todo: list[PlannedView]) -> None:
        def written(scene_id: str, view_id: str) -> None:
            self._committed.add(PlannedView(scene_id, view_id))
            self._progress(len(self._committed), len(todo))

        writer = ViewWriter(
            self._session,
            waiting=self._policy.waiting_views,
            writers=self._policy.writers,
            replace=bool(self._retake),
            written=written,
        )
        message, number = "", 0
        with writer:
            while number < len(todo):
                standing = Standing(*todo[number], number + 1, len(todo), message)
                try:
                    command, message = self._one(todo[number], standing, writer)
                except CameraFaultError as fault:
                    # The camera, not the view, is at fault: bring it back and offer the view again.
                    self._session.note("failed", *todo[number], reason=str(fault))
                    self._camera.recover(fault)
                    message = str(fault)
                    continue
                if command is Command.QUIT:
                    return
                if command is not Command.WAIT:
                    number += 1

    def _one(
        self, view: PlannedView, standing: Standing, writer: ViewWriter
    ) -> tuple[Command, str]:
        """What was done about a view, `WAIT` when it is to be offered again; and that in words."""
        self._ensure_running(view)
        command = self._wait(standing, writer)
        if command is not Command.KEEP:
            return command, f"{view} skipped"
        try:
            self._require_space(view)
            self._session.note("started", *view)
            writer.submit(self._take(view))
        except (CameraFaultError, DiskFullError, EndOfFramesError):
            raise
        except CaptureError as error:
            self._session.note("failed", *view, reason=str(error))
            self._tell(f"{view}: {error}")
            if self._watch.wants_again(standing, str(error)):
                return Command.WAIT, str(error)
            self._failed.append(view)
            return Command.SKIP, str(error)
        self._camera.worked()
        return command, f"{view} taken"

    def _wait(self, standing: Standing, writer: ViewWriter) -> Command:
        """Show frames until there is a command, and room for what it asks for."""
        while True:
            pair = self._camera.next_pair()
            # Frames go on coming while the writer is busy; nobody is asked meanwhile.
            if writer.has_room():
                command = self._watch.show(pair, self._camera.state, standing)
                if command is not Command.WAIT:
                    return command

    # One view

    def _ensure_running(self, view: PlannedView) -> None:
        """The camera runs, with a recording of its own for this view where one is wanted."""
        if not self._plan.raw_pairs:
            if not self._camera.is_running:
                self._camera.start()
            return
        if self._camera.is_running and self._camera.raw is not None:
            return
        self._camera.stop()
        folder = self._session.view_folder(*view).parent
        with os_faults(folder):
            folder.mkdir(exist_ok=True)
        self._camera.start(record_to=partial_recording(folder, view.view_id))

    def _take(self, view: PlannedView) -> Take:
        raw = self._camera.raw
        try:
            return self._take_with(view, raw)
        except BaseException:
            if raw is not None:
                # What it holds is of no use; the next attempt begins a new one.
                with suppress(MiraError):
                    self._camera.stop()
                raw.unlink(missing_ok=True)
            raise

    def _take_with(self, view: PlannedView, raw: Path | None) -> Take:
        camera, plan = self._camera, self._plan
        if raw is not None:
            camera.set_recording(on=True)
        pairs = self._burst(until=plan.raw_pairs + _RAW_SPARE_PAIRS if raw is not None else 0)
        state, settings = camera.state, camera.settings()
        if raw is not None:
            # The file is whole only when the camera is stopped.
            camera.stop(keep_raw=True)
            self._require_raw(raw, view)
        emitter_off = self._burst_without_emitter() if plan.emitter_pair else ()
        return Take(*view, pairs, emitter_off, state, settings, raw)

    def _burst(self, *, until: int = 0) -> tuple[FramePair, ...]:
        camera = self._camera
        keep = self._plan.burst_pairs
        return take_burst(camera.next_pair, camera.rule, self._policy, keep=keep, until=until)

    def _burst_without_emitter(self) -> tuple[FramePair, ...]:
        """A second burst with the projector off; afterwards it is as it was before."""
        if not self._camera.is_running:
            self._camera.start()
        control, settle = self._camera.control, self._policy.emitter_settle_pairs
        before = control.options().get(_EMITTER)
        if before is None:
            raise CaptureError("emitter_pair", "cannot be taken: the camera has no projector")
        try:
            control.set_option(_EMITTER, 0.0)
            let_go(self._camera.next_pair, settle)
            return self._burst()
        finally:
            with suppress(CaptureError):
                control.set_option(_EMITTER, before)
                let_go(self._camera.next_pair, settle)

    def _require_space(self, view: PlannedView) -> None:
        """Enough room for this view and those that wait, beside what is left alone."""
        color, depth = (
            width * height for width, height in (self._plan.camera.color, self._plan.camera.depth)
        )
        raw_bytes = self._plan.raw_pairs * (3 * color + 2 * depth)
        view_bytes = _PICTURE_BYTES_PX * (color + depth) + raw_bytes
        needed = view_bytes * (1 + self._policy.waiting_views) + self._policy.reserve_bytes
        with os_faults(self._session.root):
            free = shutil.disk_usage(self._session.root).free
        if free < needed:
            expected = f"expected {needed / 1e6:,.0f} MB of free disk to take {view}"
            problem = f"{expected}, found {free / 1e6:,.0f} MB"
            raise DiskFullError(self._session.root, problem, "make room and run it again")

    def _require_raw(self, raw: Path, view: PlannedView) -> None:
        """The recording holds what was asked for: the SDK loses frames without a word."""
        counts = count_frames(raw)
        if min(counts) < self._plan.raw_pairs:
            raise CaptureError(
                f"{view}: raw_pairs",
                f"expected {self._plan.raw_pairs} frames of each stream in the recording, "
                f"found {counts.depth} of depth and {counts.color} of color",
            )
