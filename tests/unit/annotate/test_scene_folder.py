from __future__ import annotations

from pathlib import Path

import pytest

from annotate.findings import FindingLog, Refused
from annotate.policy import AnnotationPolicy
from annotate.scenes.camera_file import read_camera
from annotate.scenes.picture_finder import PictureFinder
from annotate.scenes.pictures import read_picture
from annotate.scenes.scene_folder import SceneFolder
from mira.errors import SceneSourceError

OURS = {
    "width_px": 100,
    "height_px": 100,
    "fx_px": 90.5,
    "fy_px": 91.5,
    "cx_px": 49.5,
    "cy_px": 50.5,
}
COMMON = {"width": 100, "height": 100, "fx": 90.5, "fy": 91.5, "cx": 49.5, "cy": 50.5}
REALSENSE = {"width": 100, "height": 100, "fx": 90.5, "fy": 91.5, "ppx": 49.5, "ppy": 50.5}
SIZE = {"width": 100, "height": 100}
BY_COLUMNS = {**SIZE, "intrinsic_matrix": [90.5, 0, 0, 0, 91.5, 0, 49.5, 50.5, 1]}
BY_ROWS = {**SIZE, "intrinsic_matrix": [[90.5, 0, 49.5], [0, 91.5, 50.5], [0, 0, 1]]}
OPEN3D = {"class_name": "PinholeCameraParameters", "extrinsic": [1, 0], "intrinsic": BY_COLUMNS}


@pytest.fixture
def view_of(tmp_path):
    def read(name: str = "a.png", camera: Path | None = None):
        log = FindingLog("a.json")
        folder = SceneFolder(PictureFinder(None), camera=camera, policy=AnnotationPolicy())
        picture = read_picture(tmp_path / name, limit_px=10**8)
        return folder.read_view(picture, picture.path.stem, log), log

    return read


@pytest.mark.parametrize("data", [OURS, COMMON, REALSENSE, BY_COLUMNS, BY_ROWS, OPEN3D])
def test_cameras_of_all_common_forms_read_alike(tmp_path, write_json, data):
    path = write_json(tmp_path / "c.json", data)
    camera = read_camera(path, size_px=(7, 7), step_limit_m=0.1)
    assert camera.size_given
    assert camera.intrinsics.model_dump(include=set(OURS)) == OURS


@pytest.mark.parametrize(
    ("data", "kind", "step"),
    [
        ({}, "metric", None),
        ({"depth_unit_m": 0.00025}, "metric", 0.00025),
        ({"depth_scale": 0.001}, "metric", 0.001),
        ({"depth_scale": 5000}, "metric", 0.0002),
        ({"depth_kind": "normalized", "depth_scale": 0.001}, "normalised", None),
    ],
)
def test_the_camera_file_says_what_depth_means(tmp_path, write_json, data, kind, step):
    path = write_json(tmp_path / "c.json", {**COMMON, **data})
    camera = read_camera(path, size_px=(7, 7), step_limit_m=0.1)
    assert (camera.depth_kind, camera.depth_unit_m) == (kind, step)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([1], "object"),
        ({"width": 100}, "fx_px"),
        ({**COMMON, "fx": 0}, "fx_px"),
        ({**COMMON, "fx": "90"}, "fx_px"),
        ({**COMMON, "cx": True}, "cx_px"),
        ({**COMMON, "width": -1}, "width_px"),
        ({**SIZE, "intrinsic_matrix": [1, 2, 3]}, "intrinsic_matrix"),
        ({**SIZE, "intrinsic_matrix": [90, 5, 40, 0, 90, 40, 0, 0, 1]}, "intrinsic_matrix"),
        ({**SIZE, "intrinsic_matrix": "x"}, "intrinsic_matrix"),
        ({**COMMON, "depth_unit_m": 0}, "depth_unit_m"),
        ({**COMMON, "depth_unit_m": 1}, "depth_unit_m"),
        ({**COMMON, "depth_unit_m": "mm"}, "depth_unit_m"),
        ({**COMMON, "depth_scale": 1}, "depth_scale"),
        ({**COMMON, "depth_kind": "inverse"}, "depth_kind"),
    ],
)
def test_an_impossible_camera_is_refused_with_its_field(tmp_path, write_json, data, words):
    path = write_json(tmp_path / "c.json", data)
    with pytest.raises(SceneSourceError, match=words):
        read_camera(path, size_px=(7, 7), step_limit_m=0.1)


