"""`mira capture list` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mira.cli.capture_list import list_
from mira.cli.plain_help import PlainTyper
from mira.errors import SessionError
from mira.schema.capture import Scene
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.session import Session


def run(*words: object) -> Result:
    app = PlainTyper()
    app.command()(list_)
    return CliRunner().invoke(app, [str(word) for word in words])


def test_packaged_views_are_listed_with_their_numbers() -> None:
    done = run(packaged_scenes_dir())
    assert done.exit_code == 0, done.output
    head, *rows, legend, total = done.stdout.splitlines()
    assert " ".join(head.split()) == (
        "scene view size when (UTC) dt ms sharp black white depth has"
    )
    assert len(rows) == 4
    assert rows[0].startswith("room_s28_0000  v0    848x480  ")
    assert rows[0].endswith(" %  SA")
    assert legend.startswith("has: R raw burst")
    assert total.endswith(": 4 views of 4 scenes: 4 committed")


def test_json_has_all_that_is_known() -> None:
    content = json.loads(run(packaged_scenes_dir(), "--json").stdout)
    assert content["source"] == "simulated"
    first = content["views"][0]
    assert (first["width_px"], first["state"], first["extras"]) == (
        848,
        "committed",
        ["surfaces", "annotation"],
    )
    assert first["quality"]["sharpness"] > 0


def test_what_failed_is_told_in_one_line(tmp_path: Path) -> None:
    record = CaptureSession(
        session_id="run",
        source="live",
        provenance=Provenance(tool="test", tool_version="0"),
    )
    session = Session.create(tmp_path / "run", record, durable=False)
    session.write_scene(Scene(scene_id="hall"))
    session.note("planned", "hall", "v1")
    session.note("failed", "hall", "v1", reason="no frames: " + "very " * 60 + "long")
    session.note("planned", "hall", "v2")
    lines = run(session.root).stdout.splitlines()
    assert lines[1].startswith("hall   v1    failed: no frames: very very")
    assert lines[1].endswith("…")
    assert len(lines[1]) <= 100
    assert lines[2].split() == ["hall", "v2", "planned"]
    assert lines[3] == "run: 2 views of 1 scene: 1 failed, 1 planned"
    (session.root / "journal.jsonl").write_text("[]\n")
    assert "fault: " in run(session.root).stdout


def test_an_empty_session_is_a_line_and_no_session_an_error(tmp_path: Path) -> None:
    record = CaptureSession(
        session_id="run",
        source="file",
        provenance=Provenance(tool="test", tool_version="0"),
    )
    Session.create(tmp_path / "run", record, durable=False)
    assert run(tmp_path / "run").stdout == "run: 0 views of 0 scenes\n"
    failed = run(tmp_path)
    assert isinstance(failed.exception, SessionError)


@pytest.mark.parametrize("words", [("--help",)])
def test_help_is_plain(words: tuple[str, ...]) -> None:
    assert "List the views of a session" in run(*words).stdout
