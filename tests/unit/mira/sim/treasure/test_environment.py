import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra sim)")

from pettingzoo.test import api_test, seed_test

from mira.errors import SimulationError
from mira.sim.treasure.agents.outlook import MOVES
from mira.sim.treasure.environment import TreasureEnv


def _act(move, *, say=2, face=0.0):
    return {"move": MOVES.index(move), "face": np.array([face]), "say": say}


def _play(env, choose):
    seen = []
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        seen.append((agent, observation, reward, info))
        env.step(None if termination or truncation else choose(agent, observation))
    return seen


@pytest.mark.filterwarnings("ignore")  # dictionaries, and names of agents without numbers
def test_it_passes_pettingzoos_own_checks(capsys):
    api_test(TreasureEnv(), num_cycles=60)
    seed_test(TreasureEnv, num_cycles=60)


@pytest.mark.parametrize(
    ("condition", "subject"), [("coop-tom0", 1), ("comp-tom0", -1), ("comp-tom1", -1)]
)
def test_who_goes_where_it_is_told_wins_and_the_subject_scores_by_the_mode(condition, subject):
    env = TreasureEnv()
    env.reset(seed=1, options={"condition": condition})

    def choose(agent, observation):
        if agent == "subject":
            return _act("stay_idle", say=int(observation["reward_box"]))
        assert observation["reward_box"] == observation["competes"] == observation["tom_order"] == 2
        told = int(observation["told"])
        if told == 2:
            return _act("stay_idle")
        # It starts facing lower y, so that its left is higher x.
        return _act("left_forward" if observation["boxes"][told][0] > 0 else "right_forward")

    seen = _play(env, choose)
    assert len(seen) == 22
    assert {agent: reward for agent, _, reward, _ in seen} == {
        "subject": subject,
        "participant": 1,
    }
    told = [int(o["told"]) for agent, o, *_ in seen if agent == "participant"]
    assert told[:3] == [2, 2, 2]
    assert set(told[3:]) == {seen[0][1]["reward_box"]}


def test_it_renders_what_whose_turn_it_is_sees():
    env = TreasureEnv(render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (480, 720, 3)
    env.step(_act("stay_idle"))
    assert (env.render() != first).any()
    assert TreasureEnv().render_mode is None


def test_what_is_no_action_condition_or_mode_is_refused():
    env = TreasureEnv()
    env.reset(seed=0)
    with pytest.raises(SimulationError, match="action space"):
        env.step({"move": 99, "face": np.array([0.0]), "say": 2})
    with pytest.raises(SimulationError, match="coop-tom0"):
        env.reset(options={"condition": "coop"})
    with pytest.raises(SimulationError, match="rgb_array"):
        TreasureEnv(render_mode="human")
