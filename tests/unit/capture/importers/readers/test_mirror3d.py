from __future__ import annotations

import pytest

from capture.importers.readers.mirror3d import NYU_CAMERAS

HOUSE = "9834ca30d77d482788a3e99e2f28fa3b"


def test_folders_of_nyu_give_each_picture_its_camera_and_its_mirrors(write, run, held):
    for name, size in (("45", (608, 456)), ("46", (640, 480)), ("47", (64, 48))):
        write.color(f"nyu/mirror_color_images/{name}.jpg", size=size)
        write.depth(f"nyu/raw_sensorD/{name}.png", size=size)
    write.mask("nyu/mirror_instance_mask_precise/45.png", 1, 3, size=(608, 456))
    write.mask("nyu/mirror_instance_mask_coarse/45.png", 1, size=(608, 456))
    write.mask("nyu/mirror_instance_mask_coarse/46.png", 1, size=(640, 480))
    report = run("mirror3d")
    assert (report.scenes, report.with_surfaces, report.without_camera) == (3, 2, 1)
    found = held()
    cut = found.session.read_calibration("mirror3d_nyu_45", "mirror3d_nyu_45").color
    whole = found.session.read_calibration("mirror3d_nyu_46", "mirror3d_nyu_46").color
    assert (whole.cx_px - cut.cx_px, whole.cy_px - cut.cy_px) == pytest.approx((16, 12))
    assert (cut.fx_px, whole.fx_px) == (518.86, 518.86)
    assert len(found.session.read_scene("mirror3d_nyu_45").surfaces) == 2
    frame = found.session.read_frame("mirror3d_nyu_45", "mirror3d_nyu_45")
    assert (frame.depth_kind, frame.depth_unit_m) == ("metric", 0.001)


def test_the_flat_form_is_read_and_what_lacks_a_picture_is_told(write, run, held):
    write.color("color_45.jpg")
    write.depth("sensor_depth_45.png")
    write.mask("mirror_mask_45.png", 1)
    write.mask("mirror_mask_664.png", 1)
    report = run("mirror3d")
    assert held().views == {"mirror3d_45": ["mirror3d_45"]}
    assert any("mirror_mask_664.png" in note for note in report.notes)


def test_a_scan_is_a_scene_and_numbers_match_without_zeros(write, run, held):
    for name in ("0", "3600"):
        write.color(f"mirror_color_images/scene0000_00/{name}.jpg", size=(640, 480))
        write.depth(f"raw_sensorD/scene0000_00/{name}.png", size=(640, 480))
        write.mask(f"mirror_instance_mask_precise/scene0000_00/{name:0>6}.png", 1, size=(640, 480))
    report = run("mirror3d")
    assert held().views == {"mirror3d_scene0000_00": ["0", "3600"]}
    assert (report.with_surfaces, report.without_camera) == (2, 2)
    assert any("--intrinsics" in note for note in report.notes)


def test_matterport_pairs_i_with_d_in_steps_of_a_quarter_millimetre(write, run, held):
    write.color(f"mirror_color_images/jtcx/{HOUSE}_i1_3.jpg")
    depth = write.depth(f"raw_sensorD/jtcx/{HOUSE}_d1_3.png")
    write.mask(f"mirror_instance_mask_precise/jtcx/{HOUSE}_i1_3.png", 1)
    run("mirror3d")
    (views,) = held().views.values()
    frame = held().session.read_frame("mirror3d_jtcx", views[0])
    assert frame.depth_unit_m == 0.00025
    assert (held().picture("mirror3d_jtcx", views[0], "depth_aligned.png") == depth).all()


def test_links_to_the_original_files_are_followed(write, run, source):
    write.color("color/45.jpg")
    (source / "mirror_color_images").mkdir()
    (source / "mirror_color_images/45.jpg").symlink_to(source / "color/45.jpg")
    (source / "mirror_color_images/46.jpg").symlink_to(source / "color/46.jpg")
    report = run("mirror3d")
    assert report.imported == 1
    assert [fault.file for fault in report.left_out] == ["mirror_color_images/46.jpg"]
    assert "leads to no file" in report.left_out[0].reason


def test_the_list_that_mirror3d_comes_with_groups_pictures(write, run, held):
    for k in ("1054", "1419", "12"):
        write.color(f"color_{k}.jpg", seed=int(k))
    rows = ("1,1054,bedroom_0076,train", "2,1054,bedroom_0076,train", "1,1419,bedroom_0076,test")
    table = write.text("nyu.csv", "\n".join(("instance_id,sample_id,scene_id,split", *rows)))
    run("mirror3d", scene_table=table)
    assert held().views == {
        "bedroom_0076": ["1054", "1419"],
        "mirror3d_12": ["mirror3d_12"],
    }


def test_the_known_camera_is_for_its_sizes_alone():
    assert NYU_CAMERAS.calibration((320, 240), of="a.jpg") is None