def test_depth_and_camera_are_found_beside_the_picture(
    tmp_path, view_of, write_picture, write_json, codes
):
    write_picture(tmp_path / "a.PNG").rename(tmp_path / "a.png")
    write_picture(tmp_path / "a_depth.png", depth=True)
    write_json(tmp_path / "a_intrinsics.json", {**OURS, "depth_unit_m": 0.0005})
    write_json(tmp_path / "intrinsics.json", {**OURS, "fx_px": 1.0})
    source, log = view_of()
    view = source.view
    assert view.intrinsics.fx_px == 90.5
    assert (view.depth_kind, view.depth_unit_m) == ("metric", 0.0005)
    assert (view.color.path, view.depth_aligned.path) == ("color.png", "depth.png")
    assert (source.scene.scene_id, source.scene_file) == ("a", None)
    assert log.findings == ()


def test_the_folder_s_camera_serves_pictures_without_one(
    tmp_path, view_of, write_picture, write_json
):
    write_picture(tmp_path / "a.png")
    write_json(tmp_path / "intrinsics.json", OURS)
    assert view_of()[0].view.intrinsics.fx_px == 90.5


def test_a_camera_that_is_given_takes_the_place_of_those_beside(
    tmp_path, view_of, write_picture, write_json
):
    write_picture(tmp_path / "a.png")
    write_json(tmp_path / "a_intrinsics.json", OURS)
    given = write_json(tmp_path / "other" / "c.json", {**OURS, "fx_px": 77.0})
    assert view_of(camera=given)[0].view.intrinsics.fx_px == 77.0


def test_a_millimetre_is_assumed_with_a_note(tmp_path, view_of, write_picture, codes):
    write_picture(tmp_path / "a.png")
    write_picture(tmp_path / "a_depth.png", depth=True)
    source, log = view_of()
    assert source.view.depth_unit_m == 0.001
    assert codes(log.findings, "warning") == {
        ("camera-missing", ""),
        ("depth-unit-assumed", "depth_unit_m"),
    }


def test_a_picture_alone_is_a_view_without_depth(tmp_path, view_of, write_picture):
    write_picture(tmp_path / "a.png")
    source, log = view_of()
    assert (source.view.depth_aligned, source.view.depth_kind) == (None, None)
    assert log.findings == ()


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda write, path: write(path, depth=True, width=50), "depth-size"),
        (lambda write, path: write(path), "depth-format"),
        (lambda _, path: path.write_bytes(b"\x89PNG\r\n\x1a\n"), "depth-unreadable"),
    ],
)
def test_depth_that_is_none_is_left_out_and_named(
    tmp_path, view_of, write_picture, write_json, make, code
):
    write_picture(tmp_path / "a.png")
    make(write_picture, tmp_path / "a_depth.png")
    write_json(tmp_path / "intrinsics.json", OURS)
    source, log = view_of()
    assert source.view.depth_aligned is None
    assert [(item.code, item.path) for item in log.findings] == [
        (code, str(tmp_path / "a_depth.png"))
    ]


def test_a_camera_of_another_size_is_left_out(tmp_path, view_of, write_picture, write_json):
    write_picture(tmp_path / "a.png")
    write_json(tmp_path / "intrinsics.json", {**OURS, "width_px": 640})
    source, log = view_of()
    assert source.view.intrinsics is None
    assert [item.code for item in log.findings] == ["camera-size"]
    assert "640x100" in log.findings[0].message


def test_depth_whose_camera_file_cannot_be_used_is_left_out(
    tmp_path, view_of, write_picture, write_json
):
    write_picture(tmp_path / "a.png")
    write_picture(tmp_path / "a_depth.png", depth=True)
    write_json(tmp_path / "intrinsics.json", {})
    source, log = view_of()
    assert source.view.depth_aligned is None
    assert [item.code for item in log.findings] == ["camera-invalid", "depth-without-unit"]


def test_two_folders_of_one_name_are_not_one_scene_by_chance(tmp_path, write_picture, write_json):
    folder = SceneFolder(PictureFinder(None), camera=None, policy=AnnotationPolicy())
    log = FindingLog("a.json")
    for part in ("cam1", "cam2"):
        write_picture(tmp_path / part / "room" / f"{part}.png")
        write_json(tmp_path / part / "room" / "scene.json", {})
    first = read_picture(tmp_path / "cam1" / "room" / "cam1.png", limit_px=10**8)
    second = read_picture(tmp_path / "cam2" / "room" / "cam2.png", limit_px=10**8)
    assert folder.read_view(first, "cam1", log).scene.scene_id == "room"
    with pytest.raises(Refused, match="scene_id"):
        folder.read_view(second, "cam2", log)
