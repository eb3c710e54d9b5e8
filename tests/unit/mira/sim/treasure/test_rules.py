import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.treasure.agents.outlook import MOVES
from mira.sim.treasure.floor import HALF_WIDTH, Stance
from mira.sim.treasure.rules import (
    BOXES,
    PLAYERS,
    GazePolicy,
    TreasureGame,
    gaze_certainty,
    nearer_box,
    outcome_of,
    scores_of,
)

TURNS = st.lists(st.sampled_from([*MOVES, None]), min_size=20, max_size=20)
SWAPPED = {"left": "right", "right": "left", "0": "1", "1": "0"}


def _mirrored(move):
    return move and "_".join(SWAPPED.get(part, part) for part in move.split("_"))


@given(TURNS)
def test_nobody_ever_stands_in_a_wall_a_box_or_the_other(moves):
    game = TreasureGame()
    for turn, move in enumerate(moves):
        before = dict(game.stances)
        player = PLAYERS[turn % 2]
        done = game.take_turn(player, move)
        places = [stance.at for stance in game.stances.values()]
        assert len({*places, *game.boxes}) == 4
        assert max(abs(x) for cell in places for x in cell) <= HALF_WIDTH
        assert done or game.stances == before
        assert game.stances[PLAYERS[1 - turn % 2]] == before[PLAYERS[1 - turn % 2]]


@given(TURNS)
def test_a_game_in_a_mirror_ends_at_the_other_box(moves):
    game, mirrored = TreasureGame(), TreasureGame()
    for turn, move in enumerate(moves):
        game.take_turn(PLAYERS[turn % 2], move)
        mirrored.take_turn(PLAYERS[turn % 2], _mirrored(move))
        for player, (at, facing) in game.stances.items():
            assert mirrored.stances[player] == Stance((-at[0], at[1]), (4 - facing) % 8)
    choice = game.choice()
    assert mirrored.choice() == (-1 if choice == -1 else 1 - choice)


def test_a_step_into_a_box_is_refused_and_takes_the_turn():
    game = TreasureGame()
    game.stances["subject"] = Stance((2, -1), 2)
    assert not game.take_turn("subject", "forward")
    assert game.stances["subject"] == Stance((2, -1), 2)


def test_turning_to_the_other_follows_where_it_stands():
    game = TreasureGame()
    game.stances["participant"] = Stance((4, -4), 6)
    assert game.take_turn("subject", "rotate_other")
    assert game.stances["subject"].facing == 0
    assert outcome_of(Stance((0, -4), 0), "rotate_box_1", BOXES, (4, -4)).facing == 3


@pytest.mark.parametrize(
    ("at", "box"),
    [((0, 4), -1), ((0, 0), -1), ((1, 3), 0), ((-1, 3), 1), ((1, 5), 0), ((-5, 5), 1)],
)
def test_the_box_that_opens_is_the_nearer_one_by_path_length(at, box):
    assert nearer_box(at, BOXES) == box


def test_the_subjects_score_is_the_participants_and_inverts_when_they_compete():
    for choice in (-1, 0, 1):
        for reward in (0, 1):
            together = scores_of(choice, reward, "cooperative")
            against = scores_of(choice, reward, "competitive")
            expected = 0 if choice == -1 else 1 if choice == reward else -1
            assert together == (expected, expected)
            assert against == (expected, -expected)


def test_looking_between_the_boxes_at_the_start_is_as_sure_of_each_as_in_the_logs_of_pcm_llm():
    sure = gaze_certainty(TreasureGame().stances["subject"], BOXES, GazePolicy())
    assert sure[0] == sure[1] == pytest.approx(0.28, abs=0.005)


@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(0, 7))
def test_whoever_turned_to_a_box_looks_at_it_more_surely_than_the_usual_threshold(x, y, facing):
    for box, move in enumerate(("rotate_box_0", "rotate_box_1")):
        stance = Stance((x, y), facing)
        if stance.at != BOXES[box]:
            turned = outcome_of(stance, move, BOXES, (0, 5))
            assert gaze_certainty(turned, BOXES, GazePolicy())[box] > 0.3
