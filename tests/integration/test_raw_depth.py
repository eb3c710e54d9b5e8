"""Depth on the sensor's own grid goes out beside the pictures, if asked."""

from __future__ import annotations

import shutil

import cv2
import datasets
import numpy as np
import pytest
from typer.testing import CliRunner

from export.build import build_release
from export.verify import verify_release
from mira.cli.app import app
from mira.errors import ExportError
from mira.release.reader import read_rows
from mira.schema.capture import CameraIntrinsics, RigidTransform
from mira.store.atomic import file_ref


@pytest.fixture
def workspace(make_workspace, tmp_path):
    """Three pictures, of which two have raw depth of 80 x 60."""
    made = make_workspace(pictures=3)
    for k, view in enumerate(list(made.views())[:2]):
        raw = np.random.default_rng(k).integers(0, 65535, (60, 80), dtype=np.uint16)
        path = tmp_path / f"raw-{k}" / "depth_raw.png"
        path.parent.mkdir()
        cv2.imwrite(str(path), raw)
        folder = made.view_folder(view)
        names = (view.color.path, view.depth_aligned.path)
        pictures = {name: tmp_path / f"raw-{k}" / name for name in names}
        for name, copy in pictures.items():
            shutil.copyfile(folder / name, copy)
        camera = CameraIntrinsics(
            width_px=80, height_px=60, fx_px=70, fy_px=70, cx_px=39.5, cy_px=29.5
        )
        move = RigidTransform(
            target="color",
            source="depth",
            rotation=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
            translation_m=(0.015, 0, 0),
        )
        changed = {
            "depth": file_ref(path, relative_to=path.parent),
            "depth_intrinsics": camera,
            "depth_to_color": move,
        }
        made.put_view(view.model_copy(update=changed), {**pictures, "depth_raw.png": path})
    return made


def test_raw_depth_is_the_very_file_with_its_camera(workspace, tmp_path):
    info = build_release(workspace, tmp_path / "release", raw_depth=True)
    assert info.left_out == {"raw depth of pictures that have none": 1}
    assert {found.code for found in verify_release(tmp_path / "release")} == {"unreviewed"}
    rows = list(read_rows(tmp_path / "release", "raw_depth"))
    assert len(rows) == 2
    for k, row in enumerate(rows):
        assert row["depth"]["bytes"] == (tmp_path / f"raw-{k}" / "depth_raw.png").read_bytes()
        assert (row["width_px"], row["height_px"]) == (80, 60)
        assert row["intrinsics"]["fx_px"] == 70
        assert row["depth_to_color"]["translation_m"] == [0.015, 0, 0]
    loaded = datasets.load_dataset(str(tmp_path / "release"), "raw_depth", split="test")
    assert np.asarray(loaded[0]["depth"]).dtype == np.uint16


def test_without_the_flag_nothing_changes(workspace, make_workspace, tmp_path):
    info = build_release(workspace, tmp_path / "release")
    assert "raw_depth" not in {config.name for config in info.configs}


def test_a_workspace_without_raw_depth_says_so(make_workspace, tmp_path):
    with pytest.raises(ExportError, match="holds no depth on the sensor's own grid"):
        build_release(make_workspace(), tmp_path / "release", raw_depth=True)


def test_the_command_takes_the_flag(workspace, tmp_path):
    command = ["export", "build", "-w", str(workspace.root), "-o", str(tmp_path / "release")]
    done = CliRunner().invoke(app, [*command, "--include-raw-depth"])
    assert done.exit_code == 0, done.output
    assert "raw_depth" in done.output
    refused = CliRunner().invoke(app, [*command, "--include-raw-depth", "--flat"])
    assert "--include-raw-depth: is for releases that are not flat" in str(refused.exception)
