from __future__ import annotations

import pytest

from mira.sim.reach.rules import ReachGame, ReachPolicy
from mira.sim.reach.scenes import reach_scenes

BODIES = {one.body.name: one.body for one in reach_scenes()}
BODY = BODIES["male_0"]
POLICY = ReachPolicy()


def near(away_m: float):
    """The body with its hand so far above the mark, at a place along x where nothing is."""
    x, y, z = BODY.mark_m[0] + 0.4, BODY.mark_m[1], BODY.mark_m[2]
    return BODY.model_copy(update={"hand_m": (x, y, z + away_m), "mark_m": (x, y, z)})


def test_the_threshold_itself_is_reached() -> None:
    policy = ReachPolicy(threshold_m=0.1)
    outcome = ReachGame(near(0.2), policy).take_turn("down")
    assert (outcome.distance_m, outcome.reached) == (0.1, True)
    assert not ReachGame(near(0.2001), policy).take_turn("down").reached


def test_the_last_turn_granted_is_the_last() -> None:
    game = ReachGame(near(0.5), POLICY)
    spent = [game.take_turn(None).spent for _ in range(game.max_turns)]
    assert spent == [False] * (game.max_turns - 1) + [True]


@pytest.mark.parametrize(("off_m", "free"), [(0.0, True), (-9e-6, True), (-2e-5, False)])
def test_a_hand_may_touch_the_mirror_and_the_body_but_not_enter(off_m: float, free: bool) -> None:
    # Hand and mirror are 10 cm deep each, and a move is as long.
    glass = BODY.model_copy(update={"hand_m": (1.8 - off_m, *BODY.hand_m[1:])})
    assert ReachGame(glass, POLICY).is_free("forward") is free
    front = BODY.body_m[0] + BODY.depth_m / 2 + 0.05
    skin = BODY.model_copy(update={"hand_m": (front + 0.1 + off_m, *BODY.hand_m[1:])})
    assert ReachGame(skin, POLICY).is_free("backward") is free
