"""Records a plan: views are taken one after the other, and written while the next is taken."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2

from capture.policy import CapturePolicy
from capture.recording.disk_room import DiskFullError, require_room
from capture.recording.running_camera import EndOfFramesError, RunningCamera, Tell
from capture.recording.view_taking import ViewTaker
from capture.recording.watching import Command, Standing, Watch
from capture.recording.writer import ViewWriter
from capture.sources.frames import CameraFaultError, FrameSource
from mira.errors import CaptureError, MiraError, RecordError
from mira.render.quality import measure_sharpness
from mira.schema.capture_plan import CapturePlan, PlannedView
from mira.store.session import Session


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
        self._taker = ViewTaker(self._camera, plan, policy)
        self._committed: set[PlannedView] = set()
        self._failed: list[PlannedView] = []

    def run(self) -> Recorded:
        """Record what is left of the plan.

        Raises:
            CaptureError: There is no camera, it stays away, or there is too little disk.
            MiraError: Another process records this session, or it cannot be written.
        """
        with self._session.lock():
            self._session.clean()
            self._write_scenes()
            planned = self._plan.planned_views()
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

    def _write_scenes(self) -> None:
        """Scenes as the plan has them; what it does not say stays as the session has it."""
        known = set(self._session.scenes())
        for scene in self._plan.scenes:
            held = self._session.read_scene(scene.scene_id) if scene.scene_id in known else None
            made = scene.scene(operator=self._plan.operator, held=held)
            if made != held:
                self._session.write_scene(made)

    def _is_there(self, view: PlannedView) -> bool:
        return view.view_id in self._session.committed(view.scene_id)

    def _note_planned(self, todo: list[PlannedView]) -> None:
        try:
            known = {(entry.scene_id, entry.view_id) for entry in self._session.journal()}
        except RecordError as error:
            # The folders decide what is there; a damaged line must not stop the crew.
            self._tell(f"{error}; going on")
            known = set()
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
        folder = self._session.view_folder(*view).parent
        self._taker.prepare(view, folder)
        command = self._wait(standing, writer)
        if command is not Command.KEEP:
            return command, f"{view} skipped"
        try:
            require_room(self._session.root, self._plan, policy=self._policy, what=str(view))
            self._session.note("started", *view)
            take = self._taker.take(view, replace=view in self._retake)
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
        writer.submit(take)
        grey = cv2.cvtColor(take.pairs[0].color, cv2.COLOR_RGB2GRAY)
        return command, f"{view} taken, sharpness {measure_sharpness(grey):.0f}"

    def _wait(self, standing: Standing, writer: ViewWriter) -> Command:
        """Show frames until there is a command, and room for what it asks for."""
        while True:
            pair = self._camera.next_pair()
            has_room = writer.has_room()
            shown = standing if has_room else replace(standing, message="writing views ...")
            command = self._watch.show(pair, self._camera.state, shown)
            if command is Command.QUIT or (has_room and command is not Command.WAIT):
                return command
