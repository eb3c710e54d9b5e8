"""Situations keep the rules, and leave out nothing that these allow."""

import numpy as np

from mira.sim.treasure.floor import is_on_floor
from mira.sim.treasure.rules import BOXES, PLAYERS
from mira.sim.treasure.situations import draw_situation


def test_nobody_stands_in_a_wall_a_box_or_the_other_and_everything_occurs():
    drawn = [draw_situation(np.random.default_rng([5, k])) for k in range(1500)]
    for one in drawn:
        cells = [one.stances[player].at for player in PLAYERS]
        assert len({*cells, *one.boxes}) == 4
        assert all(is_on_floor(cell) for cell in cells)
        assert set(one.boxes) == set(BOXES)
        assert all(-1 <= value <= 1 for emotion in one.emotions.values() for value in emotion)
    for player in PLAYERS:
        assert len({one.stances[player].at for one in drawn}) == 119
        assert {one.stances[player].facing for one in drawn} == set(range(8))
        assert np.ptp([one.emotions[player].facial for one in drawn]) > 1.9
    assert len({(one.boxes, one.reward_box) for one in drawn}) == 4
    assert 0.45 < np.mean([one.reward_box for one in drawn]) < 0.55
