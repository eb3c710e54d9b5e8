from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from other_steps import change_steps
from rich.console import Console
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import EpisodeError
from mira.evals.mirror.measuring import drive_of, hand_before, measure_episode
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.records import MirrorScores
from mira.evals.mirror.runs import PlayedEpisode, Player, read_players, score_players
from mira.evals.mirror.stability import stability_by_scene
from mira.evals.mirror.table import MirrorTableView
from mira.evals.mirror.tallying import Played

POLICY = MirrorPolicy()


def scored(*episodes, seed: int = 0) -> MirrorScores:
    """Scores of episodes and their steps, as if read from a run."""
    played = tuple(PlayedEpisode(one, one.details, steps) for one, steps in episodes)
    player = Player("name", "name", False, Path("run"), None, {}, played)
    return score_players([player], seed=seed)


def test_metrics_are_those_of_the_paper(make_episode) -> None:
    one = measure_episode(*make_episode([1.0, 0.9, 1.0, 0.4, 0.5]), policy=POLICY)
    way = 1.0 - 0.10001
    assert one.tsr == 0
    assert one.sir == 2 / 4
    assert one.fcr == pytest.approx(1 - (0.5 - 0.10001) / way)
    assert one.pcr == pytest.approx(1 - (0.4 - 0.10001) / way)
    assert one.avg == pytest.approx((one.tsr + one.sir + one.fcr + one.pcr) / 4)


@given(tenths=st.lists(st.integers(2, 40), min_size=1, max_size=20), start=st.integers(2, 40))
def test_metrics_stay_in_their_bounds(make_episode, tenths, start) -> None:
    one = measure_episode(*make_episode([start / 10, *(k / 10 for k in tenths)]), policy=POLICY)
    assert 0 <= one.sir <= 1
    assert 0 <= one.pcr <= 1
    assert one.fcr <= one.pcr
    assert one.improved + one.refused <= one.steps
    assert sum(one.drives.values()) == one.steps


def test_a_step_that_hardly_comes_closer_is_no_improvement(make_episode) -> None:
    one = measure_episode(*make_episode([1.0, 1.0 - 9e-6, 0.9]), policy=POLICY)
    assert one.improved == 1


def test_a_hand_whose_move_was_refused_is_where_it_was(make_episode) -> None:
    _, (made, *_) = make_episode([0.3, 0.2, 0.1])
    assert hand_before(made, 0.1) == pytest.approx((1.0, 0.0, 1.3))
    refused = made.model_copy(update={"legal": False})
    assert hand_before(refused, 0.1) == refused.hand_world_m


def test_a_move_over_the_mark_to_as_far_beyond_leads_nowhere(make_episode) -> None:
    _, (step, *_) = make_episode([0.3, 0.2])
    for off in (0.04999, 0.05, 0.05 + 1e-9, 0.05 + 4e-6):
        before = (1.0, 0.0, 1.0 + off)
        over = step.model_copy(update={"hand_world_m": (*before[:2], before[2] - 0.1)})
        assert drive_of(over, 0.1, POLICY) == "neither"


def test_aborted_episodes_are_counted_and_in_no_number(make_episode) -> None:
    good = make_episode([0.3, 0.2, 0.1])
    bad = make_episode([0.3, 0.4], mark="star", aborted=True)
    row = scored(good, bad).players[0].row("human", 0)
    assert (row.n, row.n_aborted, row.n_scenes, row.tsr.value) == (2, 1, 1, 1.0)
    assert row.tsr.interval is None


def test_a_run_of_aborted_episodes_has_no_numbers(make_episode) -> None:
    row = scored(make_episode([0.3, 0.4], aborted=True)).players[0].row("overall")
    assert (row.n, row.n_aborted, row.avg.value) == (1, 1, None)


def test_steps_are_pooled_and_episodes_are_not(make_episode) -> None:
    quick = make_episode([0.3, 0.2, 0.1])
    slow = make_episode([0.3, 0.4, 0.5, 0.6, 0.5, 0.6, 0.7, 0.8, 0.9], mark="star")
    row = scored(quick, slow).players[0].row("overall", 0)
    assert row.sir.value == 3 / 10
    assert row.sir_of_episodes.value == (1 + 1 / 8) / 2


def test_over_levels_is_the_mean_of_levels(make_episode) -> None:
    episodes = [
        make_episode([0.3, 0.2, 0.1], level=0),
        make_episode([0.3, 0.4], level=1),
        make_episode([0.3, 0.4], level=1, mark="star"),
    ]
    row = scored(*episodes).players[0].row("overall")
    assert row.tsr.value == 0.5
    assert row.level is None
    assert row.n == 3


def test_overall_weighs_episodes(make_episode) -> None:
    episodes = [make_episode([0.3, 0.2, 0.1], mark=f"m{k}") for k in range(3)]
    episodes.append(make_episode([0.3, 0.4], setting="robot"))
    assert scored(*episodes).players[0].row("overall", 0).tsr.value == 0.75


