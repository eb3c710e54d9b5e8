"""What a hand can get at, from the camera's spot and from all spots a walk leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.relations import Extents
from mira.geometry.walking import Cell, connected_to
from mira.schema.qa import YesNoAnswer
from mira.schema.spatial import TrueAnswer, WalkerPolicy
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.answers.floor import Floats, Floor, Mask
from mira.sim.rooms.answers.target import Target

_DECIMALS = 4
Outcome = Literal["in_reach", "too_high", "too_far", "behind_wall"]


class Reach(NamedTuple):
    """Whether and from where a thing can be touched.

    Attributes:
        outcome: Whether it can be after a walk, or why not.
        spots: Cells from which it can, all of them connected to the camera's.
        margin_m: By how much a hand reaches farther than it must, or falls short; None where a
            wall decides.
        doubtful: Whether a little more room or reach would change the outcome.
        now: Whether it can be touched without a step.
        now_margin_m: The margin for that.
    """

    outcome: Outcome
    spots: Mask
    margin_m: float | None
    doubtful: bool
    now: bool
    now_margin_m: float


class Surroundings:
    """The floor around one camera."""

    def __init__(self, facts: ViewFacts, floor: Floor) -> None:
        self.floor = floor
        viewpoint = facts.view.viewpoint
        self.free = floor.free()
        self.start = floor.start(viewpoint, self.free)
        self.reached = connected_to(self.start, self.free)
        self._otherwise = [
            floor.reached(viewpoint, radius_factor=1 + share)
            for share in (floor.policy.doubtful_share, -floor.policy.doubtful_share)
        ]
        self._here = floor.under(viewpoint)

    def reach(self, item: int, corners_m: Floats, extents: Extents) -> Reach:
        """How a thing can be touched.

        Args:
            item: The thing, an index into the plan's items.
            corners_m: Corners of its triangles, room frame, shape (n, 3, 3).
            extents: Its extents in the room frame.
        """
        policy = self.floor.policy
        low, high = extents.span(2)
        target = self.floor.target(item, corners_m, low_m=low, high_m=high)
        row, column = (np.array((place,)) for place in self._here)
        now_margin = policy.arm_reach_m - _at(target.distance_m, self._here)
        if low > policy.reach_height_m:
            short = policy.reach_height_m - low
            doubt = -short < policy.close_call_m
            return Reach(
                "too_high", self._nowhere, short, doubt, now=False, now_margin_m=now_margin
            )
        within = target.distance_m <= policy.arm_reach_m
        spots = self.reached & within
        open_spots = target.without_walled(spots)
        now = now_margin >= 0 and not target.walled_from(row, column).any()
        outcome: Outcome = "in_reach" if now or open_spots.any() else "too_far"
        if spots.any() and outcome == "too_far":
            outcome = "behind_wall"
        margin = _margin_m(target, open_spots if outcome == "in_reach" else self.reached, policy)
        doubtful = outcome != "behind_wall" and (
            (margin is not None and abs(margin) < policy.close_call_m)
            or any((reached & within).any() != spots.any() for reached in self._otherwise)
        )
        if outcome == "behind_wall":
            margin = None
        return Reach(outcome, open_spots, margin, bool(doubtful), now, now_margin_m=now_margin)

    @property
    def _nowhere(self) -> Mask:
        return np.zeros_like(self.free)


def reachability_answers(facts: ViewFacts, reaches: dict[int, Reach]) -> Iterator[TrueAnswer]:
    """Whether one could get to each appearance's object, where it really is."""
    for sighting in facts.view.content.sightings:
        reach = reaches[sighting.item]
        margin = None if reach.margin_m is None else round(abs(reach.margin_m), _DECIMALS)
        yield TrueAnswer(
            template_id="ac_001",
            slots={"X": sighting.group_id},
            answer=YesNoAnswer(value="yes" if reach.outcome == "in_reach" else "no"),
            margin=margin,
            margin_unit=None if margin is None else "m",
            close_call=reach.doubtful,
            flags=facts.flags(sighting.item),
            reason=f"the {facts.name(sighting.item)} {_WHY[reach.outcome]}",
        )


_WHY: dict[Outcome, str] = {
    "in_reach": "can be touched from floor that a walk leads to",
    "too_high": "is higher than a hand reaches",
    "too_far": "is too far from any floor that a walk leads to",
    "behind_wall": "is behind a wall or glass wherever a walk leads near it",
}


def _margin_m(target: Target, spots: Mask, policy: WalkerPolicy) -> float | None:
    """Reach of a hand less the distance of the nearest spot; None without spots or target."""
    distance = float(target.distance_m[spots].min()) if spots.any() else np.inf
    return policy.arm_reach_m - distance if np.isfinite(distance) else None


def _at(values: NDArray[np.float32], cell: Cell) -> float:
    row, column = cell
    inside = 0 <= row < values.shape[0] and 0 <= column < values.shape[1]
    return float(values[row, column]) if inside else float("inf")
