from __future__ import annotations

import json

import numpy as np
import pytest

from mira.errors import CaptureError, SceneSourceError

CAMERA = {"width": 24, "height": 16, "fx": 20, "fy": 20, "cx": 11.5, "cy": 7.5}


def test_a_flat_folder_holds_scenes_of_one_picture(write, run, held):
    write.color("kinect_mirror2_close_color.png")
    write.depth("kinect_mirror2_close_depth_aligned.png")
    write.color("image00001.png", seed=1)
    write.depth("depth00001.png")
    report = run("folder")
    assert held().views == {
        "00001": ["00001"],
        "kinect_mirror2_close": ["kinect_mirror2_close"],
    }
    assert report.without_depth == 0
    assert any("millimetres" in note for note in report.notes)


def test_folders_by_role_are_no_scenes_and_others_are(write, run, held):
    for k in (1, 2):
        write.color(f"color/{k:04d}.jpg", seed=k)
        write.depth(f"depth/{k:04d}.png")
        write.color(f"hall/rgb/{k}.png", seed=k)
        write.depth(f"hall/depth/{k}.png")
        write.color(f"yard/evening/color_{k}.png", seed=k)
    report = run("folder")
    assert held().views == {
        "0001": ["0001"],
        "0002": ["0002"],
        "hall": ["1", "2"],
        "yard_evening": ["1", "2"],
    }
    assert report.without_depth == 2


def test_pictures_alone_are_imported_without_depth(write, run, held):
    write.color("IMG_0001.JPG")
    report = run("folder")
    assert (report.imported, report.without_depth) == (1, 1)
    frame = held().session.read_frame("0001", "0001")
    assert (frame.depth_kind, frame.quality.valid_depth_fraction) == (None, None)


def test_of_two_depth_maps_the_aligned_one_is_taken(write, run, held):
    write.color("a_color.png")
    write.depth("a_depth.png", size=(12, 8))
    aligned = write.depth("a_aligned_depth_to_color.png")
    run("folder")
    assert (held().picture("a", "a", "depth_aligned.png") == aligned).all()


def test_two_pictures_of_one_name_are_refused_by_name(write, run):
    write.color("a_color.png")
    write.color("a_rgb.png", seed=1)
    write.color("b_color.png", seed=2)
    report = run("folder")
    assert report.imported == 1
    assert [fault.file for fault in report.left_out] == ["a_color.png", "a_rgb.png"]


def test_globs_choose_the_files_and_their_stars_pair_them(write, run, held):
    write.color("shots/one/view.png")
    depth = write.depth("range/one/z16.png")
    write.color("range/one/preview.png", seed=3)
    write.mask("panes/one.png", 255)
    run(
        "folder",
        color_glob="shots/*/view.png",
        depth_glob="range/*/z16.png",
        mask_glob="panes/*.png",
    )
    ((scene, (view,)),) = held().views.items()
    assert (held().picture(scene, view, "depth_aligned.png") == depth).all()
    assert len(held().session.read_scene(scene).surfaces) == 1


@pytest.mark.parametrize(
    ("globs", "message"),
    [
        ({"depth_glob": "*.png"}, "add --color"),
        ({"color_glob": "a.png"}, "with a star"),
        ({"color_glob": "*.gif"}, "found none"),
        ({"color_glob": "*.png", "depth_glob": "*_*.png"}, "as many stars"),
    ],
)
def test_globs_that_tell_nothing_are_refused(write, run, globs, message):
    write.color("a_b.png")
    with pytest.raises(CaptureError, match=message):
        run("folder", **globs)


def test_the_nearest_camera_file_counts(write, run, held):
    for name in ("hall/color_1", "hall/color_2", "yard/color_1"):
        write.color(f"{name}.png")
        write.depth(f"{name.replace('color', 'depth')}.png")
    write.text("intrinsics.json", json.dumps(CAMERA))
    write.text("hall/intrinsics.json", json.dumps({**CAMERA, "fx": 30, "depth_scale": 0.0005}))
    write.text("hall/2_intrinsics.json", json.dumps({**CAMERA, "fx": 40}))
    run("folder")
    session = held().session
    focal = {
        (scene, view): session.read_calibration(scene, view).color.fx_px
        for scene, views in held().views.items()
        for view in views
    }
    assert focal == {("hall", "1"): 30, ("hall", "2"): 40, ("yard", "1"): 20}
    assert session.read_frame("hall", "1").depth_unit_m == 0.0005


def test_a_camera_of_another_size_leaves_its_picture_out(write, run):
    write.color("a.png")
    camera = write.text("cam.json", json.dumps({**CAMERA, "width": 30}))
    report = run("folder", intrinsics=camera)
    assert "expected 30x16 as the camera of" in report.left_out[0].reason


def test_a_damaged_camera_file_leaves_its_pictures_out_by_name(write, run, held):
    write.color("hall/1.png")
    write.color("yard/1.png")
    write.text("hall/intrinsics.json", '{"fx": 1}')
    report = run("folder")
    assert [fault.file for fault in report.left_out] == ["hall/intrinsics.json"]
    assert held().views == {"yard": ["1"]}


def test_a_camera_file_that_the_user_names_must_be_one(write, run):
    write.color("a.png")
    with pytest.raises(SceneSourceError, match="expected JSON"):
        run("folder", intrinsics=write.text("cam.json", "{"))


def camera(width: int, height: int) -> dict[str, object]:
    centre = {"cx_px": (width - 1) / 2, "cy_px": (height - 1) / 2}
    size = {"width_px": width, "height_px": height}
    return {**size, **centre, "fx_px": 5 * width / 6, "fy_px": 5 * width / 6}


STILL = {
    "target": "color",
    "source": "depth",
    "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "translation_m": [0, 0, 0],
}


def test_raw_depth_is_kept_and_aligned_where_both_cameras_are_known(write, run, held):
    both = {"color": camera(24, 16), "depth": camera(12, 8), "depth_to_color": STILL}
    write.color("a_color.png")
    raw = np.full((8, 12), 1500, dtype=np.uint16)
    write.pixels("a_depth.png", raw)
    write.text("calib.json", json.dumps(both))
    report = run("folder")
    assert report.left_out == ()
    assert (held().picture("a", "a", "depth.png") == raw).all()
    aligned = held().picture("a", "a", "depth_aligned.png")
    assert aligned.shape == (16, 24)
    assert (aligned == 1500).mean() > 0.9
    assert held().session.read_calibration("a", "a").depth.width_px == 12


@pytest.mark.parametrize(
    ("depth_camera", "message"),
    [(camera(10, 8), "cannot be aligned to its picture"), (None, "no depth camera")],
)
def test_raw_depth_of_no_known_camera_is_left_out(write, run, depth_camera, message):
    both = {"color": camera(24, 16), "depth": depth_camera, "depth_to_color": STILL}
    write.color("a_color.png")
    write.depth("a_depth.png", size=(12, 8))
    report = run("folder", intrinsics=write.text("both.json", json.dumps(both)))
    assert [fault.file for fault in report.left_out] == ["a_depth.png"]
    assert message in report.left_out[0].reason


def test_other_formats_of_depth_are_told(write, run, source):
    write.color("a_color.png")
    (source / "a_depth.npy").write_bytes(b"\x93NUMPY")
    assert any(".npy" in note for note in run("folder").notes)


def test_keyframes_on_demand_thin_out_any_scene(write, run, held):
    for k in range(6):
        write.color(f"hall/{k}.png", seed=k // 3)
    run("folder", keyframes=2)
    names = [int(name) for name in held().views["hall"]]
    assert [name // 3 for name in names] == [0, 1]
