"""Who looks on while a session is recorded, and says when."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from capture.sources.frames import CameraState, FramePair


class Command(Enum):
    """What is to happen next."""

    WAIT = "wait"
    """Nothing yet."""
    KEEP = "keep"
    """Take the view now."""
    SKIP = "skip"
    """Leave this view out for now."""
    QUIT = "quit"
    """End; the plan can be gone on with."""


@dataclass(frozen=True)
class Standing:
    """Where recording stands.

    Attributes:
        scene_id: Scene of the next view.
        view_id: The next view.
        number: Its place among the views of this run, from 1.
        total: Views of this run.
        message: What happened last, in one line; empty for nothing.
    """

    scene_id: str
    view_id: str
    number: int
    total: int
    message: str = ""


class Watch(Protocol):
    """Somebody, or something, that says when to take a view."""

    def show(self, pair: FramePair, state: CameraState, standing: Standing) -> Command:
        """Look at a pair of the running camera, and say what is to happen."""

    def wants_again(self, standing: Standing, reason: str) -> bool:
        """Whether a view that could not be taken is offered again at once."""

    def close(self) -> None:
        """Look away; nothing more is shown."""


class TakeAtOnce:
    """Takes every view as soon as it can, with a pause between them; a `Watch` for no hands."""

    def __init__(self, *, pause_s: float = 0.0) -> None:
        """Say how long to wait before each view but the first.

        Args:
            pause_s: Seconds.
        """
        self._pause_s = pause_s
        self._due = 0.0

    def show(self, pair: FramePair, state: CameraState, standing: Standing) -> Command:  # noqa: ARG002
        """Keep, when the time has come."""
        now = time.monotonic()
        if now < self._due:
            return Command.WAIT
        self._due = now + self._pause_s
        return Command.KEEP

    def wants_again(self, standing: Standing, reason: str) -> bool:  # noqa: ARG002
        """Never: nothing would be otherwise."""
        return False

    def close(self) -> None:
        """Nothing is open."""
