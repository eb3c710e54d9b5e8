"""Scores on a release as it lies on disk."""

from __future__ import annotations

import numpy as np
import pytest

import mira
from export.build import build_release
from mira.errors import PredictionError, ReleaseError
from mira.evals.inspect_runner.options import AskingOptions
from mira.evals.inspect_runner.planning import plan_asking
from mira.evals.mira_bench.predictions import write_predictions
from mira.evals.mira_bench.release import baseline_predictions, score_release
from mira.schema.qa import QAPolicy
from qa_gen.generate import generate_questions


def _answer(release, kind, path):
    write_predictions(path, baseline_predictions(release, kind, rng=np.random.default_rng(0)))
    return path


@pytest.mark.parametrize("protocol", [None, "visual_mask"])
def test_the_oracle_is_always_right(release, tmp_path, protocol):
    replies = _answer(release, "oracle", tmp_path / "oracle.jsonl")
    table = score_release(release, replies, protocol=protocol).table
    assert table.complete
    assert {row.value for row in table.rows} == {1.0}


@pytest.mark.parametrize("kind", ["random", "majority", "blind"])
def test_other_players_answer_every_question_readably(release, tmp_path, kind):
    table = score_release(release, _answer(release, kind, tmp_path / "r.jsonl")).table
    assert table.complete
    assert table.rows[-1].n_unparsable == 0


def test_a_split_that_is_not_there_is_refused_with_those_that_are(release, tmp_path):
    replies = _answer(release, "oracle", tmp_path / "oracle.jsonl")
    with pytest.raises(ReleaseError, match=r"its splits \(test\), found 'dev'"):
        score_release(release, replies, split="dev")
    with pytest.raises(ReleaseError, match=r"its splits \(test\), found 'dev'"):
        baseline_predictions(release, "random", rng=np.random.default_rng(0), split="dev")


def test_replies_to_questions_that_changed_since_are_refused(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    build_release(workspace, tmp_path / "old")
    replies = _answer(tmp_path / "old", "oracle", tmp_path / "oracle.jsonl")
    generate_questions(workspace, policy=QAPolicy(max_distractors=1))
    build_release(workspace, tmp_path / "new")
    with pytest.raises(PredictionError, match="changed since this reply was given"):
        score_release(tmp_path / "new", replies)


@pytest.mark.parametrize("protocol", ["bbox_text", "visual_mask"])
def test_collision_risk_points_at_nothing_and_is_asked_and_scored_in_every_protocol(
    full_release, tmp_path, protocol
):
    path = tmp_path / "said.jsonl"
    said = baseline_predictions(full_release, "oracle", rng=np.random.default_rng(0))
    write_predictions(path, said)
    table = score_release(full_release, path, protocol=protocol).table
    assert {row.name: row.n for row in table.rows}["cr"] == 2
    options = AskingOptions(model="m", protocols=(protocol,))
    plan = plan_asking(full_release, tmp_path / "run", options)
    assert sum(one.question.subtask == "cr" for one in plan.asked.values()) == 2
    loaded = mira.load(full_release, protocol=protocol, cache_dir=tmp_path / "cache")
    assert list(loaded["subtask"]).count("cr") == 2
