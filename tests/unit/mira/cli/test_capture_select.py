"""`mira capture select` as people type it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mira.cli.capture_select import select
from mira.cli.plain_help import PlainTyper
from mira.errors import MiraError, RecordError, SessionError, WorkspaceError
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Four simulated views without annotation or mask."""
    packaged = packaged_scenes_dir()
    folder = tmp_path / "session"
    shutil.copytree(packaged / "scenes", folder / "scenes")
    for name in ("capture.json", "journal.jsonl"):
        if (packaged / name).is_file():
            shutil.copy(packaged / name, folder)
    for sums in folder.rglob("SHA256SUMS"):
        kept = [line for line in sums.read_text().splitlines() if "surfaces.png" not in line]
        sums.write_text("".join(f"{line}\n" for line in kept))
        sums.with_name("surfaces.png").unlink()
    return folder


def run(*words: object) -> Result:
    app = PlainTyper()
    app.command()(select)
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_page_goes_into_the_session_and_the_summary_says_why(session: Path) -> None:
    done = run(session)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "4 views of 4 scenes: 0 keep, 4 look, 0 drop"
    assert "look      4  surface-unknown: room_s28_0000/v0, room_s28_0001/v0, " in done.stdout
    assert lines[-1] == f"Report: {session / 'selection.html'}"
    assert (session / "selection.html").read_text("utf-8").startswith("<!doctype html>")


def test_all_is_one_json_document(session: Path, tmp_path: Path) -> None:
    page = tmp_path / "sub" / "page.html"
    done = run(session, "--json", "--out", page)
    content = json.loads(done.stdout)
    assert content["report"] == str(page)
    assert page.is_file()
    assert not (session / "selection.html").exists()
    assert [view["verdict"] for view in content["views"]] == ["look"] * 4
    assert content["views"][0]["standings"]["surface"] == "unmeasured"
    assert content["policy"]["surface"]["share_floor"]["look_below"] == 0.02


def test_a_table_and_other_bounds(session: Path, tmp_path: Path) -> None:
    policy, table = tmp_path / "bounds.yaml", tmp_path / "views.csv"
    policy.write_text("quality: {sharpness_floor: {look_below: 1.0e+6, drop_below: 1.0e+6}}")
    done = run(session, "--policy", policy, "--csv", table)
    assert "drop      4  blurred: " in done.stdout
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert [row["verdict"] for row in rows] == ["drop"] * 4


def test_strict_ends_with_1_where_a_view_is_not_to_be_kept(session: Path, tmp_path: Path) -> None:
    from annotate.importing import import_annotations

    assert run(session, "--strict").exit_code == 1
    workspace = Workspace.create(tmp_path / "work")
    import_annotations(session, workspace, scenes=None, annotator="anna", progress=None)
    done = run(session, "--strict", "--workspace", workspace.root)
    assert done.exit_code == 0
    assert "4 views of 4 scenes: 4 keep, 0 look, 0 drop" in done.stdout


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("nowhere",), SessionError),
        (("{session}", "--workspace", "nowhere"), WorkspaceError),
        (("{session}", "--workspace", "{empty}"), WorkspaceError),
        (("{session}", "--policy", "nowhere.yaml"), RecordError),
        (("{session}", "--out", "{session}/capture.json/page.html"), MiraError),
    ],
)
def test_wrong_input_is_one_line(
    session: Path, tmp_path: Path, words: tuple[str, ...], error: type[MiraError]
) -> None:
    Workspace.create(tmp_path / "empty")
    places = {"session": session, "empty": tmp_path / "empty"}
    done = run(*(word.format(**places) for word in words))
    assert isinstance(done.exception, error)
    assert "\n" not in str(done.exception)


def test_many_pairs_and_damage_are_told_in_short(session: Path) -> None:
    for number in range(3):
        source = session / "scenes" / "room_s28_0000"
        copy = session / "scenes" / f"copy_{number}"
        shutil.copytree(source, copy)
        record = (copy / "scene.json").read_text().replace("room_s28_0000", copy.name)
        (copy / "scene.json").write_text(record)
    (session / "scenes" / "room_s28_0001" / "views" / "v0" / "SHA256SUMS").unlink()
    (session / "scenes" / "room_s28_0002" / "scene.json").write_text("{")
    done = run(session)
    assert done.stdout.count("the same reflection in two scenes") == 4
    assert "and 2 more such pairs" in done.stdout
    assert "not whole and not judged: room_s28_0001/v0" in done.stdout
    assert "fault: " in done.stdout
