"""Which of its modes a camera is to run in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mira.errors import CaptureError
from mira.schema.capture_plan import CameraRequest, Size


class Mode(NamedTuple):
    """How one stream can run."""

    size: Size
    """Width and height, pixels."""
    fps: int
    """Frames a second."""

    def __str__(self) -> str:
        return f"{self.size[0]}x{self.size[1]}@{self.fps}"


class Modes(NamedTuple):
    """How both streams run, or can."""

    depth: Mode
    color: Mode


def choose_modes(
    request: CameraRequest,
    *,
    depth: Iterable[Mode],
    color: Iterable[Mode],
    where: str,
) -> Modes:
    """The modes asked for, or the nearest below them.

    One rate for both streams, as pairs would drift apart otherwise. Of what is left, the rate
    comes first, as a lower one moves colour and depth farther apart in time; then depth's size.

    Args:
        request: What is asked, and whether less will do.
        depth: What the depth sensor offers as it is connected.
        color: What the colour sensor offers.
        where: The camera, named in the error.

    Raises:
        CaptureError: Nothing fits; the modes that the camera has are named.
    """
    offered = (set(depth), set(color))
    asked = Modes(Mode(request.depth, request.fps), Mode(request.color, request.fps))
    if asked.depth in offered[0] and asked.color in offered[1]:
        return asked
    if request.step_down:
        rates = sorted({m.fps for m in offered[0]} & {m.fps for m in offered[1]}, reverse=True)
        for fps in (rate for rate in rates if rate <= request.fps):
            below = [
                _largest(modes, wanted.size, fps)
                for modes, wanted in zip(offered, asked, strict=True)
            ]
            if below[0] and below[1]:
                return Modes(below[0], below[1])
    raise CaptureError(
        where,
        f"expected depth {asked.depth} and color {asked.color}, "
        f"found depth {listed_modes(offered[0])} and color {listed_modes(offered[1])}",
        "a USB 3 port and cable offer the most",
    )


def _largest(modes: set[Mode], size: Size, fps: int) -> Mode | None:
    fitting = [
        mode
        for mode in modes
        if mode.fps == fps and mode.size[0] <= size[0] and mode.size[1] <= size[1]
    ]
    return max(fitting, key=lambda mode: (mode.size[0] * mode.size[1], mode.size), default=None)


def listed_modes(modes: Iterable[Mode]) -> str:
    """Modes in words, one size after the other with its rates."""
    rates: dict[Size, list[int]] = {}
    for mode in sorted(modes, reverse=True):
        rates.setdefault(mode.size, []).append(mode.fps)
    listed = (f"{w}x{h}@{'/'.join(map(str, fps))}" for (w, h), fps in rates.items())
    return " ".join(listed) or "none"
