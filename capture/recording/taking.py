"""The pairs of one view, out of a running camera."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from capture.pairing import PairRule, Refusal
from capture.policy import CapturePolicy
from capture.sources.frames import CameraState, FramePair
from mira.errors import CaptureError
from mira.schema.record import FileRef
from mira.schema.session import CaptureSettings

NextPair = Callable[[], FramePair]


@dataclass(frozen=True, eq=False)
class Take:
    """What a view is made from.

    Attributes:
        scene_id: Its scene.
        view_id: The view.
        pairs: Good pairs of one burst, at least one.
        emitter_off: The same with the projector off; empty where that was not asked for.
        state: The camera.
        settings: What it was asked for and what it did.
        raw: A recording that goes along; it is removed when the view is written, or given up.
        inputs: Files that the pairs were read from.
        replace: Whether a committed view makes way.
    """

    scene_id: str
    view_id: str
    pairs: tuple[FramePair, ...]
    emitter_off: tuple[FramePair, ...]
    state: CameraState
    settings: CaptureSettings
    raw: Path | None = None
    inputs: tuple[FileRef, ...] = ()
    replace: bool = False


def take_burst(
    next_pair: NextPair,
    rule: PairRule,
    policy: CapturePolicy,
    *,
    keep: int,
    until: int = 0,
) -> tuple[FramePair, ...]:
    """The first good pairs.

    Args:
        next_pair: Gives the next pair; what it raises goes through.
        rule: Says which are good.
        policy: How many refusals are too many.
        keep: How many to give.
        until: How many good ones to wait for at least; those after `keep` are let go.

    Raises:
        CaptureError: Too many were refused; the reasons are counted.
    """
    kept: list[FramePair] = []
    accepted = 0
    refused: Counter[str] = Counter()
    last: Refusal | None = None
    while accepted < max(keep, until):
        pair = next_pair()
        refusal = rule.accept(pair)
        if refusal is None:
            accepted += 1
            if len(kept) < keep:
                kept.append(pair)
            continue
        refused[refusal.code] += 1
        last = refusal
        if refused.total() > policy.refused_limit_pairs:
            listed = ", ".join(f"{number} {code}" for code, number in refused.most_common())
            problem = f"expected {keep} good pairs, found {len(kept)}; refused {listed}"
            raise CaptureError("camera", f"{problem}; the last: {last.message}")
    return tuple(kept)


def let_go(next_pair: NextPair, count: int) -> None:
    """Let pairs go by."""
    for _ in range(count):
        next_pair()
