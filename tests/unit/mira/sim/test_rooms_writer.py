from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import orjson
import pytest

from mira.errors import SimulationError
from mira.sim.rooms import RoomPolicy, write_room, write_rooms
from mira.sim.rooms.writer import scene_name

_VIEW_KEYS = {
    "width_px", "height_px", "fx_px", "fy_px", "cx_px", "cy_px", "distortion_model",
    "distortion_coeffs", "depth_unit_m", "depth_kind",
}  # fmt: skip


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_scene_folder_holds_what_the_pipeline_reads(
    gl: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    folder = write_room(tmp_path, seed=21, index=0, policy=quick_policy)

    name = folder.name
    endings = ("_v0.json", "_v0.png", "_v0_depth.png", "_v0_intrinsics.json")
    assert set(_bytes(folder)) == {"scene.json", *(f"{name}{ending}" for ending in endings)}
    assert [path.name for path in tmp_path.iterdir()] == [name]
    scene = orjson.loads((folder / "scene.json").read_bytes())
    assert scene["scene_id"] == name
    assert scene["licence"] == "CC0-1.0"
    assert scene["simulator"]["seed"] == 21
    colour = cv2.imread(str(folder / f"{name}_v0.png"), cv2.IMREAD_UNCHANGED)
    depth = cv2.imread(str(folder / f"{name}_v0_depth.png"), cv2.IMREAD_UNCHANGED)
    assert colour is not None
    assert depth is not None
    assert colour.shape == (240, 320, 3)
    assert colour.dtype == np.uint8
    assert depth.shape == (240, 320)
    assert depth.dtype == np.uint16
    assert 0 < np.mean(depth == 0) < 0.2
    camera = orjson.loads((folder / f"{name}_v0_intrinsics.json").read_bytes())
    assert set(camera) == _VIEW_KEYS
    assert (camera["cx_px"], camera["cy_px"]) == (159.5, 119.5)
    document = orjson.loads((folder / f"{name}_v0.json").read_bytes())
    assert document["imagePath"] == f"{name}_v0.png"


def test_a_scene_is_the_same_bytes_however_many_are_made(
    gl: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    steps: list[tuple[int, int]] = []
    several = write_rooms(
        tmp_path / "several",
        count=2,
        seed=4,
        policy=quick_policy,
        progress=lambda done, count: steps.append((done, count)),
    )
    alone = write_room(tmp_path / "alone", seed=4, index=1, policy=quick_policy)

    assert _bytes(several[1]) == _bytes(alone)
    assert steps == [(1, 2), (2, 2)]


def test_seeds_and_numbers_give_different_scenes(
    gl: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    first, third = (
        write_room(tmp_path, seed=4, index=index, policy=quick_policy) for index in (0, 3)
    )

    assert _bytes(first)[f"{first.name}_v0.png"] != _bytes(third)[f"{third.name}_v0.png"]


def test_an_existing_scene_is_replaced_only_on_demand(
    gl: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    folder = tmp_path / scene_name(4, 0)
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")

    with pytest.raises(SimulationError, match="expected no folder of this name"):
        write_rooms(tmp_path, count=1, seed=4, policy=quick_policy)
    assert (folder / "mine.txt").exists()
    write_rooms(tmp_path, count=1, seed=4, policy=quick_policy, overwrite=True)
    assert "mine.txt" not in _bytes(folder)
    assert "scene.json" in _bytes(folder)


def test_nothing_is_written_when_one_of_several_scenes_exists(tmp_path: Path) -> None:
    (tmp_path / scene_name(4, 1)).mkdir()

    with pytest.raises(SimulationError):
        write_rooms(tmp_path, count=2, seed=4)
    assert [path.name for path in tmp_path.iterdir()] == [scene_name(4, 1)]


def test_a_room_without_a_linked_pair_is_refused(
    gl: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    blind = quick_policy.instances.model_copy(update={"min_area_px": 70_000})
    policy = quick_policy.model_copy(update={"instances": blind, "layout_tries": 2})

    with pytest.raises(SimulationError, match="found none in 2 layouts"):
        write_room(tmp_path, seed=4, index=0, policy=policy)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("count", "seed"), [(0, 1), (1, -1)])
def test_numbers_out_of_range_are_refused(tmp_path: Path, count: int, seed: int) -> None:
    with pytest.raises(SimulationError, match="expected"):
        write_rooms(tmp_path, count=count, seed=seed)
