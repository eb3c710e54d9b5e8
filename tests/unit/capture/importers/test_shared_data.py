"""Real pictures of other people; they are read where they are and never copied."""

from __future__ import annotations

import cv2
import pytest

from annotate.importing import import_annotations
from capture.importers.importing import import_data_set
from capture.importers.settings import ImportSettings
from mira.store.workspace import Workspace


def test_azure_kinect_pictures_lie_flat_without_a_camera(shared, out, held):
    source = shared / "rgbd" / "azure_kinect_mirror"
    report = import_data_set(source, out, settings=ImportSettings(layout="folder"))
    assert (report.imported, report.without_camera, report.without_depth) == (5, 5, 0)
    assert report.left_out == ()
    assert "kinect_mirror2_close" in held().views
    depth = cv2.imread(str(source / "kinect_mirror_depth_aligned.png"), cv2.IMREAD_UNCHANGED)
    found = held().picture("kinect_mirror", "kinect_mirror", "depth_aligned.png")
    assert (found == depth).all()
    folder = held().session.view_folder("kinect_mirror", "kinect_mirror")
    assert not (folder / "calib.json").exists()


def test_a_realsense_frame_takes_the_camera_it_is_given(shared, out, held):
    source = shared / "rgbd" / "realsense_d435"
    camera = source / "cam_params_realsense.json"
    settings = ImportSettings(layout="folder", intrinsics=camera, depth_unit_m=0.001)
    report = import_data_set(source, out, settings=settings)
    assert (report.imported, report.without_camera, report.notes) == (1, 0, ())
    color = held().session.read_calibration("00001", "00001").color
    assert (color.fx_px, color.fy_px) == pytest.approx((617.25, 617.5486450195312))
    assert (color.cx_px, color.cy_px) == pytest.approx((317.3921203613281, 245.98019409179688))


def test_mirror3d_pictures_have_their_mirrors(shared, out, held):
    source = shared / "rgbd" / "mirror3d_nyu"
    report = import_data_set(source, out, settings=ImportSettings(layout="mirror3d"))
    assert (report.imported, report.with_surfaces, report.without_camera) == (2, 2, 0)
    assert report.left_out == ()
    mask = cv2.imread(str(source / "mirror_mask_686.png"), cv2.IMREAD_UNCHANGED)
    surfaces = held().picture("mirror3d_686", "mirror3d_686", "surfaces.png")
    assert (surfaces == mask).all()
    assert len(held().session.read_scene("mirror3d_686").surfaces) == 2
    camera = held().session.read_calibration("mirror3d_45", "mirror3d_45").color
    assert (camera.cx_px, camera.cy_px) == pytest.approx((309.58, 241.74))


def test_an_imported_picture_is_annotated_like_a_captured_one(shared, out, held, tmp_path):
    source = shared / "mirror_rgbd"
    import_data_set(source / "images", out, settings=ImportSettings(layout="folder"))
    view = held().session.view_folder("bathroom_664", "bathroom_664")
    drawn = (source / "annotations_a" / "bathroom_664.json").read_bytes()
    (view / "color.json").write_bytes(drawn)
    workspace = Workspace.create(tmp_path / "work")
    report = import_annotations(out, workspace, scenes=None, annotator="a")
    assert (report.imported, report.refused) == (1, 0)
    (found,) = workspace.views()
    assert (found.image_id, found.depth_kind, found.depth_unit_m) == (
        "bathroom_664",
        "metric",
        0.001,
    )
