"""Which pairs of frames are kept, and why others are not."""

from __future__ import annotations

from typing import Literal, NamedTuple

from capture.policy import CapturePolicy
from capture.sources.frames import CameraState, FramePair

RefusalCode = Literal["repeated-color", "repeated-depth", "clocks-differ", "apart", "no-depth"]


class Refusal(NamedTuple):
    """Why a pair is not kept."""

    code: RefusalCode
    """Stable code."""
    message: str
    """In words, with the numbers."""


class PairRule:
    """Decides on the pairs of one run of a camera, in order.

    The SDK pairs a new frame of one stream with an old one of the other when the right one is late.
    """

    def __init__(self, max_dt_ms: float) -> None:
        """A rule that has seen no pair.

        Args:
            max_dt_ms: Most time between the frames of a pair.
        """
        self._max_dt_ms = max_dt_ms
        self._colors: set[int] = set()
        self._depths: set[int] = set()

    def accept(self, pair: FramePair) -> Refusal | None:
        """Take a pair, whose frames are then used; or say why not."""
        refusal = self._refusal(pair)
        if refusal is None:
            self._colors.add(pair.timing.color_frame)
            self._depths.add(pair.timing.depth_frame)
        return refusal

    def _refusal(self, pair: FramePair) -> Refusal | None:
        timing = pair.timing
        if timing.color_frame in self._colors:
            return Refusal("repeated-color", f"color frame {timing.color_frame} is in another pair")
        if timing.depth_frame in self._depths:
            return Refusal("repeated-depth", f"depth frame {timing.depth_frame} is in another pair")
        if timing.dt_ms is None:
            clocks = f"{timing.color_domain} and {timing.depth_domain}"
            return Refusal("clocks-differ", f"times are of two clocks, {clocks}")
        if timing.dt_ms > self._max_dt_ms:
            message = f"frames are {timing.dt_ms:.1f} ms apart, more than {self._max_dt_ms:.1f}"
            return Refusal("apart", message)
        if not pair.depth.any():
            return Refusal("no-depth", "depth has no reading at all")
        return None


def max_dt_ms(state: CameraState, policy: CapturePolicy) -> float:
    """Most time between the frames of a pair of a running camera, milliseconds."""
    if policy.max_dt_ms is not None:
        return policy.max_dt_ms
    slowest_fps = min(stream.fps for stream in state.streams)
    return policy.max_dt_periods * 1000 / slowest_fps
