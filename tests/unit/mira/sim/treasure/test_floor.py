import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.treasure.floor import (
    STEPS,
    Stance,
    bearing_deg,
    off_axis_deg,
    path_length,
    stepped,
    turned_to,
)

CELLS = st.tuples(st.integers(-5, 5), st.integers(-5, 5))
STANCES = st.builds(Stance, CELLS, st.integers(0, 7))
BACK = {
    "forward": "backward",
    "left": "right",
    "left_forward": "right_backward",
    "left_backward": "right_forward",
}


@given(STANCES)
def test_the_eight_steps_lead_to_the_eight_cells_around_and_leave_the_direction(stance):
    after = [stepped(stance, move) for move in STEPS]
    around = {(stance.at[0] + dx, stance.at[1] + dy) for dx, dy in product((-1, 0, 1), repeat=2)}
    assert {one.at for one in after} == around - {stance.at}
    assert {one.facing for one in after} == {stance.facing}
    assert stepped(stance, "forward").at == stance.looks_at


@given(STANCES, st.sampled_from(sorted(BACK)))
def test_a_step_and_its_opposite_lead_back(stance, move):
    assert stepped(stepped(stance, move), BACK[move]) == stance


@given(STANCES, CELLS)
def test_turning_faces_a_target_as_nearly_as_eighths_of_a_turn_allow(stance, target):
    if target == stance.at:
        assert turned_to(stance, target) == stance
        return
    turned = turned_to(stance, target)
    assert off_axis_deg(turned, target) <= 22.5
    others = [off_axis_deg(Stance(stance.at, k), target) for k in range(8)]
    assert off_axis_deg(turned, target) == min(others)


def test_directions_of_the_published_examples():
    # Appendix H: from (0 -4) facing (0 -3) the box at (-2 0) is to the left ...
    marie = Stance((0, -4), 2)
    assert stepped(marie, "left_forward").at == (-1, -3)
    assert stepped(marie, "backward") == Stance((0, -5), 2)
    # ... for the participant, who faces down, that at (2 0) is; and left forward of (0 4) is (1 3).
    participant = Stance((0, 4), 6)
    assert stepped(participant, "left_forward") == Stance((1, 3), 6)
    assert Stance((1, 3), 6).looks_at == (1, 2)
    # One who turned from (0 -1) to the box at (-2 0) is said to face (-1 0).
    assert turned_to(Stance((0, -1), 2), (-2, 0)).looks_at == (-1, 0)


def _lengths_from(start):
    """Lengths of the shortest ways over a free floor, by Dijkstra's search."""
    best, edge = {start: 0.0}, [start]
    while edge:
        cell = min(edge, key=best.__getitem__)
        edge.remove(cell)
        for dx, dy in product((-1, 0, 1), repeat=2):
            near = (cell[0] + dx, cell[1] + dy)
            length = best[cell] + math.hypot(dx, dy)
            if max(map(abs, near)) <= 5 and length < best.get(near, math.inf) - 1e-12:
                best[near] = length
                edge.append(near)
    return best


@pytest.mark.parametrize("start", [(0, 4), (2, 0), (-5, 3)])
def test_path_lengths_are_those_of_a_search(start):
    found = _lengths_from(start)
    assert len(found) == 121
    for cell, length in found.items():
        assert math.isclose(path_length(start, cell), length, abs_tol=1e-9)


def test_bearings_count_from_the_right_against_the_clock():
    assert bearing_deg((0, 0), (2, 0)) == 0
    assert bearing_deg((0, 0), (0, 2)) == 90
    assert bearing_deg((0, 0), (-2, 0)) == 180
