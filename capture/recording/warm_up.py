"""The first frames of a camera, which are not kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from capture.policy import CapturePolicy
from capture.sources.frames import FramePair

_STEP_PX = 8
"""Brightness needs no more than every eighth pixel of every eighth row."""


class WarmUp(NamedTuple):
    """How a camera warmed up."""

    pairs: int
    """Pairs that were let go."""
    is_stable: bool
    """Whether exposure held still at the end."""


def warm_up(next_pair: Callable[[], FramePair], policy: CapturePolicy) -> WarmUp:
    """Let pairs go until exposure holds still, and as many as the policy wants at least.

    Args:
        next_pair: Gives the next pair; what it raises goes through.
        policy: How many, and what holding still means.
    """
    seen: deque[tuple[float, float]] = deque(maxlen=policy.exposure_window_pairs)
    for count in range(1, policy.warm_up_limit_pairs + 1):
        pair = next_pair()
        brightness = float(pair.color[::_STEP_PX, ::_STEP_PX].mean())
        seen.append((brightness, float(pair.exposure or 0)))
        if count >= policy.warm_up_pairs and _holds_still(seen, policy):
            return WarmUp(count, is_stable=True)
    return WarmUp(policy.warm_up_limit_pairs, is_stable=False)


def _holds_still(seen: deque[tuple[float, float]], policy: CapturePolicy) -> bool:
    if len(seen) < policy.exposure_window_pairs:
        return False
    spans = [(min(values), max(values)) for values in zip(*seen, strict=True)]
    # Of 256 levels one more or less is noise, however dark the picture.
    slack = (1.0, 0.0)
    return all(
        most - least <= max(policy.exposure_tolerance * most, some)
        for (least, most), some in zip(spans, slack, strict=True)
    )
