"""Scripts play, what they did is read from disk and scored: out come numbers in print."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mirror.measuring import measure_episode
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.runs import read_players, score_players
from mira.evals.mirror.scoring import score_played
from mira.evals.mirror.tallying import Played
from mira.evals.papers.tables import read_table
from mira.sim.reach.agents import RandomAgent
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.rules import MIRROR_X_M, ReachPolicy
from mira.sim.reach.scenes import ReachScene, reach_scenes

CONSTANT = {(row["policy"], row["group"]): row for row in read_table("reach_constant_policies")}


@pytest.mark.parametrize("name", ["up", "down", "left", "right", "forward", "backward"])
def test_constant_policies_score_what_was_worked_out_to_the_digit(play_run, name) -> None:
    scores = score_players(read_players([play_run(name, levels=(0,))]))
    for group, count in (("human", 48), ("robot", 18), ("overall", 66)):
        row = scores.players[0].row(group, 0)
        expected = CONSTANT[name, group]
        for metric in ("tsr", "sir", "sir_of_episodes", "fcr", "pcr"):
            # -0.0000 stands for 0.0000.
            assert (
                f"{getattr(row, metric).value + 0:.4f}".replace("-0.0000", "0.0000")
                == expected[metric]
            )
        assert (row.n, row.n_aborted, row.n_scenes) == (count, 0, count)


def test_the_oracle_scores_one(play_run) -> None:
    scores = score_players(read_players([play_run("oracle", levels=(0, 3))]))
    for row in scores.players[0].rows:
        values = [getattr(row, name).value for name in ("tsr", "sir", "fcr", "pcr", "avg")]
        assert values == pytest.approx([1] * 5, abs=1e-4)
        assert row.image_share.value == 0


def test_moves_of_the_confused_agent_go_to_the_image(play_run) -> None:
    scores = score_players(read_players([play_run("confused", levels=(0,))]))
    row = scores.players[0].row("overall", 0)
    assert row.image_share.value == 1
    assert row.tsr.value == row.pcr.value == 0
    assert row.fcr.value < 0
    assert row.n_refused > 0


def test_random_scores_what_random_is_published_to_score() -> None:
    policy = MirrorPolicy(bootstrap=BootstrapPolicy(resamples=1))
    rng = np.random.default_rng(1)
    tries = []
    for _ in range(20):
        played = [_played(scene, rng, policy) for scene in reach_scenes()]
        rows = score_played(played, policy=policy, rng=rng).rows
        tries.append({row.group: row for row in rows if row.level == 0})
    published = {row["group"]: row for row in read_table("reach_means") if row["row"] == "Random"}
    for group in ("human", "robot", "overall"):
        for metric in ("tsr", "sir", "fcr", "pcr", "avg"):
            values = [getattr(one[group], metric).value for one in tries]
            # The published row is of four levels, half as noisy as one.
            noise = max(np.std(values, ddof=1) / 2, 0.005) * math.sqrt(1 + 4 / 20)
            gap = float(published[group][metric]) - np.mean(values)
            assert abs(gap) <= 3 * noise, (group, metric, gap / noise)


def _played(scene: ReachScene, rng: np.random.Generator, policy: MirrorPolicy) -> Played:
    play = ReachPlay(scene, 0, player="random", model=None, policy=ReachPolicy())
    agent = RandomAgent(rng)
    while not play.is_over:
        play.take_turn(agent.choose(play.game))
    measures = measure_episode(play.episode(), play.steps, policy=policy)
    return Played(scene.scene_id, scene.body.track, 0, measures)


def test_the_mirror_stands_where_the_simulator_has_it() -> None:
    assert MirrorPolicy().mirror_x_m == MIRROR_X_M


def test_equal_runs_give_equal_bytes(play_run) -> None:
    run: Path = play_run("random", levels=(1,), scenes=("robot",))
    first, second = (score_players(read_players([run]), seed=4).to_json() for _ in range(2))
    assert first == second
