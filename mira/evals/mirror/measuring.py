"""What one episode is worth (MirrorBench, Table I)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

from mira.evals.mirror.policy import MirrorPolicy
from mira.schema.episode import Episode, ReachDetails
from mira.schema.step import REACH_DIRECTIONS, MirrorStep, WorldPoint

METRICS = ("tsr", "sir", "fcr", "pcr")
"""Task success, step improvement, final completion and peak completion rate."""
SCORES = (*METRICS, "avg")
"""These and their mean, as tables show them."""
Drive = Literal["mark", "image", "both", "neither"]
"""What a move goes towards: the mark alone, its mirror image alone, both, or neither."""
DRIVES: tuple[Drive, ...] = get_args(Drive)


class Measures(NamedTuple):
    """An episode in numbers.

    Attributes:
        tsr: 1 where the mark was reached, else 0.
        sir: Share of the steps that came closer.
        fcr: How much of the way was done at the end, 1 for all; below 0 where it ends farther off.
        pcr: The same at the closest moment, the start included; never below 0.
        avg: Mean of the four.
        steps: Steps taken.
        improved: Those that came closer.
        unreadable: Those whose reply could not be read.
        refused: Those whose move was refused.
        drives: Moves by what they go towards, those that were refused as well.
    """

    tsr: float
    sir: float
    fcr: float
    pcr: float
    avg: float
    steps: int
    improved: int
    unreadable: int
    refused: int
    drives: dict[Drive, int]


def measure_episode(
    episode: Episode, steps: Sequence[MirrorStep], *, policy: MirrorPolicy
) -> Measures | None:
    """The numbers of an episode; None where it was aborted or took no step.

    Args:
        episode: An episode of the mirror test.
        steps: Its steps, in their order.
        policy: Numbers that decide.
    """
    details = episode.details
    if not isinstance(details, ReachDetails) or episode.success is None or not steps:
        return None
    distances = [details.d0_m, *(step.manhattan_m for step in steps)]
    way = details.d0_m - details.threshold_m
    improved = sum(after < before - policy.improves_by_m for before, after in pairwise(distances))
    tsr = float(episode.success)
    sir = improved / len(steps)
    fcr = 1 - (distances[-1] - details.threshold_m) / way
    pcr = 1 - (min(distances) - details.threshold_m) / way
    return Measures(
        tsr=tsr,
        sir=sir,
        fcr=fcr,
        pcr=pcr,
        avg=(tsr + sir + fcr + pcr) / 4,
        steps=len(steps),
        improved=improved,
        unreadable=sum(step.action is None for step in steps),
        refused=sum(step.legal is False for step in steps),
        drives=_drives(steps, details.step_m, policy),
    )


def image_of(place_m: WorldPoint, mirror_x_m: float) -> WorldPoint:
    """Where a mirror that stands across x shows a place."""
    x, y, z = place_m
    return 2 * mirror_x_m - x, y, z


def hand_before(step: MirrorStep, step_m: float) -> WorldPoint:
    """Where the hand was before a step."""
    if step.action is None or not step.legal:
        return step.hand_world_m
    x, y, z = (
        at - step_m * along
        for at, along in zip(step.hand_world_m, REACH_DIRECTIONS[step.action], strict=True)
    )
    return x, y, z


def drive_of(step: MirrorStep, step_m: float, policy: MirrorPolicy) -> Drive | None:
    """What a move goes towards, refused or not; None where there was none."""
    if step.action is None:
        return None
    hand, mark, along = hand_before(step, step_m), step.mark_world_m, REACH_DIRECTIONS[step.action]
    image = image_of(mark, policy.mirror_x_m)
    to_mark, to_image = (_closes(hand, place, along, step_m, policy) for place in (mark, image))
    if to_mark:
        return "both" if to_image else "mark"
    return "image" if to_image else "neither"


def _drives(steps: Sequence[MirrorStep], step_m: float, policy: MirrorPolicy) -> dict[Drive, int]:
    counts = Counter(drive_of(step, step_m, policy) for step in steps)
    return {name: counts[name] for name in DRIVES}


def _closes(
    hand: WorldPoint, place: WorldPoint, direction: WorldPoint, step_m: float, policy: MirrorPolicy
) -> bool:
    """Whether a move, were it made, would shorten the Manhattan distance to a place."""
    moved = [at + step_m * along for at, along in zip(hand, direction, strict=True)]
    before = sum(abs(a - b) for a, b in zip(hand, place, strict=True))
    after = sum(abs(a - b) for a, b in zip(moved, place, strict=True))
    return after < before - policy.improves_by_m
