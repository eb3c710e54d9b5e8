"""`mira eval mosaic` as users see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mosaic_trials import make_mosaic_trial, store_trials
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import MiraError

LOGS = Path(__file__).parents[5] / "shared" / "data" / "pcm_llm_mosaic"


def call(*words):
    return CliRunner().invoke(app, ["eval", "mosaic", *map(str, words)])


@pytest.fixture
def run(tmp_path):
    """A run of two trials, in which the subject goes to the reward and is followed once."""
    trials = [
        make_mosaic_trial(trial_id="t0", choice=0, xs=(1, 2)),
        make_mosaic_trial(trial_id="t1", choice=-1, xs=(1, 2)),
    ]
    return store_trials(tmp_path / "run", trials).root


def test_scores_are_printed_by_condition_with_how_many_trials_they_are_of(run):
    done = call("score", run)
    assert done.exit_code == 0, done.output
    assert "hand: 2 trials, 0 aborted" in done.stdout
    assert "Coop-ToM0" in done.stdout
    lines = {line.split("  ")[0]: line.split()[-4:] for line in done.stdout.splitlines()}
    assert lines["TOCS"] == ["0.500", "–", "–", "–"]
    assert lines["TAS"] == ["1.000", "–", "–", "–"]
    assert "Table 5" in done.stdout


def test_scores_are_one_document_for_machines_with_the_policy_in_it(run, tmp_path):
    (tmp_path / "policy.yaml").write_text("gaze_threshold: 0.5\n", "utf-8")
    done = call("score", run, "--json", "--policy", tmp_path / "policy.yaml")
    told = json.loads(done.stdout)
    assert told["policy"]["gaze_threshold"] == 0.5
    assert told["cells"][0]["n_neutral"] == 1


def test_a_report_says_where_it_is(run, tmp_path):
    done = call("report", run, "--out", tmp_path / "out", "--trials", 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == f"{tmp_path}/out/report.html"
    assert (tmp_path / "out" / "trials.html").read_text("utf-8").count("<article") == 1


def test_settings_are_those_of_logs_alone_and_in_their_form(run):
    done = call("score", run, "--where", "ToM=1")
    assert done.exit_code == 2
    assert "only logs of PCM-LLM have settings" in done.output
    for words in (["ToM"], ["=1"], ["ToM=1", "--where", "ToM=0"]):
        done = call("score", run, "--from", "pcm-llm", "--where", *words)
        assert done.exit_code == 2
        assert "expected COLUMN=VALUE" in done.output


def test_a_folder_that_is_no_run_is_named(tmp_path):
    for words in (["score", tmp_path], ["import-pcm", tmp_path, "--out", tmp_path / "run"]):
        done = call(*words)
        assert isinstance(done.exception, MiraError)
        assert str(tmp_path) in str(done.exception)
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not LOGS.is_dir(), reason="the logs are not on this machine")
def test_real_logs_are_scored_as_they_lie_or_as_a_run(tmp_path):
    wanted = ("LLMHypothesis=-1", "ToM=0", "VerbalMode=Verbal_NonVerbal", "FacialExpression=0")
    where = [word for setting in wanted for word in ("--where", setting)]
    done = call("import-pcm", LOGS, "--out", tmp_path / "run", *where, "--json")
    told = json.loads(done.stdout)
    assert told["licence"] == "CC-BY-4.0"
    assert told["episodes"] == 9
    as_run = json.loads(call("score", tmp_path / "run", "--json").stdout)
    as_logs = json.loads(call("score", LOGS, "--from", "pcm-llm", *where, "--json").stdout)
    assert as_run == as_logs
    assert as_run["runs"][0]["n"] == told["episodes"]
