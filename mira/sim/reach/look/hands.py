"""The hand that moves: which side it is of, and what it looks like."""

from __future__ import annotations

from mira.sim.reach.look.human_hands import HUMAN_HANDS, human_hand
from mira.sim.reach.look.modelling import Look
from mira.sim.reach.look.people import person_arm
from mira.sim.reach.look.robot_hands import ROBOT_HANDS, robot_hand
from mira.sim.reach.scenes import Body


def hand_looks(body: Body) -> dict[str, Look]:
    """A body's own hands by name, around the point that moves, in the middle of the palm.

    It is the left one where it starts on the left; its palm is to the body.
    """
    left = body.hand_m[1] > 0
    if body.track == "robot":
        return {name: robot_hand(name, left=left) for name in ROBOT_HANDS}
    arm = person_arm(body.name)
    return {name: human_hand(name, arm, left=left) for name in HUMAN_HANDS}
