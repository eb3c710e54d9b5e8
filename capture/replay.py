"""Views out of a recording: every pair is looked at, the good ones are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from capture.pairing import PairRule, Refusal, RefusalCode, max_dt_ms
from capture.policy import CapturePolicy
from capture.recording.taking import Take
from capture.recording.writer import ViewWriter
from capture.sources.frames import CameraState, FrameSource
from mira.errors import CaptureError
from mira.schema.capture import FrameTiming, Scene
from mira.schema.record import FileRef
from mira.schema.session import CameraSettings, CaptureSettings
from mira.store.session import Session

_WAIT_S = 0.1
_SILENT_WAITS = 100
"""Waits without a frame after which a recording that has not ended is taken for damaged."""


class RefusedPair(NamedTuple):
    """A pair that is not kept."""

    timing: FrameTiming
    """Its numbers and times."""
    refusal: Refusal
    """Why."""


class Replayed(NamedTuple):
    """What a recording gave."""

    state: CameraState
    """The camera that it was recorded with."""
    pairs: int
    """Pairs that came."""
    good: int
    """Pairs that are good."""
    refused: tuple[RefusedPair, ...]
    """The others."""
    views: tuple[str, ...]
    """Views that were written now."""
    kept: int
    """Views that were there already."""

    @property
    def reasons(self) -> dict[RefusalCode, int]:
        """Refused pairs by code."""
        return dict(Counter(pair.refusal.code for pair in self.refused))


class ReplayTarget(NamedTuple):
    """Where views go."""

    session: Session
    """Their session."""
    scene: Scene
    """The scene that all are of."""
    recording: FileRef | None = None
    """The recording, which the views name."""
    every: int = 1
    """Of so many good pairs one becomes a view."""
    limit: int | None = None
    """Most views; all when missing."""


def replay(
    source: FrameSource,
    *,
    policy: CapturePolicy,
    target: ReplayTarget | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Replayed:
    """Look at all pairs of a recording, and write views where that is wanted.

    Args:
        source: The recording.
        policy: Thresholds.
        target: Where views go; they are named by their colour frames. None to look alone.
        progress: Told how many pairs have come.

    Raises:
        CaptureError: The recording cannot be read, or stops before its end.
        MiraError: A view cannot be written.
    """
    state = source.start()
    try:
        found = _Found(state, policy, target)
        if target is None:
            found.read(source, None, progress)
        else:
            if target.scene.scene_id not in target.session.scenes():
                target.session.write_scene(target.scene)
            with ViewWriter(
                target.session,
                waiting=policy.waiting_views,
                writers=policy.writers,
                written=lambda _scene, view: found.written.append(view),
            ) as writer:
                found.read(source, writer, progress)
    finally:
        source.stop()
    return Replayed(
        state=state,
        pairs=found.pairs,
        good=found.good,
        refused=tuple(found.refused),
        views=tuple(sorted(found.written)),
        kept=found.kept,
    )


class _Found:
    """What has come of a recording so far."""

    def __init__(
        self, state: CameraState, policy: CapturePolicy, target: ReplayTarget | None
    ) -> None:
        self._state, self._policy, self._target = state, policy, target
        self._rule = PairRule(max_dt_ms(state, policy))
        self._there = set(target.session.committed(target.scene.scene_id)) if target else set()
        self.pairs = self.good = self.kept = 0
        self.refused: list[RefusedPair] = []
        self.written: list[str] = []

    def read(
        self,
        source: FrameSource,
        writer: ViewWriter | None,
        progress: Callable[[int, int], None],
    ) -> None:
        chosen = waits = 0
        options = source.control.options()
        while True:
            pair = source.next_pair(_WAIT_S)
            if pair is None:
                waits += 1
                if source.ended:
                    return
                if waits >= _SILENT_WAITS:
                    raise CaptureError(
                        "recording", f"gives no more frames after {self.pairs} pairs"
                    )
                continue
            waits = 0
            self.pairs += 1
            progress(self.pairs, 0)
            if refusal := self._rule.accept(pair):
                self.refused.append(RefusedPair(pair.timing, refusal))
                continue
            self.good += 1
            target = self._target
            if target is None or writer is None or (self.good - 1) % target.every:
                continue
            if target.limit is not None and chosen >= target.limit:
                continue
            chosen += 1
            view_id = f"f{pair.timing.color_frame:06d}"
            if view_id in self._there:
                self._require_same(target, view_id, pair.timing)
                self.kept += 1
                continue
            settings = CameraSettings(streams=self._state.streams, options=options)
            writer.submit(
                Take(
                    target.scene.scene_id,
                    view_id,
                    pairs=(pair,),
                    emitter_off=(),
                    state=self._state,
                    settings=CaptureSettings(asked=settings, actual=settings),
                    inputs=(target.recording,) if target.recording else (),
                )
            )

    def _require_same(self, target: ReplayTarget, view_id: str, timing: FrameTiming) -> None:
        """A view that is there is of this recording, not of another with the same numbers."""
        frame = target.session.read_frame(target.scene.scene_id, view_id)
        inputs = (target.recording,) if target.recording else ()
        if frame.timing != timing or frame.inputs != inputs:
            where = target.session.view_folder(target.scene.scene_id, view_id)
            problem = "holds this frame number of another recording"
            raise CaptureError(where, problem, "use another --scene")
