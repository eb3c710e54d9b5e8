"""Each fault of a view's pictures is found, at its file, and nothing else with it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from capture.verification.policy import VerificationPolicy
from capture.verification.verifying import verify_session
from mira.schema.capture import ViewFrame

PICTURES = (
    "color.png",
    "depth.png",
    "depth_aligned.png",
    "surfaces.png",
    "color_emitter_off.png",
    "depth_emitter_off.png",
)


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("kept", [0, 0.3, 0.97])
def test_a_picture_that_was_cut_off_is_damaged(damage, codes, name, kept) -> None:
    data = (damage.folder / name).read_bytes()
    damage.write(name, data[: int(kept * len(data))])
    assert codes() == {f"v1/{name}": {"picture-damaged"}}


@pytest.mark.parametrize("name", PICTURES)
def test_pixels_of_another_kind_are_refused(damage, codes, name) -> None:
    height, width = damage.read_picture(name).shape[:2]
    is_color, is_depth = name.startswith("color"), name.startswith("depth")
    for pixels in (
        np.zeros((height, width), np.uint8),
        np.zeros((height, width), np.uint16),
        np.zeros((height, width, 3), np.uint8),
        np.zeros((height, width, 4), np.uint8),
        np.zeros((height, width, 3), np.uint16),
    ):
        if pixels.dtype == np.uint8 and pixels.ndim == 2 and not (is_color or is_depth):
            continue
        if (pixels.dtype, pixels.ndim, is_depth) == (np.uint16, 2, True):
            continue
        if (pixels.dtype, pixels.shape[2:], is_color) == (np.uint8, (3,), True):
            continue
        damage.picture(name, pixels)
        assert codes() == {f"v1/{name}": {"picture-kind"}}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_is_no_png_is_refused(damage, codes, name) -> None:
    pixels = damage.read_picture(name)
    shown = (pixels & 255).astype(np.uint8)
    damage.write(name, cv2.imencode(".jpg", shown)[1].tobytes())
    assert codes() == {f"v1/{name}": {"picture-kind"}}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_another_size_is_refused(damage, codes, name) -> None:
    damage.picture(name, damage.read_picture(name)[:-2])
    found = codes()
    assert found.pop(f"v1/{name}") == {"picture-size"}
    # With the picture itself, what is compared with it is of another size.
    same_grid = {"v1/depth_aligned.png", "v1/surfaces.png", "v1/color_emitter_off.png"}
    assert set(found) == (same_grid if name == "color.png" else set())
    assert set().union(*found.values()) <= {"picture-size"}


def test_a_size_is_compared_with_calibration_and_settings_alike(damage, report) -> None:
    damage.record("calib.json", lambda content: content["depth"].update(width_px=70))
    damage.record(
        "settings.json",
        lambda content: [one.update(height_px=50) for one in content["actual"]["streams"]],
    )
    found = {fault.message for fault in report().faults if fault.file.endswith("/depth.png")}
    assert found == {
        "expected 70x48 by calib.json, found 64x48",
        "expected 64x50 by settings.json, found 64x48",
    }


def test_a_picture_too_large_is_not_decoded(session) -> None:
    found = verify_session(session.root, policy=VerificationPolicy(max_picture_px=4000))
    assert {fault.code for fault in found.faults} == {"picture-damaged"}
    assert any("expected at most 4000 pixels, found 96x64" in f.message for f in found.faults)


def test_a_surface_that_the_scene_has_not_is_a_fault(damage, codes, report) -> None:
    surfaces = damage.read_picture("surfaces.png")
    surfaces[0, 0] = 3
    damage.picture("surfaces.png", surfaces)
    assert codes() == {"v1/surfaces.png": {"surface-number"}}
    assert "at most 2" in report().faults[0].message


def test_depth_needs_a_meaning(damage, codes, timing_of) -> None:
    damage.write("frame.json", ViewFrame(timing=timing_of(0)).to_json())
    damage.write("frame_emitter_off.json", ViewFrame().to_json())
    expected = {"depth-meaning"}
    assert codes() == {"v1/frame.json": expected, "v1/frame_emitter_off.json": expected}


def test_depth_needs_a_record_of_its_meaning(damage, codes) -> None:
    damage.remove("frame.json")
    damage.remove("frame_emitter_off.json")
    expected = {"record-missing"}
    assert codes() == {"v1/frame.json": expected, "v1/frame_emitter_off.json": expected}


def test_a_meaning_needs_depth(damage, codes) -> None:
    damage.remove("depth.png")
    assert codes() == {}
    damage.remove("depth_aligned.png")
    assert codes() == {"v1/frame.json": {"depth-meaning"}}


def _invert(transform: dict[str, Any]) -> None:
    rotation = np.array(transform["rotation"])
    transform["translation_m"] = (-rotation.T @ transform["translation_m"]).tolist()
    transform["rotation"] = rotation.T.tolist()


@pytest.mark.parametrize(
    "change",
    [
        lambda content: _invert(content["depth_to_color"]),
        lambda content: content["depth_to_color"].update(translation_m=[0, 0, 0]),
        lambda content: content["color"].update(fx_px=content["color"]["fx_px"] * 1.2),
        lambda content: content["color"].update(distortion_model="ftheta"),
    ],
)
def test_aligned_depth_that_the_calibration_does_not_give_is_a_fault(damage, codes, change) -> None:
    damage.record("calib.json", change)
    assert codes() == {"v1/depth_aligned.png": {"depth-alignment"}}


def test_depth_aligned_by_another_unit_is_a_fault(damage, codes) -> None:
    damage.record("frame.json", lambda content: content.update(depth_unit_m=0.0001))
    assert codes() == {"v1/depth_aligned.png": {"depth-alignment"}}


def test_a_few_pixels_may_differ_and_a_policy_says_how_many(damage, session, codes) -> None:
    aligned = damage.read_picture("depth_aligned.png")
    aligned[10, :50] += 1
    damage.picture("depth_aligned.png", aligned)
    assert codes() == {}
    strict = verify_session(session.root, policy=VerificationPolicy(max_realigned_share=0))
    assert [fault.code for fault in strict.faults] == ["depth-alignment"]


def test_without_both_cameras_there_is_nothing_to_align(damage, codes) -> None:
    damage.picture("depth_aligned.png", damage.read_picture("depth_aligned.png") + 7)
    assert codes() == {"v1/depth_aligned.png": {"depth-alignment"}}
    damage.record("calib.json", lambda content: content.update(depth=None, depth_to_color=None))
    assert codes() == {}
    damage.remove("calib.json")
    assert codes() == {}
