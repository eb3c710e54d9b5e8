from __future__ import annotations

import json

import pytest

CAMERA = {
    "width": 24,
    "height": 16,
    "intrinsic_matrix": [20.5, 0, 0, 0, 21.5, 0, 11.5, 7.5, 1],
}


@pytest.fixture
def frames(write):
    for k in range(3):
        write.color(f"color/{k:06d}.jpg", seed=k)
        write.depth(f"depth/{k:06d}.png", seed=k)


def test_a_recorder_s_frames_have_its_camera_by_columns(frames, write, run, held):
    write.text("camera_intrinsic.json", json.dumps(CAMERA))
    report = run("open3d", keyframes=0)
    assert (report.scenes, report.imported, report.without_camera) == (1, 3, 0)
    color = held().session.read_calibration("source", "000000").color
    assert (color.fx_px, color.fy_px, color.cx_px, color.cy_px) == (20.5, 21.5, 11.5, 7.5)
    assert held().session.read_frame("source", "000000").depth_unit_m == 0.001


def test_a_reader_s_file_gives_scale_and_device(frames, write, run, held):
    more = {"depth_scale": 4000.0, "device_name": "Intel RealSense L515", "serial_number": "f0"}
    write.text("intrinsic.json", json.dumps({**CAMERA, **more}))
    run("open3d", keyframes=0)
    folder = held().session.view_folder("source", "000000")
    device = json.loads((folder / "device.json").read_bytes())
    assert (device["name"], device["serial_number"]) == ("Intel RealSense L515", "f0")
    assert held().session.read_frame("source", "000000").depth_unit_m == 0.00025


def test_two_keyframes_of_a_recording_are_taken(frames, run):
    report = run("open3d")
    assert report.imported == 2
    assert any("--intrinsics" in note for note in report.notes)


def test_a_damaged_camera_leaves_out_its_recording_alone(write, run, held):
    for name in ("a", "b"):
        write.color(f"{name}/color/1.jpg")
        write.depth(f"{name}/depth/1.png")
    write.text("a/intrinsic.json", "{")
    report = run("open3d")
    assert [fault.file for fault in report.left_out] == ["a/intrinsic.json"]
    assert held().views == {"b": ["1"]}
