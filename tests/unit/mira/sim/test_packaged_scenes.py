from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest

from mira.geometry.polygon import region_area
from mira.sim.engine import engine_info
from mira.sim.packaged_scenes import (
    PACKAGED_COUNT,
    PACKAGED_SEED,
    packaged_scene_ids,
    packaged_scenes_dir,
)

_LARGEST_BYTES = 3_000_000


def _views(scene_id: str) -> list[dict[str, Any]]:
    folder = packaged_scenes_dir() / scene_id
    return [orjson.loads(path.read_bytes()) for path in sorted(folder.glob("*_v?.json"))]


def _instances(view: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {s["group_id"]: s for s in view["shapes"] if s["label"].startswith("object")}


def test_three_small_scenes_come_with_the_package() -> None:
    files = [path for path in packaged_scenes_dir().rglob("*") if path.is_file()]

    assert len(packaged_scene_ids()) == PACKAGED_COUNT == 3
    assert sum(path.stat().st_size for path in files) < _LARGEST_BYTES


def test_packaged_scenes_differ_in_place() -> None:
    scenes = [
        orjson.loads((packaged_scenes_dir() / scene_id / "scene.json").read_bytes())
        for scene_id in packaged_scene_ids()
    ]

    assert len({scene["place"] for scene in scenes}) == 3
    assert {scene["lighting"] for scene in scenes} == {"day", "night"}
    assert max(len(scene["simulator"]["truth"]["mirrors"]) for scene in scenes) == 2


@pytest.mark.parametrize("scene_id", packaged_scene_ids())
def test_every_packaged_scene_has_pairs_and_things_seen_one_way_only(scene_id: str) -> None:
    pairs = direct_only = reflected_only = direct = reflected = 0
    for view in _views(scene_id):
        instances = _instances(view)
        images = {k: s for k, s in instances.items() if s["label"] == "object_reflection"}
        linked = {
            int(s["attributes"]["reflection_of"])
            for s in images.values()
            if s["attributes"]["reflection_of"]
        }
        pairs += len(linked)
        direct += len(instances) - len(images)
        reflected += len(images)
        direct_only += len(set(instances) - set(images) - linked)
        reflected_only += sum(
            s["attributes"]["counterpart"] == "out_of_frame" for s in images.values()
        )
    assert pairs >= 2
    assert direct_only >= 1
    assert reflected_only >= 1
    assert min(direct, reflected) >= 4


@pytest.mark.parametrize("scene_id", packaged_scene_ids())
def test_links_of_packaged_scenes_join_equal_descriptions(scene_id: str) -> None:
    for view in _views(scene_id):
        instances = _instances(view)
        surfaces = {s["group_id"] for s in view["shapes"] if s["label"] == "surface"}
        for shape in instances.values():
            if shape["label"] == "object_reflection":
                target = shape["attributes"]["reflection_of"]
                if target:
                    assert instances[int(target)]["description"] == shape["description"]
                assert (target != "") == (shape["attributes"]["counterpart"] == "in_frame")
                assert int(shape["attributes"]["in_mirror"]) in surfaces


@pytest.mark.parametrize("scene_id", packaged_scene_ids())
def test_reflections_of_packaged_scenes_lie_inside_their_mirror(scene_id: str) -> None:
    for view in _views(scene_id):
        areas = {}
        for group_id in {shape["group_id"] for shape in view["shapes"]}:
            rings = [s for s in view["shapes"] if s["group_id"] == group_id]
            parts = [tuple(map(tuple, s["points"])) for s in rings if s["label"] != "hole"]
            holes = [tuple(map(tuple, s["points"])) for s in rings if s["label"] == "hole"]
            areas[group_id] = region_area(parts, holes)
        for group_id, shape in _instances(view).items():
            if shape["label"] == "object_reflection":
                mirror = areas[int(shape["attributes"]["in_mirror"])]
                share = areas[group_id].intersection(mirror).area / areas[group_id].area
                assert share > 0.9


@pytest.mark.parametrize("scene_id", packaged_scene_ids())
def test_packaged_depth_on_mirrors_lies_behind_their_plane(scene_id: str) -> None:
    folder = packaged_scenes_dir() / scene_id
    truth = orjson.loads((folder / "scene.json").read_bytes())["simulator"]["truth"]
    for number, (view, pose) in enumerate(zip(_views(scene_id), truth["views"], strict=True)):
        stem = folder / f"{scene_id}_v{number}"
        camera = orjson.loads(Path(f"{stem}_intrinsics.json").read_bytes())
        depth = cv2.imread(f"{stem}_depth.png", cv2.IMREAD_UNCHANGED)
        assert depth is not None
        drawn = np.zeros(depth.shape, np.uint8)
        for shape in view["shapes"]:
            if shape["label"] == "surface":
                ring = np.round(np.array(shape["points"]) - 0.5).astype(np.int32)
                cv2.fillPoly(drawn, [ring], 1)
        inside = cv2.erode(drawn, np.ones((9, 9), np.uint8)).astype(bool) & (depth > 0)
        rows, columns = np.nonzero(inside)
        z = depth[inside] * camera["depth_unit_m"]
        x = (columns - camera["cx_px"]) * z / camera["fx_px"]
        y = (rows - camera["cy_px"]) * z / camera["fy_px"]
        room = np.stack((x, y, z), axis=-1) @ np.array(pose["camera_axes_room"])
        room += np.array(pose["eye_room_m"])
        heights = [room @ np.array(m["normal_room"]) + m["offset_m"] for m in truth["mirrors"]]
        behind_some_mirror = np.min(heights, axis=0) < 0.02
        direct_things_in_front = 0.25
        assert behind_some_mirror.mean() > 1 - direct_things_in_front


@pytest.mark.slow
def test_packaged_scenes_are_what_the_script_renders(gl: None, tmp_path: Path) -> None:
    from mira.sim.rooms import write_rooms

    first = packaged_scenes_dir() / packaged_scene_ids()[0]
    made_with = orjson.loads((first / "scene.json").read_bytes())["simulator"]
    here = engine_info()._asdict()
    if any(made_with[name] != value for name, value in here.items()):
        pytest.skip(f"rendered with another engine than {here}")

    folders = write_rooms(tmp_path, count=PACKAGED_COUNT, seed=PACKAGED_SEED)

    assert tuple(folder.name for folder in folders) == packaged_scene_ids()
    for folder in folders:
        for path in folder.iterdir():
            shipped = packaged_scenes_dir() / folder.name / path.name
            assert shipped.read_bytes() == path.read_bytes(), path.name
