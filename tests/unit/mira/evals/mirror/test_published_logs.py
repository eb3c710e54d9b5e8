"""Logs in the form of MirrorBench's own program, which nobody here has run in Isaac Sim."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import RecordError
from mira.evals.mirror.importing import import_trajectories
from mira.evals.mirror.published_logs import SceneStart
from mira.evals.mirror.runs import read_players, score_players

STARTS = {"gr1_t2": SceneStart((0.4, 0.2, 1.55), (0.2, 0.0, 1.25))}
ARGS = {
    **{"track": "Robot", "body": "GR1_T2", "hand": "allegro", "mark": "splash", "level": 2},
    **{"model": "gpt-4o", "max_steps": 6, "max_image_history": 1},
}


def turn(number: int, text: str, result: str) -> str:
    return f"Step {number}:\nAction Text:\n\n{text}\n\n{result}"


def made(number: int, name: str, distance: float, *, legal: bool = True, done: bool = False) -> str:
    return (
        f"Action Number: {number}\nAction Choice: move {name}\n"
        f"Distance: {distance:.4f}, Feedback:{legal}, Accomplish:{done}\n\n"
    )


BAD = "Action Number: -2\nModel bad response.\n\n"
TURNS = [
    turn(1, "Step 1:\nI think.\n\nAction Number: 4\nChoice: [2]", made(2, "down", 0.6)),
    turn(2, "no idea", BAD),
    turn(3, "Choice: 6", made(6, "backward (towards the camera)", 0.5)),
    turn(4, "Choice: 6", made(6, "backward (towards the camera)", 0.4)),
    turn(5, "Choice: 6", made(6, "backward (towards the camera)", 0.4, legal=False)),
    turn(6, "Choice: 4", made(4, "right", 0.3)),
]


def logged(root: Path, text: str, **args: object) -> Path:
    folder = root / "logs" / "20260102-030405"
    folder.mkdir(parents=True)
    (folder / "args.json").write_text(json.dumps(ARGS | args))
    (folder / "logs_env.txt").write_text(text)
    return root / "logs"


def test_positions_follow_from_moves(tmp_path: Path) -> None:
    store = import_trajectories(logged(tmp_path, "".join(TURNS)), tmp_path / "run", starts=STARTS)
    (name,) = store.episode_ids()
    assert name == "gpt-4o-GR1_T2-allegro-splash-level-2-20260102-030405"
    episode = store.episode(name)
    steps = list(store.steps(episode))
    assert [step.manhattan_m for step in steps] == pytest.approx([0.6, 0.6, 0.5, 0.4, 0.4, 0.3])
    assert [step.legal for step in steps] == [True, None, True, True, False, True]
    assert (episode.termination, episode.model) == ("max_steps", "gpt-4o")
    row = score_players(read_players([store.root])).players[0].row("robot", 2)
    assert row.sir.value == 4 / 6
    assert row.n_unreadable == row.n_refused == 1


def test_a_log_that_ends_early_is_aborted(tmp_path: Path) -> None:
    store = import_trajectories(logged(tmp_path, "".join(TURNS[:4])), tmp_path / "r", starts=STARTS)
    assert store.episode(store.episode_ids()[0]).termination == "aborted"


@pytest.mark.parametrize(
    ("text", "args", "told"),
    [
        (TURNS[0].replace("0.6000", "0.5000"), {}, "expected a distance of 0.6000 m by the moves"),
        (TURNS[1], {}, "expected step 1, found 2"),
        ("", {"body": "nobody"}, "body: expected one of gr1_t2"),
        ("", {"max_steps": 0}, "max_steps"),
    ],
)
def test_a_log_that_contradicts_itself_is_refused(tmp_path: Path, text, args, told) -> None:
    logs = logged(tmp_path, text, **args)
    with pytest.raises(RecordError) as fault:
        import_trajectories(logs, tmp_path / "run", starts=STARTS)
    assert told in str(fault.value)
    assert not (tmp_path / "run").exists()


def test_the_command_knows_where_published_scenes_begin(tmp_path: Path) -> None:
    logs = logged(tmp_path, "".join(TURNS))
    words = ["eval", "mirror", "import", str(logs), "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert "1 episode:" in result.stderr
