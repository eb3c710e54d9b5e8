"""What an import leaves out, or refuses altogether."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from PIL import Image

from capture.importers.importing import import_data_set
from capture.importers.policy import ImportPolicy
from capture.importers.settings import ImportSettings
from mira.errors import CaptureError


def test_a_bad_file_is_left_out_by_name_and_comes_in_when_it_is_mended(
    three, source, run, held, out
):
    good = (source / "1_depth.png").read_bytes()
    (source / "1_depth.png").write_bytes(good[:-20])
    report = run("folder")
    assert [fault.file for fault in report.left_out] == ["1_depth.png"]
    assert "cut off" in report.left_out[0].reason
    assert held().views == {"0": ["0"], "2": ["2"]}
    assert not (out / "scenes" / "1").exists()
    failed = [entry for entry in held().session.journal() if entry.event == "failed"]
    assert [(entry.scene_id, entry.view_id) for entry in failed] == [("1", "1")]
    (source / "1_depth.png").write_bytes(good)
    report = run("folder")
    assert (report.imported, report.kept, report.left_out) == (1, 2, ())


@pytest.mark.parametrize("orientation", [2, 3, 6, 8])
def test_a_picture_that_exif_turns_is_left_out(write, source, run, orientation):
    write.color("a.jpg")
    with Image.open(source / "a.jpg") as picture:
        exif = picture.getexif()
        exif[0x0112] = orientation
        picture.save(source / "b.jpg", exif=exif)
    report = run("folder")
    assert report.imported == 1
    assert [fault.file for fault in report.left_out] == ["b.jpg"]
    assert f"orientation {orientation}" in report.left_out[0].reason


def test_a_picture_of_too_many_pixels_is_not_decoded(write, run, monkeypatch):
    write.color("a.png", size=(200, 200))
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    report = run("folder", policy=ImportPolicy(picture_limit_px=39_999))
    assert "at most 39,999 pixels, found 200x200" in report.left_out[0].reason


def test_depth_of_another_size_than_its_picture_is_left_out(write, run):
    write.color("a.png")
    write.depth("a_depth.png", size=(12, 8))
    report = run("folder")
    assert [fault.file for fault in report.left_out] == ["a_depth.png"]
    assert "expected 24x16 as the picture has, found 12x8" in report.left_out[0].reason


def test_an_archive_is_to_be_unpacked(tmp_path, run):
    (tmp_path / "set.zip").write_bytes(b"PK")
    with pytest.raises(CaptureError, match="unpack it"):
        import_data_set(
            tmp_path / "set.zip", tmp_path / "out", settings=ImportSettings(layout="folder")
        )


def test_an_output_within_the_source_is_not_read_as_part_of_it(three, source, run):
    run("folder", out=source / "session")
    report = run("folder", out=source / "session")
    assert (report.imported, report.kept) == (0, 3)
    assert not report.left_out


@pytest.mark.parametrize(
    "layout", ["rgbd-mirror", "dvmd", "mirror3d", "tum", "open3d", "folder", "of-tomorrow"]
)
def test_a_folder_of_another_layout_is_refused_in_one_line(source, run, layout, out):
    (source / "readme.txt").write_text("nothing here")
    with pytest.raises(CaptureError, match="expected"):
        run(layout)
    assert not out.exists()


@pytest.mark.parametrize(
    ("layout", "flag", "value"),
    [
        ("rgbd-mirror", "depth_unit_m", 0.001),
        ("dvmd", "scene_table", Path("scenes.csv")),
        ("tum", "color_glob", "*.png"),
        ("tum", "scene_table", Path("scenes.csv")),
    ],
)
def test_a_flag_that_means_nothing_to_a_layout_is_refused(run, layout, flag, value):
    with pytest.raises(CaptureError, match="leave it out"):
        run(layout, **{flag: value})


def test_a_mask_of_another_size_than_its_picture_is_left_out(write, run):
    write.color("a.png")
    write.mask("a_mask.png", 255, size=(12, 8))
    report = run("folder")
    assert [fault.file for fault in report.left_out] == ["a_mask.png"]
    assert "expected 24x16 as the picture has, found 12x8" in report.left_out[0].reason


def test_a_setting_that_is_no_text_is_refused():
    with pytest.raises(CaptureError, match="source_name"):
        ImportSettings.of(layout="folder", source_name="\udcff")
