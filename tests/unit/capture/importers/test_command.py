"""`mira capture import` as people type it."""

from __future__ import annotations

import json
from typing import get_args

import pytest
import typer
from typer.testing import CliRunner

from capture.importers.layouts import LAYOUTS
from mira.cli.capture_import import ConsentState, LayoutName, SurfaceKind, import_
from mira.schema.capture import Consent, SurfaceType


@pytest.fixture
def invoke():
    app = typer.Typer()
    app.command()(import_)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def test_the_command_offers_what_there_is():
    assert {name.value for name in LayoutName} == set(LAYOUTS)
    assert {kind.value for kind in SurfaceKind} == set(get_args(SurfaceType))
    assert {state.value for state in ConsentState} == set(get_args(Consent))


def test_an_import_says_what_it_did_and_what_comes_next(write, source, out, invoke):
    write.color("a_color.png")
    write.depth("a_depth.png")
    result = invoke(source, "--from", "folder", "--out", out)
    assert result.exit_code == 0
    assert "1 scene; 1 view imported" in result.stdout
    assert f"Next: mira capture select {out}" in result.stderr
    assert "millimetres" in result.stderr


def test_a_file_left_out_is_named_and_ends_with_status_1(write, source, out, invoke):
    write.color("a.png")
    (source / "b.png").write_bytes(b"none")
    result = invoke(source, "--from", "folder", "--out", out, "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["imported"] == 1
    assert [fault["file"] for fault in report["left_out"]] == ["b.png"]


def test_a_dry_run_says_what_would_be(write, source, out, invoke):
    write.color("a.png")
    result = invoke(source, "--from", "folder", "--out", out, "--dry-run")
    assert "1 view would be imported" in result.stdout
    assert not out.exists()
    assert "Next" not in result.stderr


def test_flags_reach_the_session(write, source, out, invoke, held):
    write.color("1.png")
    write.mask("1_mask.png", 255)
    table = write.text("scenes.csv", "name,scene_id\n1.png,bath\n")
    flags = ("--licence", "CC0-1.0", "--source", "Crew", "--consent", "granted")
    more = ("--surface-type", "glass", "--scenes", table, "--limit", "5", "--keyframes", "0")
    assert invoke(source, "--from", "folder", "-o", out, *flags, *more).exit_code == 0
    scene = held().session.read_scene("bath")
    assert (scene.licence, scene.source, scene.consent) == ("CC0-1.0", "Crew", "granted")
    assert scene.surfaces[0].surface_type == "glass"


def test_an_interrupted_import_says_how_to_go_on(write, source, out, invoke, monkeypatch):
    from capture.importers import importing

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    write.color("a.png")
    monkeypatch.setattr(importing, "_run", interrupt)
    monkeypatch.setattr("sys.argv", ["mira", "capture", "import", "x", "--out", "a b"])
    result = invoke(source, "--from", "folder", "--out", out)
    assert result.exit_code == 130
    assert "Next: mira capture import x --out 'a b'" in result.stderr


def test_of_many_faults_some_are_shown(source, out, invoke):
    for k in range(25):
        (source / f"{k}.png").write_bytes(b"none")
    result = invoke(source, "--from", "folder", "--out", out)
    assert result.stderr.count("left out:") == 20
    assert "and 5 more" in result.stderr
