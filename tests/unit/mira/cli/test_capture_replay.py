"""`mira capture replay` as people type it."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from capture.sdk import load_sdk
from mira.cli.app import app
from mira.errors import MiraError


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of one simulated view with its burst."""
    try:
        load_sdk()
    except MiraError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("recorded")
    plan = folder / "plan.yaml"
    plan.write_text(
        "{session_id: s, raw_pairs: 6, camera: {color: 848x480}, "
        "scenes: [{scene_id: hall, views: 1}]}"
    )
    words = ["capture", "record", plan, "--simulate", "--headless", "--out", folder / "s"]
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return folder / "s"


@pytest.fixture
def recording(session: Path, tmp_path: Path) -> Path:
    """The burst, in a copy that a test may damage."""
    copy = Path(shutil.copytree(session, tmp_path / "s"))
    return copy / "scenes" / "hall" / "views" / "v1" / "raw.db3"


def test_a_whole_recording_becomes_views(recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["capture", "replay", str(recording), "--out", str(out)])

    assert done.exit_code == 0, done.output
    assert "8 pairs, 8 good" in done.stdout
    assert len(list(out.glob("scenes/hall/views/*"))) == 8


def test_a_recording_that_the_sdk_gives_up_half_way_is_no_success(recording: Path) -> None:
    with sqlite3.connect(recording) as database:
        (middle,) = database.execute(
            "select m.id from messages m join topics t on m.topic_id = t.id "
            "where t.name like '%/image/data%' order by m.id limit 1 offset 8"
        ).fetchone()
        database.execute("update messages set data = x'' where id = ?", (middle,))
    database.close()

    done = CliRunner().invoke(app, ["capture", "replay", str(recording)])

    assert done.exit_code == 1
    assert "it is damaged" in done.stderr


def test_a_burst_is_of_the_scene_that_it_was_taken_in(recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    CliRunner().invoke(app, ["capture", "replay", str(recording), "--out", str(out)])

    assert [path.name for path in (out / "scenes").iterdir()] == ["hall"]


def test_a_recording_on_which_the_sdk_hangs_or_dies_is_one_line(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capture.sources.recording_file._OPENS_S", 3)
    with sqlite3.connect(recording) as database:
        database.execute("delete from topics where name like '%/Depth_0/info'")
    database.close()

    done = CliRunner().invoke(app, ["capture", "replay", str(recording)])

    assert done.exit_code != 0
    assert "is damaged: the SDK hangs on it" in str(done.exception)
