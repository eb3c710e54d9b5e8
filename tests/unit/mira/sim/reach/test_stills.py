"""Stills of the mirror test say what their pictures show."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import SimulationError
from mira.geometry.camera import project_points
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.stills import ReachStill, ReachWorld, make_reach_stills
from mira.sim.stills.folder import read_stills

pytestmark = pytest.mark.usefixtures("gl")

SCENE, SMALL_PX = "nova_carter-gripper-ring", 128


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene with every third step of its way."""
    out = tmp_path_factory.mktemp("stills") / "reach"
    make_reach_stills(out, scenes=(SCENE,), walk=3, size_px=SMALL_PX)
    return out


@pytest.fixture(scope="module")
def stills(folder: Path) -> list[ReachStill]:
    return list(read_stills(folder, ReachStill).values())


def test_a_walk_shows_every_so_many_steps_of_a_shortest_way(stills: list[ReachStill]) -> None:
    policy = ReachPolicy()
    assert [still.step for still in stills] == list(range(0, 3 * len(stills), 3))
    away = [np.abs(np.subtract(still.hand_world_m, still.mark_world_m)).sum() for still in stills]
    assert np.diff(away) == pytest.approx(-3 * policy.step_m)
    assert away[-1] - 3 * policy.step_m < policy.threshold_m


def test_the_mark_is_seen_where_optics_put_its_image(stills: list[ReachStill]) -> None:
    assert stills[0].mark_px == pytest.approx(stills[0].mark_image_px, abs=0.5)
    assert stills[0].mark_area_px > 5


def test_the_camera_of_the_world_puts_the_hand_where_the_truth_has_it(
    folder: Path, stills: list[ReachStill]
) -> None:
    world = ReachWorld.from_json((folder / "world.json").read_bytes(), where="world.json")
    pose = world.camera_pose
    for still in stills:
        seen = (np.array(still.hand_world_m) - pose.translation_m) @ np.array(pose.rotation)
        assert project_points(world.camera, seen) == pytest.approx(still.hand_px, abs=0.002)


def test_pictures_change_where_the_hand_and_its_image_were(
    folder: Path, stills: list[ReachStill]
) -> None:
    one, other = (cv2.imread(str(folder / still.file)) for still in stills[:2])
    assert one is not None
    assert other is not None
    changed = np.abs(one.astype(int) - other).max(axis=2) > 24
    for at in (stills[0].hand_px, stills[0].hand_image_px):
        assert at is not None
        x, y = np.round(at).astype(int)
        assert changed[y - 1 : y + 2, x - 1 : x + 2].any()


def test_the_command_goes_on_with_more_steps_and_prints_where_all_is(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in (folder / "pictures").iterdir()}
    words = ["sim", "reach", "--out", str(folder), "--scenes", SCENE, "--size", str(SMALL_PX)]
    done = CliRunner().invoke(app, [*words, "--walk", "2", "--json"])
    assert done.exit_code == 0, done.output
    found = orjson.loads(done.stdout)
    assert found["kept"] == 2  # steps 0 and 6
    assert len(read_stills(folder, ReachStill)) == len(before) + len(found["files"]) - found["kept"]
    assert (
        before.items()
        <= {path.name: path.read_bytes() for path in (folder / "pictures").iterdir()}.items()
    )
    assert Path(found["contact_sheet"]).is_file()
    told = CliRunner().invoke(app, words)
    assert told.stdout.splitlines()[0] == f"{folder}: 1 picture, 1 of them there already"


def test_wrong_use_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(SimulationError, match="found 'nobody'"):
        make_reach_stills(out, scenes=("nobody",))
    with pytest.raises(SimulationError, match="expected at least 1, found 0"):
        make_reach_stills(out, walk=0)
    assert not out.exists()
