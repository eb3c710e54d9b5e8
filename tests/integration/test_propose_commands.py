"""Proposals by one's own thresholds, from the command line, and questions that verify by them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from extras import skip_without
from typer.testing import CliRunner, Result

from mira.cli.app import app
from mira.errors import RecordError
from mira.store.workspace import Workspace

skip_without("embreex", extra="sim")


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of simulated rooms."""
    from annotate.importing import import_annotations
    from mira.sim.rooms.output.series import make_rooms
    from mira.sim.rooms.policy import CameraPolicy, RoomPolicy

    folder = tmp_path_factory.mktemp("rooms")
    camera = CameraPolicy(width_px=424, height_px=240, focal_px=305)
    make_rooms(folder / "rooms", count=2, seed=3, policy=RoomPolicy(camera=camera), workers=1)
    workspace = Workspace.create(folder / "workspace")
    import_annotations(folder / "rooms", workspace, scenes=None, annotator="simulator")
    return workspace.root


@pytest.fixture
def workspace(rooms: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(rooms, tmp_path / "workspace"))


def run(verb: str, workspace: Path, *arguments: object) -> Result:
    return CliRunner().invoke(app, ["qa", verb, "-w", str(workspace), *map(str, arguments)])


def proposed(workspace: Path, *arguments: object) -> dict[str, int]:
    """Number of sure answers by template."""
    done = run("propose", workspace, "--json", *arguments)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["by_template"]
    return {template_id: one["sure"] for template_id, one in found.items()}


def test_a_policy_changes_what_is_sure_and_questions_verify_by_it(workspace, tmp_path):
    bold = tmp_path / "bold.yaml"
    bold.write_text("sure_sigmas: 0.1\nspatial: {collision: {move_m: 0.4}}\n")
    usual, more = proposed(workspace), proposed(workspace, "--policy", bold)
    assert more["mr_001"] > usual["mr_001"]
    assert run("generate", workspace).exit_code == 0
    done = run("verify", workspace)
    assert (done.exit_code, "mr_001" in Workspace(workspace).qa_summary().by_template) == (0, True)
    assert proposed(workspace) == usual
    # Questions of bold answers are left, and nobody would ask them now.
    done = run("verify", workspace)
    assert done.exit_code == 1
    assert "item-gone" in done.stdout


def test_pictures_of_the_same_thresholds_are_kept(workspace):
    first = json.loads(run("propose", workspace, "--json").stdout)
    again = json.loads(run("propose", workspace, "--json", "--workers", 2).stdout)
    assert (first["kept"], again["kept"]) == (0, first["images"])
    assert again["by_template"] == first["by_template"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("sure_sigma: 2\n", "sure_sigma"),
        ("sure_sigmas: much\n", "sure_sigmas"),
        ("geometry: {verdict: {least_trust: 2}}\n", r"geometry\.verdict\.least_trust"),
    ],
)
def test_a_fault_of_a_policy_names_file_and_field(workspace, tmp_path, text, fault):
    path = tmp_path / "bounds.yaml"
    path.write_text(text)
    before = sorted(workspace.rglob("*"))
    done = run("propose", workspace, "--policy", path)
    assert isinstance(done.exception, RecordError)
    assert str(path) in str(done.exception)
    assert sorted(workspace.rglob("*")) == before
    assert re.search(fault, str(done.exception))


def test_pictures_by_older_thresholds_are_told_and_held_to_what_was_proposed(workspace, tmp_path):
    proposed(workspace)
    timid = tmp_path / "timid.yaml"
    timid.write_text("sure_sigmas: 8\n")
    proposed(workspace, "--policy", timid, "--limit", 1)
    assert run("generate", workspace).exit_code == 0
    done = run("verify", workspace)
    assert done.exit_code == 0
    assert done.stdout.count("[proposals-stale]") == 3
    assert "run mira qa propose" in done.stdout
