"""The rules of the mirror test: moves, what is in their way, when it is over.

The hand goes by whole steps along the axes. It is kept out of the body and of the mirror by their
extent along x alone, as in MirrorBench's published environment; a move that is refused takes its
turn all the same. Positions are counted in steps from the start, so that none drifts.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from mira.errors import SimulationError
from mira.schema.record import Record
from mira.schema.step import REACH_DIRECTIONS, ReachAction, WorldPoint
from mira.sim.reach.scenes import Body

MIRROR_X_M = 2.0
"""Where the mirror stands, facing the body."""
MIRROR_SIZE_M = 2.0
"""Its width and height."""
ACTIONS: tuple[ReachAction, ...] = get_args(ReachAction)
"""All moves, in their order."""
_ROUNDING_M = 1e-5

BudgetMode = Literal["published", "exact"]
"""How moves are counted that the shortest way takes: cut off from a 32-bit distance, as published,
which loses one for some bodies, or rounded."""


class ReachPolicy(Record):
    """Numbers that the test is played by."""

    step_m: float = 0.1
    """Length of a move."""
    threshold_m: float = 0.10001
    """Manhattan distance that counts as reached, inclusive: a step, and a hair for rounding."""
    hand_depth_m: float = 0.1
    """How deep the hand is along x."""
    mirror_depth_m: float = 0.1
    """How deep the mirror is along x."""
    spare_moves: int = 10
    """Moves granted beyond the shortest way."""
    budget: BudgetMode = "published"
    """How the shortest way is counted."""


class Outcome(NamedTuple):
    """What became of a turn.

    Attributes:
        legal: Whether the move was made; None where there was none to make.
        distance_m: Manhattan distance after it.
        reached: Whether it ends the test by reaching the mark.
        spent: Whether it was the last turn.
    """

    legal: bool | None
    distance_m: float
    reached: bool
    spent: bool


class ReachGame:
    """One go at a scene.

    Attributes:
        body: Who stands there, and where the hand starts.
        policy: The numbers it is played by.
        turns: Turns taken.
        max_turns: Turns granted.

    Raises:
        SimulationError: The hand is at the mark before anything has moved.
    """

    def __init__(self, body: Body, policy: ReachPolicy) -> None:
        self.body, self.policy = body, policy
        self.turns, self.max_turns = 0, budget_of(body, policy)
        self._offset = (0, 0, 0)
        if self.distance_m <= policy.threshold_m:
            problem = (
                f"expected a hand farther from the mark than {policy.threshold_m:g} m, "
                f"found {self.distance_m:g} m"
            )
            raise SimulationError(body.name, problem)

    @property
    def hand_m(self) -> WorldPoint:
        """Where the hand is."""
        return self._at(self._offset)

    @property
    def distance_m(self) -> float:
        """Manhattan distance from the hand to the mark."""
        return _manhattan_m(self.hand_m, self.body.mark_m)

    def take_turn(self, action: ReachAction | None) -> Outcome:
        """Move the hand, if nothing is in the way.

        Args:
            action: The move; None for a turn without one, which is spent as well.
        """
        self.turns += 1
        legal = None
        if action is not None:
            legal = self.is_free(action)
            if legal:
                self._offset = self._after(action)
        distance = self.distance_m
        return Outcome(
            legal=legal,
            distance_m=distance,
            reached=bool(legal) and distance <= self.policy.threshold_m,
            spent=self.turns >= self.max_turns,
        )

    def is_free(self, action: ReachAction) -> bool:
        """Whether a move would be made, not refused for the body or the mirror."""
        hand_x = self._at(self._after(action))[0]
        half = self.policy.hand_depth_m / 2
        from_body = abs(hand_x - self.body.body_m[0]) - self.body.depth_m / 2 - half
        from_mirror = abs(hand_x - MIRROR_X_M) - self.policy.mirror_depth_m / 2 - half
        return min(from_body, from_mirror) >= -_ROUNDING_M

    def _after(self, action: ReachAction) -> tuple[int, int, int]:
        (i, j, k), (di, dj, dk) = self._offset, REACH_DIRECTIONS[action]
        return i + di, j + dj, k + dk

    def _at(self, offset: tuple[int, int, int]) -> WorldPoint:
        x, y, z = (
            round(start + steps * self.policy.step_m, 9)
            for start, steps in zip(self.body.hand_m, offset, strict=True)
        )
        return x, y, z


def budget_of(body: Body, policy: ReachPolicy) -> int:
    """Turns granted: those of the shortest way, and some to spare."""
    if policy.budget == "exact":
        shortest = round(_manhattan_m(body.hand_m, body.mark_m) / policy.step_m)
    else:
        hand, mark = (np.array(at, np.float32) for at in (body.hand_m, body.mark_m))
        shortest = int(float(np.abs(hand - mark).sum(dtype=np.float32)) / policy.step_m)
    return shortest + policy.spare_moves


def _manhattan_m(one: WorldPoint, other: WorldPoint) -> float:
    return round(sum(abs(a - b) for a, b in zip(one, other, strict=True)), 9)
