"""The hand that moves: of which side, and what it looks like."""

from __future__ import annotations

from mira.sim.reach.look.human_hands import human_hand
from mira.sim.reach.look.modelling import Look
from mira.sim.reach.look.people import person_arm
from mira.sim.reach.look.robot_hands import robot_hand
from mira.sim.reach.scenes import ReachScene


def hand_look(scene: ReachScene) -> Look:
    """The hand of a scene around the point that moves, in the middle of its palm.

    It is the body's own: the left one where it starts on the left, palm to the body.
    """
    left = scene.body.hand_m[1] > 0
    if scene.body.track == "robot":
        return robot_hand(scene.hand, left=left)
    return human_hand(scene.hand, person_arm(scene.body.name), left=left)
