from __future__ import annotations

import json

import pytest

from capture.importers.importing import import_data_set
from capture.importers.settings import ImportSettings


@pytest.fixture
def halves(write):
    for k, half in enumerate(("train", "test")):
        write.color(f"{half}/image/7.jpg", seed=k)
        write.depth(f"{half}/depth_normalized/7.png", seed=k)
        write.mask(f"{half}/mask_single/7.png", 255)


def test_every_picture_is_a_scene_with_depth_normalised_for_itself(halves, run, held):
    report = run("rgbd-mirror")
    assert (report.scenes, report.with_surfaces, report.without_camera) == (2, 2, 2)
    names = ("rgbd-mirror_test_7", "rgbd-mirror_train_7")
    assert held().views == {name: [name] for name in names}
    frame = held().session.read_frame(names[0], names[0])
    assert (frame.depth_kind, frame.depth_scope, frame.depth_unit_m) == (
        "normalised",
        "image",
        None,
    )
    scene = held().session.read_scene(names[0])
    assert (scene.source, scene.consent) == ("RGBD-Mirror", "unknown")
    assert scene.surfaces[0].surface_type == "planar_mirror"


def test_one_half_alone_is_read_too(halves, run, source, held, tmp_path):
    settings = ImportSettings(layout="rgbd-mirror", surface_type="glass")
    import_data_set(source / "train", tmp_path / "session", settings=settings)
    assert held().views == {"rgbd-mirror_7": ["rgbd-mirror_7"]}
    scene = held().session.read_scene("rgbd-mirror_7")
    assert scene.surfaces[0].surface_type == "glass"


def test_a_table_makes_scenes_of_several_pictures(write, run, held):
    for k in (1, 2, 3):
        write.color(f"image/{k}.jpg", seed=k)
    table = write.text("scenes.csv", "name,scene_id\n1,bath\nimage/2.jpg,bath\n9,bath\n")
    report = run("rgbd-mirror", scene_table=table)
    assert held().views == {"bath": ["1", "2"], "rgbd-mirror_3": ["rgbd-mirror_3"]}
    assert report.without_depth == 3
    assert any("1 pictures are not in it" in note for note in report.notes)
    assert any("such as '9'" in note for note in report.notes)


def test_a_picture_in_two_formats_is_refused_by_name(write, run):
    write.color("image/1.jpg")
    write.color("image/1.png")
    write.color("image/2.png", seed=1)
    report = run("rgbd-mirror")
    assert [fault.file for fault in report.left_out] == ["image/1.jpg", "image/1.png"]
    assert "image/1.jpg, image/1.png" in report.left_out[0].reason
    assert report.imported == 1


def test_eight_bits_are_no_depth(write, run):
    write.color("image/1.jpg")
    write.mask("depth_normalized/1.png", 9)
    report = run("rgbd-mirror")
    assert report.imported == 0
    assert report.left_out[0].file == "depth_normalized/1.png"
    assert "8 bits are a picture of depth" in report.left_out[0].reason


def test_depth_without_a_unit_is_not_aligned_to_another_size(write, run):
    write.color("image/1.jpg")
    write.depth("depth_normalized/1.png", size=(12, 8))
    size = {"fx_px": 20, "fy_px": 20, "cx_px": 6, "cy_px": 4}
    still = {"target": "color", "source": "depth", "translation_m": [0, 0, 0]}
    both = {
        "color": {"width_px": 24, "height_px": 16, **size},
        "depth": {"width_px": 12, "height_px": 8, **size},
        "depth_to_color": {**still, "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    }
    report = run("rgbd-mirror", intrinsics=write.text("both.json", json.dumps(both)))
    assert "not metric" in report.left_out[0].reason
