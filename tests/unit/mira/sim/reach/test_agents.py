from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.reach.agents import AGENT_NAMES, AgentName, make_agent
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.prompting.wording import packaged_wording
from mira.sim.reach.rules import MIRROR_X_M, ReachPolicy
from mira.sim.reach.scenes import reach_scenes

SCENES = st.sampled_from([scene for scene in reach_scenes() if scene.mark in ("dot", "ring")])


def played(scene: object, name: AgentName, seed: int = 0) -> ReachPlay:
    play = ReachPlay(scene, 0, player=name, model=None, policy=ReachPolicy())  # type: ignore[arg-type]
    agent = make_agent(name, rng=np.random.default_rng(seed))
    while not play.is_over:
        play.take_turn(agent.choose(play.game))
    return play


@given(scene=SCENES)
def test_the_oracle_walks_no_step_too_many(scene: object) -> None:
    play = played(scene, "oracle")
    episode = play.episode()
    assert episode.success
    assert all(step.legal for step in play.steps)
    assert episode.num_steps == round((episode.details.d0_m - 0.1) / 0.1)  # type: ignore[union-attr]


@given(scene=SCENES)
def test_the_confused_agent_ends_at_the_glass(scene: object) -> None:
    play = played(scene, "confused")
    assert play.steps[-1].hand_world_m[0] == pytest.approx(MIRROR_X_M - 0.1, abs=0.051)
    assert not play.episode().success


@pytest.mark.parametrize("name", AGENT_NAMES)
def test_an_agent_plays_alike_by_the_same_seed(name: AgentName) -> None:
    scene = reach_scenes()[0]
    assert played(scene, name, 4).steps == played(scene, name, 4).steps


def test_the_random_agent_takes_all_moves_alike() -> None:
    moves = [
        step.action
        for seed in range(40)
        for step in played(reach_scenes()[0], "random", seed).steps
    ]
    counts = [moves.count(move) for move in set(moves)]
    assert len(counts) == 6
    assert max(counts) < 1.5 * min(counts)


def test_words_name_every_look() -> None:
    words = packaged_wording()
    assert {scene.hand for scene in reach_scenes()} <= words.hands.keys()
