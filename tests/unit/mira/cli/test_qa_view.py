"""What `mira qa view` writes and says."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from annotate.importing import import_annotations
from mira.cli.app import app
from mira.errors import MiraError
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = Workspace.create(tmp_path_factory.mktemp("rooms") / "workspace")
    import_annotations(packaged_scenes_dir(), workspace, scenes=None, annotator="simulator")
    return workspace.root


def view(rooms: Path, *arguments: object) -> Result:
    words = ["qa", "view", "--workspace", rooms, *arguments]
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_page_is_written_and_what_it_shows_is_counted(rooms: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "page.html"
    done = view(rooms, "room_s28_0000", "--out", out)
    assert done.exit_code == 0
    assert "5 links: 5 fit, 0 apart, 0 untold" in done.stdout
    assert out.read_text("utf-8").startswith("<!doctype html>")


def test_json_gives_planes_and_links(rooms: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    said = json.loads(view(rooms, "room_s28_0000_v0", "-o", out, "--json").stdout)
    assert said["page"] == str(out)
    assert said["image_id"] == "room_s28_0000_v0"
    assert {link["agrees"] for link in said["links"]} == {True}
    assert all(surface["confidence"] > 0.5 for surface in said["surfaces"])


def test_nothing_is_written_for_a_picture_that_is_not_there(rooms: Path, tmp_path: Path) -> None:
    done = view(rooms, "nowhere", "-o", tmp_path / "page.html")
    assert isinstance(done.exception, MiraError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(find_spec("rerun") is not None, reason="the extra `rerun` is installed")
def test_nothing_is_written_where_the_viewer_s_sdk_is_missing(rooms: Path, tmp_path: Path) -> None:
    done = view(
        rooms, "room_s28_0000", "-o", tmp_path / "page.html", "--rrd", tmp_path / "scene.rrd"
    )
    assert "rerun-sdk: is not installed" in str(done.exception)
    assert list(tmp_path.iterdir()) == []
