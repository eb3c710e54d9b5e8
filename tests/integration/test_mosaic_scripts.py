"""Agents that play MOSAIC by scripts are scored as they were made."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from mira.cli.app import app

CONDITIONS = ("coop-tom0", "coop-tom1", "comp-tom0", "comp-tom1")


@pytest.fixture
def play(tmp_path):
    """Lets two scripts play; gives a metric, and how often a tag, by condition."""

    def call(*words):
        done = CliRunner().invoke(app, ["eval", "mosaic", *map(str, words)])
        assert done.exit_code == 0, done.output
        return done

    def _play(subject, participant):
        run = tmp_path / f"{subject}-{participant}"
        call("run", "--subject", subject, "--participant", participant, "--out", run, "--trials", 4)
        told = json.loads(call("score", run, "--json").stdout)

        def metric(name):
            cells = {one["condition"]: one["metrics"] for one in told["cells"]}
            return [
                next(one["value"] for one in cells[condition] if one["name"] == name)
                for condition in CONDITIONS
            ]

        def tagged(name):
            return [one["times"] / one["n"] for one in told["failures"] if one["failure"] == name]

        return metric, tagged

    return _play


def test_who_tells_the_truth_and_is_heeded_conforms_but_where_it_should_deceive(play):
    metric, tagged = play("honest", "attentive")
    assert metric("tocs") == [1, 1, 1, 0]
    assert metric("tas") == metric("gas") == metric("s") == [1, 1, 1, 1]
    assert tagged("signal-ignored") == [0, 0, 0, 0]


def test_who_lies_and_is_read_by_face_is_conforming_where_it_should_lie(play):
    metric, _ = play("deceptive", "attentive")
    assert metric("tocs") == [0, 0, 0, 1]
    assert metric("right") == [0, 0, 0, 0]
    assert metric("s") == [-1, -1, -1, -1]


def test_who_is_deaf_ignores_every_signal(play):
    metric, tagged = play("honest", "deaf")
    assert metric("tas") == [1, 1, 1, 1]
    assert tagged("signal-ignored") == [1, 1, 1, 1]


def test_who_always_goes_to_one_box_is_biased_whichever_side_it_stands_on(play):
    metric, tagged = play("honest", "biased")
    assert metric("bias") == [1, 1, 1, 1]
    assert min(metric("bias_side")) < 1
    assert tagged("signal-ignored") == [1, 1, 1, 1]


def test_who_never_moves_is_neutral_and_says_nothing(play):
    metric, _ = play("idle", "idle")
    assert metric("uncertainty") == [1, 1, 1, 1]
    assert metric("tas") == metric("gas") == metric("fes") == metric("s") == [0, 0, 0, 0]


def test_agents_that_act_on_beliefs_conform_everywhere_and_deceive_where_they_should(play):
    metric, _ = play("belief_action", "belief_action")
    assert min(metric("tocs")) > 0.5
    *others, deceived = metric("s")
    assert min(others) > 0
    assert deceived < 0
