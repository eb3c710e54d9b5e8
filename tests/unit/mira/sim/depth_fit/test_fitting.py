from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import MiraError
from mira.schema.capture import Calibration, CameraIntrinsics, Scene, ViewFrame
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.sim.depth_fit.fitting import fit_depth
from mira.sim.rooms.policy import DepthSensorPolicy, read_room_policy
from mira.store.session import Session


def ramp(shape: tuple[int, int] = (200, 300)) -> NDArray[np.uint16]:
    steps = np.linspace(800, 5000, shape[0] * shape[1]).reshape(shape).astype(np.uint16)
    steps[50:60, 50:60] = 0
    return steps


def png(picture: NDArray[np.generic]) -> bytes:
    return bytes(cv2.imencode(".png", picture)[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "plain"
    made.mkdir()
    (made / "a.png").write_bytes(png(np.zeros((200, 300, 3), np.uint8)))
    (made / "a_depth.png").write_bytes(png(ramp()))
    (made / "a_intrinsics.json").write_text('{"fx": 305, "depth_scale": 1000}')
    return made


@pytest.fixture
def session(tmp_path: Path) -> Session:
    provenance = Provenance(tool="test", tool_version="1")
    record = CaptureSession(session_id="s", source="live", provenance=provenance)
    made = Session.create(tmp_path / "session", record, durable=False)
    made.write_scene(Scene(scene_id="hall", consent="not_needed"))
    return made


def camera(focal_px: float, shape: tuple[int, int]) -> CameraIntrinsics:
    height, width = shape
    return CameraIntrinsics(
        width_px=width, height_px=height, fx_px=focal_px, fy_px=focal_px, cx_px=1, cy_px=1
    )


def commit(session: Session, view: str, frame: ViewFrame, **files: bytes) -> None:
    named = {f"{name}.png": data for name, data in files.items()}
    calibration = Calibration(color=camera(610, (200, 300)))
    named |= {"frame.json": frame.to_json(), "calib.json": calibration.to_json()}
    named["color.png"] = png(np.zeros((200, 300, 3), np.uint8))
    session.commit_view("hall", view, named)


METRIC = ViewFrame(depth_kind="metric", depth_unit_m=0.001)


def test_pixels_are_given_for_the_simulated_camera(folder: Path) -> None:
    fit = fit_depth((folder,))
    assert fit.focal_px == 305
    assert fit.policy_focal_px == 610
    assert fit.policy.baseline_m == 0.05
    missing = {one.parameter for one in fit.estimates if one.value is None}
    for name in missing:
        assert getattr(fit.policy, name) == getattr(DepthSensorPolicy(), name)
    assert all(one.reason for one in fit.estimates if one.parameter in missing)


def test_a_session_is_read_and_views_without_depth_are_passed_over(session: Session) -> None:
    commit(session, "v0", METRIC, depth_aligned=png(ramp()))
    commit(session, "v1", ViewFrame())
    fit = fit_depth((session.root,))
    assert fit.frames == 1
    assert fit.faults == ()


def test_views_of_a_session_that_cannot_be_used_are_named(session: Session) -> None:
    commit(session, "v0", METRIC, depth_aligned=png(ramp()))
    commit(session, "v1", METRIC, depth_aligned=b"\x89PNG broken")
    commit(session, "v2", METRIC, depth_aligned=png(np.zeros((200, 300), np.uint8)))
    commit(session, "v3", ViewFrame(), depth_aligned=png(ramp()))
    commit(session, "v4", METRIC, depth_aligned=png(ramp()))
    (session.view_folder("hall", "v4") / "color.json").write_text("{")
    fit = fit_depth((session.root,))
    assert fit.frames == 1
    assert [fault.split(":")[0].rsplit("/", 2)[1] for fault in fit.faults] == [
        "v1",
        "v2",
        "v3",
        "v4",
    ]
    assert "depth_unit_m" in fit.faults[2]


def test_normalised_depth_is_refused_in_one_line(folder: Path, session: Session) -> None:
    (folder / "a_intrinsics.json").write_text('{"fx": 305, "depth_kind": "normalised"}')
    commit(session, "v0", ViewFrame(depth_kind="normalised"), depth_aligned=png(ramp()))
    for source, name in ((folder, "a_intrinsics.json"), (session.root, "frame.json")):
        with pytest.raises(MiraError, match="depth_kind: expected metric") as raised:
            fit_depth((source,))
        assert name in raised.value.where


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "expected JSON"),
        ("[]", "expected an object"),
        ("{}", "fx_px"),
        ('{"fx": -1}', "fx_px"),
        ('{"fx": "wide"}', "fx_px"),
        ('{"fx": 300, "depth_unit_m": "mm"}', "depth_unit_m"),
        ('{"intrinsic_matrix": {"a": 1}}', "fx_px"),
    ],
)
def test_a_bad_camera_is_named_by_file_and_field(folder: Path, text: str, said: str) -> None:
    (folder / "a_intrinsics.json").write_text(text)
    with pytest.raises(MiraError, match=said) as raised:
        fit_depth((folder,))
    assert raised.value.where.endswith("a_intrinsics.json")


def test_an_annotation_of_another_size_is_named(folder: Path) -> None:
    (folder / "a.json").write_text('{"shapes": [], "imageWidth": 20}')
    with pytest.raises(MiraError, match="imageWidth: expected 300"):
        fit_depth((folder,))


def test_depth_that_was_filled_says_nothing_of_dropouts(folder: Path) -> None:
    (folder / "a_depth.png").write_bytes(png(ramp().clip(500)))
    fit = fit_depth((folder,))
    reasons = {one.parameter: one.reason for one in fit.estimates}
    assert "filled" in str(reasons["dropout_share"])


def test_one_camera_at_a_time(folder: Path) -> None:
    (folder / "b_depth.png").write_bytes(png(ramp()))
    (folder / "b_intrinsics.json").write_text('{"fx": 400}')
    with pytest.raises(MiraError, match="expected the focal length 305, found 400"):
        fit_depth((folder,))


@pytest.mark.parametrize("kind", ["missing", "empty"])
def test_nothing_to_fit_is_one_line_and_writes_nothing(tmp_path: Path, kind: str) -> None:
    source, out = tmp_path / kind, tmp_path / "out.json"
    if kind == "empty":
        source.mkdir()
    done = CliRunner().invoke(app, ["sim", "fit-depth", str(source), "--out", str(out)])
    assert isinstance(done.exception, MiraError)
    assert str(source) in str(done.exception)
    assert not out.exists()


def test_what_is_written_is_what_the_rooms_take(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "sensor.json"
    done = CliRunner().invoke(
        app, ["sim", "fit-depth", str(folder), "--out", str(out), "--baseline", "0.055", "--json"]
    )
    assert done.exit_code == 0
    policy = read_room_policy(depth_sensor=out).depth
    printed = json.loads(done.stdout)
    assert policy == DepthSensorPolicy.model_validate(printed["policy"])
    assert policy.baseline_m == 0.055
    shown = CliRunner().invoke(app, ["sim", "fit-depth", str(folder), "--out", str(out)])
    assert "stays:" in shown.stdout
    assert f"written: {out}" in shown.stdout
