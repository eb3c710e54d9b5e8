"""From a session on disk to questions: a killed import goes on, and ends as one that was not."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import cv2
import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.release.reader import read_rows
from mira.schema.capture import Calibration, CameraIntrinsics, RigidTransform, Scene, ViewFrame
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.store.session import Session
from mira.store.workspace import Workspace

WIDTH, HEIGHT = 160, 120
CAMERA = CameraIntrinsics(
    width_px=WIDTH, height_px=HEIGHT, fx_px=150, fy_px=150, cx_px=79.5, cy_px=59.5
)


def _png(pixels):
    return cv2.imencode(".png", pixels)[1].tobytes()


def _shape(label, x, y, gid, *, side=18, **attributes):
    return {
        "label": label,
        "points": [[x, y], [x + side, y], [x + side, y + side], [x, y + side]],
        "group_id": gid,
        "shape_type": "polygon",
        "flags": {},
        "description": "",
        "attributes": attributes,
    }


def _annotation():
    return {
        "version": "4.0.2",
        "flags": {},
        "shapes": [
            _shape("surface", 80, 40, 9, side=70, surface_type="planar_mirror"),
            _shape("cup", 5, 5, 1),
            _shape("cup_reflection", 100, 50, 2, reflection_of="1", in_mirror="9"),
            _shape("vase", 40, 5, 3),
            _shape("vase_reflection", 125, 85, 4, reflection_of="3", in_mirror="9"),
        ],
        "imagePath": "color.png",
        "imageData": None,
        "imageHeight": HEIGHT,
        "imageWidth": WIDTH,
    }


@pytest.fixture
def session(tmp_path):
    """Two scenes of six annotated views."""
    record = CaptureSession(
        session_id="run-1", source="simulated", provenance=Provenance(tool="test", tool_version="0")
    )
    made = Session.create(tmp_path / "run", record, durable=False)
    rng = np.random.default_rng(3)
    for scene_id in ("bath", "hall"):
        made.write_scene(Scene(scene_id=scene_id, consent="not_needed", licence="CC0-1.0"))
        for k in range(6):
            files = {
                "color.png": _png(rng.integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8)),
                "depth_aligned.png": _png(rng.integers(0, 9000, (HEIGHT, WIDTH), dtype=np.uint16)),
                "frame.json": ViewFrame(depth_unit_m=0.001, depth_kind="metric").to_json(),
                "calib.json": Calibration(color=CAMERA).to_json(),
            }
            made.commit_view(scene_id, f"v{k}", files)
            drawn = made.view_folder(scene_id, f"v{k}") / "color.json"
            drawn.write_bytes(orjson.dumps(_annotation()))
    return made


def _tree(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def _run(*words):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_session_becomes_questions(session, tmp_path):
    assert "12 files: 12 ok" in _run("annotate", "check", session.root)
    _run("annotate", "import", session.root, "--workspace", tmp_path / "ws")
    _run("qa", "generate", "--workspace", tmp_path / "ws")
    workspace = Workspace.open(tmp_path / "ws")
    assert [scene.scene_id for scene in workspace.scenes()] == ["bath", "hall"]
    items = list(workspace.items())
    assert {item.image_id for item in items} == {
        f"{s}_v{k}" for s in ("bath", "hall") for k in range(6)
    }
    assert all(item.image_id.startswith(item.scene_id) for item in items)


def test_raw_depth_comes_with_its_camera_and_goes_out(session, tmp_path):
    camera = CAMERA.model_copy(update={"width_px": 80, "height_px": 60})
    move = RigidTransform(
        target="color",
        source="depth",
        rotation=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        translation_m=(0.015, 0, 0),
    )
    raw = _png(np.full((60, 80), 1200, np.uint16))
    calibration = Calibration(color=CAMERA, depth=camera, depth_to_color=move)
    folder = session.view_folder("bath", "v0")
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    files = {name: kept[name] for name in ("color.png", "depth_aligned.png", "frame.json")}
    files |= {"depth.png": raw, "calib.json": calibration.to_json()}
    session.commit_view("bath", "v0", files, replace=True)
    _run("annotate", "import", session.root, "--workspace", tmp_path / "ws")
    view = Workspace.open(tmp_path / "ws").view("bath", "bath_v0")
    assert (view.depth_intrinsics, view.depth_to_color) == (camera, move)
    _run("qa", "generate", "--workspace", tmp_path / "ws")
    _run("export", "build", "-w", tmp_path / "ws", "-o", tmp_path / "out", "--include-raw-depth")
    (row,) = read_rows(tmp_path / "out", "raw_depth")
    assert row["depth"]["bytes"] == raw


@pytest.mark.slow
def test_killed_at_any_moment_an_import_is_gone_on_with(session, tmp_path):
    _run("annotate", "import", session.root, "--workspace", tmp_path / "whole")
    whole = _tree(tmp_path / "whole")
    command = [sys.executable, "-m", "mira.cli.main", "annotate", "import", str(session.root)]
    cut = False
    for k in range(4):
        target = tmp_path / f"cut{k}"
        with subprocess.Popen(
            [*command, "--workspace", str(target)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as writer:
            while writer.poll() is None and len(list(target.glob("annotations/*"))) < 2 * k + 1:
                time.sleep(0.002)
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        cut |= writer.returncode == -signal.SIGKILL
        _run("annotate", "import", session.root, "--workspace", target)
        assert _tree(target) == whole
    assert cut
