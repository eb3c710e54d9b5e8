import json

import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.sim.treasure.play import Cast, TreasurePlay
from mira.sim.treasure.trials import plan_trials
from mira.store.episodes import EpisodeStore


def _run(*words):
    return CliRunner().invoke(app, ["eval", "mosaic", *map(str, words)])


def _play(out, *more, subject="honest", participant="attentive"):
    return _run("run", "--subject", subject, "--participant", participant, "--out", out, *more)


def test_trials_of_all_conditions_are_played_and_scored(tmp_path):
    played = _play(tmp_path / "run", "--trials", 2)
    assert played.exit_code == 0, played.output
    store = EpisodeStore.open(tmp_path / "run")
    assert len(store.episode_ids()) == 8
    assert store.run().name == "honest and attentive"
    scored = _run("score", tmp_path / "run", "--json")
    assert scored.exit_code == 0, scored.output
    cells = json.loads(scored.stdout)["cells"]
    values = {
        cell["condition"]: {metric["name"]: metric["value"] for metric in cell["metrics"]}
        for cell in cells
    }
    assert {name: found["tocs"] for name, found in values.items()} == {
        "coop-tom0": 1,
        "coop-tom1": 1,
        "comp-tom0": 1,
        "comp-tom1": 0,
    }


def test_a_run_goes_on_where_it_stopped(tmp_path):
    out = tmp_path / "run"
    _play(out, "--trials", 1, "--conditions", "comp-tom1")
    first = (out / "episodes" / "comp-tom1-001" / "episode.json").stat().st_mtime_ns
    again = _play(out, "--trials", 2, "--conditions", "comp-tom1,coop-tom0")
    assert "3 trials played, 1 kept" in again.stderr
    assert (out / "episodes" / "comp-tom1-001" / "episode.json").stat().st_mtime_ns == first


def test_the_same_command_writes_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        out = tmp_path / name
        _play(out, "--trials", 1, subject="belief_action", participant="belief_action")
    sums = [
        {p.parent.name: p.read_bytes() for p in (tmp_path / name).glob("episodes/*/SHA256SUMS")}
        for name in ("one", "two")
    ]
    assert sums[0] == sums[1]
    assert len(sums[0]) == 4


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (("--seed", 1), "seed: expected 0 as before, found 1"),
        (("--visual", "blank"), "visual: expected None as before, found blank"),
    ],
)
def test_another_run_needs_a_folder_of_its_own(tmp_path, more, fault):
    out = tmp_path / "run"
    _play(out, "--trials", 1)
    refused = _play(out, "--trials", 1, *more)
    assert refused.exit_code != 0
    assert fault in str(refused.exception)


@pytest.mark.parametrize(
    ("subject", "participant", "fault"),
    [
        ("attentive", "attentive", "expected a subject of honest, deceptive"),
        ("honest", "deceptive", "expected a participant of attentive, deaf"),
    ],
)
def test_who_does_not_play_a_role_is_refused_before_anything_is_written(
    tmp_path, subject, participant, fault
):
    refused = _play(tmp_path / "run", subject=subject, participant=participant)
    assert refused.exit_code != 0
    assert fault in str(refused.exception)
    assert not (tmp_path / "run").exists()


def test_an_unknown_condition_is_refused(tmp_path):
    assert _play(tmp_path / "run", "--conditions", "comp-tom2").exit_code == 2
    assert not (tmp_path / "run").exists()


def test_settings_are_in_the_record_of_the_run(tmp_path):
    _play(tmp_path / "run", "--trials", 1, "--seed", 5)
    found = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["provenance"]
    assert found["parameters"]["seed"] == 5
    assert found["parameters"]["participant"] == "attentive"


@pytest.mark.parametrize("visual", ["rendered", "blank", "rendered_face"])
def test_pictures_are_kept_of_what_each_turn_was_chosen_on(tmp_path, visual):
    played = _play(tmp_path / "run", "--trials", 1, "--conditions", "comp-tom0", "--visual", visual)
    assert played.exit_code == 0, played.output
    store = EpisodeStore.open(tmp_path / "run")
    episode = store.episode("comp-tom0-001")
    assert episode.details.visual == visual
    names = [step.image.path for step in store.steps(episode)]
    assert len(names) == 20
    assert (len(set(names)) == 1) == (visual == "blank")


def test_a_trial_is_replayed_as_a_film(tmp_path):
    run, out = tmp_path / "run", tmp_path / "film.gif"
    _play(run, "--trials", 1, "--conditions", "comp-tom1")
    # One that broke off after a turn is drawn in less time.
    play = TreasurePlay(plan_trials(0)[-1], {"subject": Cast("a"), "participant": Cast("b")})
    play.abort("gone")
    play.write(EpisodeStore.open(run))
    made = _run("replay", run, "comp-tom1-050", "--out", out)
    assert made.exit_code == 0, made.output
    assert out.read_bytes().startswith(b"GIF8")
    missing = _run("replay", run, "comp-tom1-002", "--out", out)
    assert "such as comp-tom1-001" in str(missing.exception)
    assert _run("replay", run, "comp-tom1-001", "--out", "a.mp4").exit_code == 2