@pytest.mark.parametrize(
    ("scores", "stability"),
    [
        ([3, 2, 1, 0], 3),
        ([0, 1, 2, 3], -3),
        ([2, 2, 1, 1], 1),
        ([2, 1, 2, 1], 1),
        ([1, 1 + 5e-10, 1, 1], 0),
    ],
)
def test_stability_sums_the_signs_of_falls(make_episode, scores, stability) -> None:
    template = measure_episode(*make_episode([0.3, 0.2]), policy=POLICY)
    played = [
        Played("scene", "human", level, template._replace(avg=score))
        for level, score in enumerate(scores)
    ]
    found = stability_by_scene(played, ["scene"], metric="avg", tolerance=1e-9)
    assert found.tolist() == [stability]


def test_scenes_without_all_levels_have_no_stability(make_episode) -> None:
    template = measure_episode(*make_episode([0.3, 0.2]), policy=POLICY)
    played = [Played("scene", "human", level, template) for level in (0, 1, 3)]
    played.append(Played("scene", "human", 2, None))
    found = stability_by_scene(played, ["scene"], metric="avg", tolerance=1e-9)
    assert np.isnan(found).all()


def test_intervals_hold_their_value_and_come_from_the_seed(make_episode) -> None:
    rng = np.random.default_rng(0)
    episodes = [
        make_episode([1.0, *rng.choice([0.8, 0.9, 1.1, 1.3], 5)], mark=f"m{k}") for k in range(20)
    ]
    first, again, other = scored(*episodes), scored(*episodes), scored(*episodes, seed=1)
    assert first == again
    assert first != other
    value = first.players[0].row("human", 0).avg
    assert value.interval.low < value.value < value.interval.high


def test_players_of_a_run_are_told_apart(new_store, make_episode) -> None:
    for player in ("one", "two"):
        new_store.put(*make_episode([0.3, 0.2, 0.1], player=player, model=f"lab/{player}"))
    players = read_players([new_store.root, new_store.root])
    assert [player.name for player in players] == [
        *("lab/one (run)", "lab/two (run)", "lab/one (run, 2)", "lab/two (run, 2)")
    ]


def test_a_run_without_the_mirror_test_is_refused_in_a_line(new_store) -> None:
    with pytest.raises(EpisodeError, match="expected episodes of the mirror test, found none"):
        read_players([new_store.root])


def test_an_episode_that_was_changed_is_refused(new_store, make_episode) -> None:
    episode, steps = make_episode([0.3, 0.2, 0.1])
    new_store.put(episode, steps)
    path = new_store.root / "episodes" / episode.episode_id / "steps.jsonl"
    path.write_bytes(path.read_bytes().replace(b"0.2", b"0.7"))
    with pytest.raises(EpisodeError):
        read_players([new_store.root])


def test_an_episode_with_other_steps_than_it_tells_of_is_refused(new_store, make_episode) -> None:
    episode, steps = make_episode([0.3, 0.2, 0.1])
    new_store.put(episode, steps)
    folder = new_store.root / "episodes" / episode.episode_id
    change_steps(folder, lambda text: text.splitlines(keepends=True)[0])
    with pytest.raises(EpisodeError, match=r"expected 2 steps by num_steps = 2, in order, found 1"):
        read_players([new_store.root])


def test_what_of_the_test_was_not_scored_is_told(make_episode) -> None:
    episodes = [make_episode([0.3, 0.2, 0.1], level=level) for level in (0, 1)]
    more = make_episode([0.3, 0.2, 0.1], level=1, mark="star")
    console = Console(width=80, color_system=None, record=True, file=io.StringIO())
    console.print(MirrorTableView(scored(*episodes)))
    console.print(MirrorTableView(scored(*episodes, more)))
    text = console.export_text()
    assert "Not all of the test: 1 of 66 scenes scored." in text
    assert "level 0: 1 of 66 scenes; level 1: 2 of 66 scenes." in text


@pytest.mark.parametrize("width", [50, 60, 80, 100, 140])
def test_the_table_shortens_no_number(make_episode, width) -> None:
    episodes = [make_episode([0.3, 0.4, 0.5, 1.5], mark=mark) for mark in ("dot", "star")]
    console = Console(width=width, color_system=None, record=True, file=io.StringIO())
    console.print(MirrorTableView(scored(*episodes)))
    text = console.export_text()
    assert "…" not in text
    assert "−" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width


def test_scores_are_printed_as_one_json_document(new_store, make_episode) -> None:
    new_store.put(*make_episode([0.3, 0.2, 0.1]))
    result = CliRunner().invoke(app, ["eval", "mirror", "score", str(new_store.root), "--json"])
    assert result.exit_code == 0
    scores = MirrorScores.model_validate(json.loads(result.stdout))
    assert scores.players[0].row("human", 0).tsr.value == 1
