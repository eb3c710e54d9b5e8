"""The mirror test from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.store.episodes import EpisodeStore


def run(*words: object, stdin: str | None = None):
    return CliRunner().invoke(app, ["eval", "mirror", *map(str, words)], input=stdin)


def test_a_script_plays_and_the_same_command_goes_on(tmp_path: Path) -> None:
    words = ("run", "--policy", "oracle", "--no-render", "--out", tmp_path / "run")
    few = run(*words, "--levels", "0,2", "--scenes", "nova_carter")
    assert few.exit_code == 0
    assert "12 episodes played" in few.stderr
    more = run(*words, "--levels", "0,1,2", "--scenes", "nova_carter,tienkung-gripper-ring")
    assert "9 episodes played, 12 kept" in more.stderr
    assert len(EpisodeStore.open(tmp_path / "run").episode_ids()) == 21


def test_a_person_plays_with_words_and_keys(tmp_path: Path) -> None:
    words = ("run", "--policy", "keyboard", "--no-render", "--out", tmp_path / "run")
    scene = ("--scenes", "tienkung-gripper-ring", "--levels", "1")
    left = run(*words, *scene, stdin="b\n")
    assert left.exit_code != 0
    assert "the same command goes on" in left.stderr
    done = run(*words, *scene, stdin="b\nsomewhere\nbackward\nB\n l \nl\n")
    assert "The mark is reached" in done.stderr
    store = EpisodeStore.open(tmp_path / "run")
    episode = store.episode("tienkung-gripper-ring-level-1")
    said = [step.raw_reply for step in store.steps(episode)]  # type: ignore[union-attr]
    assert episode.agents[0].name == "human"
    assert said[:3] == ["backward", "somewhere", "backward"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--levels", "0,9"), "expected 0, 1, 2 or 3, found 9"),
        (("--levels", "all"), "expected 0, 1, 2 or 3"),
        (("--scenes", "nobody"), "found 'nobody'"),
        (("--prompts", "none.yaml"), "none.yaml"),
    ],
)
def test_wrong_use_writes_nothing(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    out = tmp_path / "run"
    result = run("run", "--policy", "up", "--no-render", "--out", out, *words)
    assert result.exit_code != 0
    assert told in f"{result.stderr}{result.exception}"
    assert not out.exists()


def test_a_sample_is_the_same_for_whoever_plays(tmp_path: Path) -> None:
    found = []
    for policy in ("up", "oracle"):
        words = ("run", "--policy", policy, "--no-render", "--out", tmp_path / policy)
        assert run(*words, "--sample", 28, "--seed", 4).exit_code == 0
        found.append(EpisodeStore.open(tmp_path / policy).episode_ids())
    assert found[0] == found[1]
    assert len(found[0]) == 28


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--policy", "browser", "--no-render"), "people see pictures alone"),
        (("--policy", "up", "--player", "anna"), "only people have one"),
        (("--model", "mockllm/model", "--player", "anna"), "only people have one"),
    ],
)
def test_what_people_play_is_not_mixed_up(tmp_path: Path, words: tuple[str, ...], told: str):
    result = run("run", *words, "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert told in result.stderr
    assert not (tmp_path / "run").exists()


def test_people_are_refused_the_folder_of_a_run(tmp_path: Path) -> None:
    run("run", "--policy", "up", "--no-render", "--scenes", "gr1_t2-gripper-ring", "-o", tmp_path)
    result = run("run", "--policy", "browser", "--out", tmp_path)
    assert "expected a folder of runs, one a player" in str(result.exception)


def test_a_name_that_is_none_makes_no_folder(tmp_path: Path, gl: None) -> None:
    pytest.importorskip("fastapi", reason="needs fastapi (the extra `app`)")
    out = tmp_path / "people"
    result = run("run", "--policy", "browser", "--player", "A B", "--port", "0", "--out", out)
    assert "found 'A B'" in str(result.exception)
    assert not out.exists()
