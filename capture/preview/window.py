"""The preview window: frames are shown, keys are commands."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import cv2
from cv2.typing import MatLike

from capture.policy import CapturePolicy
from capture.preview.picture import preview_picture
from capture.recording.watching import Command, Standing
from capture.sources.frames import CameraState, FramePair
from mira.errors import CaptureError

_TITLE = "mira capture"
_KEYS = {
    ord(" "): Command.KEEP,
    13: Command.KEEP,
    ord("s"): Command.SKIP,
    ord("q"): Command.QUIT,
    27: Command.QUIT,
}
_SEEN_FRAMES = 10
_PROBE_S = 60
_PROBE = "import cv2; cv2.namedWindow('mira capture'); cv2.waitKey(1)"


class PreviewWindow:
    """A `Watch` for a person."""

    def __init__(self, policy: CapturePolicy) -> None:
        """Open the window.

        Raises:
            CaptureError: There is no screen that it could open on.
        """
        _require_screen()
        self._policy = policy
        self._show_holes = True
        self._asked_for, self._frames = ("", ""), 0
        cv2.namedWindow(_TITLE, cv2.WINDOW_AUTOSIZE | cv2.WINDOW_GUI_NORMAL)

    def show(self, pair: FramePair, state: CameraState, standing: Standing) -> Command:
        """Show a pair; the key that was pressed meanwhile is the command."""

        def _drawn(standing: Standing) -> MatLike:
            picture = preview_picture(
                pair, state, standing, policy=self._policy, show_holes=self._show_holes
            )
            return cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)

        if not _is_open():
            return Command.QUIT
        cv2.imshow(_TITLE, _drawn(standing))
        key = ord(chr(cv2.waitKey(1) & 0xFF).lower())
        if not _is_open():
            return Command.QUIT
        if key == ord("d"):
            self._show_holes = not self._show_holes
        command = _KEYS.get(key, Command.WAIT)
        if (standing.scene_id, standing.view_id) != self._asked_for:
            self._asked_for, self._frames = (standing.scene_id, standing.view_id), 0
        self._frames += 1
        if command is Command.KEEP and self._frames < _SEEN_FRAMES:
            # A key that was pressed twice, or for the view before: nobody has seen this one yet.
            return Command.WAIT
        if command is Command.KEEP:
            cv2.imshow(_TITLE, _drawn(replace(standing, message="taking, hold still")))
            cv2.waitKey(1)
        return command

    def wants_again(self, standing: Standing, reason: str) -> bool:  # noqa: ARG002
        """Always: the person sees why, and can move, skip or quit."""
        return True

    def close(self) -> None:
        """Close the window."""
        if _is_open():
            cv2.destroyWindow(_TITLE)


def _is_open() -> bool:
    """Whether the window is there; people close windows."""
    try:
        return cv2.getWindowProperty(_TITLE, cv2.WND_PROP_VISIBLE) >= 1
    except cv2.error:
        return False


def _require_screen() -> None:
    """A process of its own tries: without a screen the window toolkit ends the process it is in."""
    command = [sys.executable, "-c", _PROBE]
    try:
        probe = subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False)
        opened = probe.returncode == 0
    except subprocess.TimeoutExpired:
        opened = False
    if not opened:
        problem = "cannot open a window: no screen, or an OpenCV without windows"
        raise CaptureError("preview", problem, "use --headless")
