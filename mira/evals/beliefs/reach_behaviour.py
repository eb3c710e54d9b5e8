"""What a player of the mirror test does: does its hand go to the body, or to its image?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from mira.evals.mirror.measuring import drive_of
from mira.evals.mirror.policy import MirrorPolicy
from mira.schema.step import MirrorStep

Goal = Literal["mark", "image"]
QUESTIONS = ("reflection", "own_mark")
"""Questions from whose answer a way follows: who says that it is a reflection, or that the mark is
on its own body, is to go to the body, who says otherwise to what is seen ahead."""


def goal_of(steps: Iterable[MirrorStep], step_m: float, policy: MirrorPolicy) -> Goal | None:
    """What more moves go to alone, the mark or its image; None for as many.

    Up, down, left and right lead to both or to neither, so that moves along x decide. Moves that
    were refused count: who pushes against the glass means to.

    Args:
        steps: Turns, in any order.
        step_m: Length of a move.
        policy: Where the mirror stands.
    """
    drives = Counter(drive_of(step, step_m, policy) for step in steps)
    if drives["mark"] == drives["image"]:
        return None
    return "mark" if drives["mark"] > drives["image"] else "image"
