"""Runs of other simulators become episodes, or a line that says why not."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import MiraError, RecordError
from mira.evals.mirror.importing import COLUMNS, import_trajectories
from mira.evals.mirror.runs import PlayedEpisode, read_players, score_players

START = {
    **{"player": "lab/one", "body": "male_0", "hand": "bare", "mark": "dot", "setting": "human"},
    **{"level": 1, "hand_start_m": [0.4, 0, 1], "mark_world_m": [0.2, 0, 1]},
}
ARRIVES = {**START, "steps": [{"action": "move backward", "hand_world_m": [0.3, 0, 1]}]}


def rows_of(one: PlayedEpisode) -> list[dict[str, object]]:
    """An episode as rows of the CSV format."""
    details = one.details
    first = one.steps[0]
    # The first move of the script in these tests is never refused.
    dx = {"forward": -0.1, "backward": 0.1}.get(first.action, 0.0)
    dy = {"left": -0.1, "right": 0.1}.get(first.action, 0.0)
    dz = {"up": -0.1, "down": 0.1}.get(first.action, 0.0)
    start = [at + by for at, by in zip(first.hand_world_m, (dx, dy, dz), strict=True)]
    moments = [(0, None, start), *((s.step, s.action, s.hand_world_m) for s in one.steps)]
    return [
        {
            **{"player": "script", "body": details.body, "hand": details.hand},
            **{"mark": details.mark, "setting": details.setting, "level": details.level},
            **{"step": step, "action": action, "is_model": "false"},
            **{f"hand_{axis}_m": f"{at:.6f}" for axis, at in zip("xyz", hand, strict=True)},
            **{f"mark_{axis}_m": at for axis, at in zip("xyz", first.mark_world_m, strict=True)},
        }
        for step, action, hand in moments
    ]


def as_csv(rows: list[dict[str, object]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_an_imported_run_scores_as_the_run_it_was(play_run, tmp_path: Path) -> None:
    run = play_run("confused", levels=(2,), scenes=("nova_carter", "female_1"))
    players = read_players([run])
    rows = [row for one in players[0].episodes for row in rows_of(one)]
    path = tmp_path / "isaac.csv"
    path.write_text(as_csv(rows))
    store = import_trajectories(path, tmp_path / "run")
    (before,), (after,) = (
        score_players(read_players([root])).players for root in (run, store.root)
    )
    for one, other in zip(before.rows, after.rows, strict=True):
        assert one.model_dump(exclude={"fcr", "avg"}) == other.model_dump(exclude={"fcr", "avg"})
        assert other.fcr.value == pytest.approx(one.fcr.value)
    assert after.drives == before.drives
    assert not after.is_model


def test_json_says_what_csv_says(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([ARRIVES, {**START, "level": 2, "ended": "aborted", "steps": []}]))
    store = import_trajectories(path, tmp_path / "run")
    first, second = (store.episode(name) for name in store.episode_ids())
    assert first.episode_id == "lab-one-male_0-bare-dot-level-1"
    assert (first.termination, first.model, second.termination) == ("success", "lab/one", "aborted")
    assert import_trajectories(path, tmp_path / "run").episode_ids() == store.episode_ids()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"ended": "max_steps"}, "ended: found max_steps, but the last move reaches the mark"),
        ({"steps": []}, "steps: expected at least one"),
        ({"steps": ARRIVES["steps"] * 2}, "expected none after the mark is reached in step 1"),
        ({"hand_start_m": [0.25, 0, 1]}, "expected more than threshold_m"),
        ({"level": 4}, "level"),
        ({"max_steps": 0}, "max_steps"),
        ({"steps": [{"action": "jump", "hand_world_m": [0, 0, 0]}]}, "steps.0.action"),
        ({"steps": [{"action": None, "legal": True, "hand_world_m": [0, 0, 0]}]}, "steps"),
        ({"colour": "red"}, "colour: is no field"),
        ({"episode_id": "../../x"}, "[0]: episode_id: ../../x: expected letters, digits"),
        ({"mark": "m" * 300}, "is too long"),
    ],
)
def test_a_trajectory_that_cannot_be_is_refused_in_a_line(tmp_path: Path, change, told) -> None:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([{**ARRIVES, **change}]))
    if told == "steps":
        import_trajectories(path, tmp_path / "run")
        return
    with pytest.raises(RecordError) as fault:
        import_trajectories(path, tmp_path / "run")
    assert told in str(fault.value)
    assert "\n" not in str(fault.value)
    assert not (tmp_path / "run").exists()


def test_a_player_may_be_called_by_the_folder_of_its_weights(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([{**ARRIVES, "player": "/weights/llava"}]))
    (name,) = import_trajectories(path, tmp_path / "run").episode_ids()
    assert name.startswith("weights-llava-")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\n1,2\n", "expected columns player, body"),
        ("", "expected columns player, body"),
        ("HEADER,colour\n", "found 'colour'"),
        ("HEADER\np,b,h,m,human,1,1,,0,0,0,0,0,0\n", "step: expected 0, found '1'"),
        ("HEADER\np,b,h,m,human,1,0,,x,0,0,0,0,0\n", "hand_x_m to hand_z_m: expected numbers"),
        ("HEADER\np,b,h,m,human,1,0\n", "expected 14 cells"),
        ("HEADER\np,b,h,m,human,1,0,,nan,0,0,0,0,0\n", "hand_start_m"),
        ("HEADER\n", "expected trajectories, found none"),
    ],
)
def test_a_table_that_is_none_is_refused_in_a_line(tmp_path: Path, text: str, told: str) -> None:
    header = "player,body,hand,mark,setting,level,step,action,hand_x_m,hand_y_m,hand_z_m"
    path = tmp_path / "runs.csv"
    path.write_text(text.replace("HEADER", f"{header},mark_x_m,mark_y_m,mark_z_m"))
    with pytest.raises(RecordError) as fault:
        import_trajectories(path, tmp_path / "run")
    assert told in str(fault.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(cut=st.integers(0, 600), letter=st.binary(min_size=1, max_size=3))
def test_mangled_files_raise_what_a_user_can_mend(tmp_path: Path, cut: int, letter: bytes) -> None:
    moments = [(0, None, START["hand_start_m"]), (1, "backward", [0.3, 0, 1])]
    rows = [
        {
            **{key: at for key, at in START.items() if not key.endswith("_m")},
            **{"step": step, "action": action},
            **{f"hand_{axis}_m": at for axis, at in zip("xyz", hand, strict=True)},
            **{f"mark_{axis}_m": at for axis, at in zip("xyz", START["mark_world_m"], strict=True)},
        }
        for step, action, hand in moments
    ]
    for name, text in (("a.json", json.dumps([ARRIVES])), ("a.csv", as_csv(rows))):
        data = text.encode()
        path = tmp_path / name
        path.write_bytes(data[: cut % len(data)] + letter + data[cut % len(data) + 1 :])
        with TemporaryDirectory(dir=tmp_path) as folder, contextlib.suppress(MiraError):
            store = import_trajectories(path, Path(folder) / "run")
            # What is taken is whole.
            for one in store.episode_ids():
                assert list(store.steps(store.episode(one)))


def test_the_example_in_the_guide_is_imported(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[5] / "docs" / "mirror-test.md").read_text("utf-8")
    (example,) = re.findall(r"^```json\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    (tmp_path / "runs.json").write_text(example)
    store = import_trajectories(tmp_path / "runs.json", tmp_path / "run")
    assert store.episode(store.episode_ids()[0]).success


def test_the_guide_names_every_column() -> None:
    guide = (Path(__file__).parents[5] / "docs" / "mirror-test.md").read_text("utf-8")
    for column in COLUMNS:
        if column[-4:] not in ("_x_m", "_y_m", "_z_m"):
            assert f"`{column}`" in guide, column
