"""A simulated camera: the SDK's own software device, fed with frames of one's choice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from capture.sources.frames import FramePair, SourceKind
from capture.sources.pipeline import PipelineSource, Started
from capture.sources.software_device import SimulatedCamera, SimulatedFrames, SoftwareDevice

_NEXT_S = 0.05
"""How long frames that were sent are waited for before the next are."""


class SimulatedSource(PipelineSource):
    """A simulated camera as a `FrameSource`.

    In step, it makes the next frames when it is asked for them, so that none is ever lost and every
    run is like the other. Paced, it sends them at the camera's rate whoever asks, as a real one.
    """

    kind: SourceKind = "simulated"

    def __init__(self, camera: SimulatedCamera, *, paced: bool = False) -> None:
        """Set up a camera; raises as `PipelineSource` does."""
        super().__init__()
        self._camera, self._paced = camera, paced
        self._software: SoftwareDevice | None = None
        self._frames: Iterator[SimulatedFrames] = iter(())
        self._feeder: _Feeder | None = None
        self._spent = True

    @property
    def name(self) -> str:
        """Its name."""
        return "simulated camera"

    @property
    def ended(self) -> bool:
        """Whether it has sent its last frame, and that has come."""
        return self._spent

    def _start(self, pipeline: Any, record_to: Path | None) -> Started:
        self._software = SoftwareDevice(self._sdk, self._camera)
        pipeline.set_device(self._recording(self._software.device, record_to))
        profile = pipeline.start(self._software.config())
        self._frames, self._spent = iter(self._camera.frames(self._software.options)), False
        if self._paced:
            self._feeder = _Feeder(self._software, self._frames, fps=self._camera.fps)
        return Started(self._software.device, profile)

    def next_pair(self, timeout_s: float) -> FramePair | None:
        """The next pair, or None; see `FrameSource`."""
        return self._paced_pair(timeout_s) if self._feeder else self._pair_in_step(timeout_s)

    def _pair_in_step(self, timeout_s: float) -> FramePair | None:
        # What is under way comes before what is made; nothing else makes frames meanwhile.
        pair = super().next_pair(0.001)
        until = time.monotonic() + timeout_s
        while pair is None and not self._spent and self._software is not None:
            frames = next(self._frames, None)
            if frames is None:
                self._spent = True
            elif frames.color is None and frames.depth is None:
                return None
            else:
                self._software.send(frames)
            pair = super().next_pair(min(timeout_s, _NEXT_S))
            if time.monotonic() > until:
                break
        return pair

    def _paced_pair(self, timeout_s: float) -> FramePair | None:
        assert self._feeder is not None
        # Asked before the wait: what is sent during it may have come too late for it.
        was_sending = self._feeder.is_alive()
        pair = super().next_pair(timeout_s)
        if pair is None and not was_sending:
            self._feeder.raise_fault()
            self._spent = True
        return pair

    def _release(self) -> None:
        if self._feeder is not None:
            self._feeder.end()
        self._feeder = self._software = None
        self._frames, self._spent = iter(()), True


class _Feeder:
    """Sends frames at a camera's rate from a thread of its own."""

    def __init__(
        self, software: SoftwareDevice, frames: Iterator[SimulatedFrames], *, fps: int
    ) -> None:
        self._ends = threading.Event()
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._run, args=(software, frames, fps), daemon=True)
        self._thread.start()

    def _run(self, software: SoftwareDevice, frames: Iterator[SimulatedFrames], fps: int) -> None:
        due = time.monotonic()
        try:
            for given in frames:
                if self._ends.wait(max(0.0, due - time.monotonic())):
                    return
                software.send(given)
                due += 1 / fps
        except Exception as error:
            self._fault = error

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def raise_fault(self) -> None:
        if self._fault is not None:
            raise self._fault

    def end(self) -> None:
        self._ends.set()
        self._thread.join()
