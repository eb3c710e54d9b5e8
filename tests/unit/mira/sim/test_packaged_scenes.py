from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest

from mira.geometry.mask import Rle, decode_rle
from mira.geometry.polygon import region_area
from mira.schema.spatial import TrueAnswer
from mira.schema.truth import TrueScene, TrueView
from mira.sim.packaged_scenes import (
    PACKAGED_COUNT,
    PACKAGED_POLICY,
    PACKAGED_SEED,
    packaged_scene_ids,
    packaged_scenes_dir,
)
from mira.store.session import Session

_LARGEST_BYTES = 3_600_000
_EXACT_KEYS = {"renderer", "sha256", "size_bytes", "counts", "points"}
"""Values that turn with a single pixel, or tell the processor."""
_SESSION = Session.open(packaged_scenes_dir())


def _views(scene_id: str) -> list[dict[str, Any]]:
    folders = (_SESSION.view_folder(scene_id, view) for view in _SESSION.committed(scene_id))
    return [orjson.loads((folder / "color.json").read_bytes()) for folder in folders]


def _truth(scene_id: str, name: str) -> Path:
    return packaged_scenes_dir() / "truth" / scene_id / name


def _instances(view: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {s["group_id"]: s for s in view["shapes"] if s["label"].startswith("object")}


def test_a_few_small_scenes_come_with_the_package() -> None:
    files = [path for path in packaged_scenes_dir().rglob("*") if path.is_file()]

    assert len(packaged_scene_ids()) == PACKAGED_COUNT == 4
    assert sum(path.stat().st_size for path in files) < _LARGEST_BYTES
    for scene_id in packaged_scene_ids():
        for view in _SESSION.committed(scene_id):
            assert _SESSION.verify_view(scene_id, view) == ()


def test_packaged_scenes_differ_in_place_light_and_surface() -> None:
    scenes = [_SESSION.read_scene(scene_id) for scene_id in packaged_scene_ids()]

    assert [scene.place for scene in scenes] == list(PACKAGED_POLICY.places)
    assert {scene.lighting for scene in scenes} == {"day", "night"}
    assert {scene.environment for scene in scenes} == {"indoor", "outdoor"}
    kinds = {surface.surface_type for scene in scenes for surface in scene.surfaces}
    assert kinds == {"planar_mirror", "glass", "convex_mirror", "water"}


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
    assert direct_only + reflected_only >= 2
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
    scene = TrueScene.from_json(_truth(scene_id, "scene.json").read_bytes(), where=scene_id)
    view = TrueView.from_json(_truth(scene_id, "v0.json").read_bytes(), where=scene_id)
    planes = {surface.surface_id: surface for surface in scene.surfaces}
    camera = _SESSION.read_calibration(scene_id, "v0").color
    unit_m = _SESSION.read_frame(scene_id, "v0").depth_unit_m
    folder = _SESSION.view_folder(scene_id, "v0")
    depth = cv2.imread(str(folder / "depth_aligned.png"), cv2.IMREAD_UNCHANGED)
    assert depth is not None
    assert unit_m is not None
    for seen in view.surfaces:
        plane = planes[seen.surface_id]
        if plane.surface_type != "planar_mirror":
            continue
        mask = decode_rle(Rle(size=seen.mask.size, counts=seen.mask.counts)).astype(np.uint8)
        rows, columns = np.nonzero((cv2.erode(mask, np.ones((9, 9), np.uint8)) > 0) & (depth > 0))
        z = depth[rows, columns] * unit_m
        x = (columns - camera.cx_px) * z / camera.fx_px
        y = (rows - camera.cy_px) * z / camera.fy_px
        rotation, eye = np.array(view.camera.rotation), view.camera.translation_m
        room = np.stack((x, y, z), axis=-1) @ rotation.T + eye
        behind = room @ np.array(plane.normal) + plane.offset_m < 0.05
        assert behind.mean() > 0.98


@pytest.mark.parametrize("scene_id", packaged_scene_ids())
def test_packaged_scenes_have_answers_of_most_templates(scene_id: str) -> None:
    lines = _truth(scene_id, "v0_answers.jsonl").read_bytes().splitlines()
    answers = [TrueAnswer.model_validate_json(line) for line in lines]

    assert len({answer.template_id for answer in answers}) >= 12
    shown = _instances(_views(scene_id)[0])
    assert {value for answer in answers for value in answer.slots.values()} <= set(shown)


@pytest.mark.slow
def test_packaged_scenes_are_what_the_script_makes(tmp_path: Path) -> None:
    pytest.importorskip("embreex", reason="needs the sim extra")
    from mira.sim.rooms.output.series import make_rooms

    made = make_rooms(tmp_path, count=PACKAGED_COUNT, seed=PACKAGED_SEED, policy=PACKAGED_POLICY)

    assert made.scenes == packaged_scene_ids()
    for path in packaged_scenes_dir().rglob("*.*"):
        if path.name != "capture.json":
            _assert_alike(tmp_path / path.relative_to(packaged_scenes_dir()), path)


def _assert_alike(made: Path, kept: Path) -> None:
    """Equal but for single pixels: another kind of processor rounds differently."""
    if kept.suffix == ".png":
        one, other = cv2.imread(str(made), -1), cv2.imread(str(kept), -1)
        assert one.dtype == other.dtype
        assert (one != other).mean() < 0.01, kept
    else:
        values, others = _rough(made), _rough(kept)
        assert values.keys() == others.keys(), kept
        for place, value in others.items():
            alike = value
            if isinstance(value, float | int):
                alike = pytest.approx(value, rel=0.02, abs=2.5)
            assert values[place] == alike, (kept, place)


def _rough(path: Path) -> dict[str, Any]:
    """Values of JSON lines by their place, without digests and outlines."""
    rough: dict[str, Any] = {}

    def walk(place: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, below in value.items():
                if key not in _EXACT_KEYS:
                    walk(f"{place}.{key}", below)
        elif isinstance(value, list):
            for number, below in enumerate(value):
                walk(f"{place}.{number}", below)
        else:
            rough[place] = value

    for number, line in enumerate(
        path.read_bytes().splitlines() if path.suffix == ".jsonl" else [path.read_bytes()]
    ):
        walk(str(number), orjson.loads(line))
    return rough
