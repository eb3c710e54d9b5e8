"""Runs on disk as groups of trials."""

from __future__ import annotations

import pytest
from mosaic_trials import store_trials
from other_steps import change_steps

from mira.errors import EpisodeError, MiraError
from mira.evals.mosaic.evaluating import evaluate
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.sources import read_runs
from mira.schema.episode import Episode, EpisodeAgent, TomDetails


@pytest.fixture
def store(tmp_path):
    return store_trials(tmp_path / "run", [])


def put(store, trial):
    store_trials(store.root, [trial])


def test_trials_come_back_by_their_ids_and_without_replies(store, make_trial):
    for trial_id in ("b", "a"):
        replies = {"raw_replies": [("{}",)] * 2}
        put(store, make_trial(trial_id=trial_id, xs=(0, 1), subject=replies))
    seen = []
    (group,) = read_runs([store.root], progress=lambda done, total: seen.append((done, total)))
    assert [one.trial_id for one in group.trials] == ["a", "b"]
    assert {step.raw_replies for one in group.trials for step in one.subject} == {()}
    assert seen == [(1, 2), (2, 2)]


def test_turns_that_could_not_be_read_are_counted(store, make_trial):
    said = {"raw_replies": [("?", "??"), ("{}",)], "move": [None, "stay_idle"]}
    put(store, make_trial(trial_id="t", xs=(0, 1), subject=said))
    put(store, make_trial(trial_id="u", xs=(0, 1), subject={"move": [None, "stay_idle"]}))
    (group,) = read_runs([store.root])
    assert [one.n_unread for one in group.trials] == [1, 0]
    (cell,) = evaluate([group], MosaicPolicy(), seed=0).scores.cells
    assert cell.n_unread == 1


def test_episodes_of_other_games_are_passed_over(store, make_trial):
    story = Episode(
        episode_id="story",
        task="t",
        seed=None,
        agents=(EpisodeAgent(role="agent", name="human"),),
        model=None,
        num_steps=1,
        max_steps=None,
        success=True,
        termination="completed",
        details=TomDetails(source="tales", story_id="1"),
    )
    store.put(story)
    with pytest.raises(EpisodeError, match="expected trials of MOSAIC, found none"):
        read_runs([store.root])
    put(store, make_trial(trial_id="t"))
    (group,) = read_runs([store.root])
    assert [one.trial_id for one in group.trials] == ["t"]


def test_a_run_named_twice_counts_once_and_is_refused(store, make_trial):
    put(store, make_trial())
    with pytest.raises(EpisodeError, match="expected each run once, found it 2 times"):
        read_runs([store.root, store.root / "episodes" / ".."])


@pytest.mark.parametrize(
    ("mangle", "problem"),
    [
        (lambda text: text.splitlines(keepends=True)[0], "expected 4 steps by num_steps = 2"),
        (lambda text: "", "expected 4 steps"),
        (lambda text: text.replace('"subject"', '"agent"', 1), r"steps\.jsonl:1: role"),
        (lambda text: text[:-20], r"steps\.jsonl:4"),
    ],
)
def test_steps_that_were_cut_or_changed_are_refused_in_one_line(store, make_trial, mangle, problem):
    put(store, make_trial(xs=(0, 1)))
    change_steps(store.root / "episodes" / "t", mangle)
    with pytest.raises(MiraError, match=problem):
        read_runs([store.root])


def test_a_trial_that_was_changed_by_hand_is_refused(store, make_trial):
    put(store, make_trial(trial_id="t"))
    path = store.root / "episodes" / "t" / "steps.jsonl"
    path.write_text(path.read_text().replace("0.0", "1.0"))
    with pytest.raises(EpisodeError, match=r"steps\.jsonl: is not what was written"):
        read_runs([store.root])
