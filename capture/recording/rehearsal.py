"""Recording without a camera: a crew that walks through simulated scenes."""

from __future__ import annotations

from capture.recording.watching import Command, Standing, Watch
from capture.sources.frames import CameraState, FramePair
from capture.sources.session_frames import SessionScenery
from mira.schema.capture_plan import CapturePlan

_STEADY_FRAMES = 5
"""Frames of the view before may be under way."""


class WalkingCrew:
    """A `Watch` that carries a simulated camera from view to view, and asks another one when."""

    def __init__(self, scenery: SessionScenery, watch: Watch, plan: CapturePlan) -> None:
        """Stand before the first view.

        Args:
            scenery: What there is to see; each scene of the plan is one of it.
            watch: Says when.
            plan: Where the views are in their scenes.
        """
        self._scenery, self._watch = scenery, watch
        self._places = {
            (scene.scene_id, view_id): (number, turn)
            for number, scene in enumerate(plan.scenes)
            for turn, view_id in enumerate(scene.views)
        }
        self._number, self._frames = 0, 0

    def show(self, pair: FramePair, state: CameraState, standing: Standing) -> Command:
        """Go where the plan is, then ask."""
        if standing.number != self._number:
            self._number, self._frames = standing.number, 0
            self._scenery.look_at(*self._places[standing.scene_id, standing.view_id])
        self._frames += 1
        if self._frames <= _STEADY_FRAMES:
            return Command.WAIT
        return self._watch.show(pair, state, standing)

    def wants_again(self, standing: Standing, reason: str) -> bool:
        """What the other one says."""
        return self._watch.wants_again(standing, reason)

    def close(self) -> None:
        """As the other one."""
        self._watch.close()
