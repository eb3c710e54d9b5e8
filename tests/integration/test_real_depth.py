"""The depth sensor by one frame of a real stereo camera."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mira.sim.depth_fit.fitting import fit_depth

SHARED = Path(__file__).parents[3] / "shared" / "data"
FRAME = SHARED / "rgbd" / "realsense_d435"
FILLED = SHARED / "mirror_rgbd" / "images"

pytestmark = pytest.mark.skipif(
    not FRAME.is_dir(), reason="the real depth maps are not beside the checkout"
)


def test_a_real_stereo_frame_shows_steps_and_noise_and_no_end_of_range(tmp_path: Path) -> None:
    shutil.copy(FRAME / "image00001.png", tmp_path / "a.png")
    shutil.copy(FRAME / "depth00001.png", tmp_path / "a_depth.png")
    shutil.copy(FRAME / "cam_params_realsense.json", tmp_path / "a_intrinsics.json")
    fit = fit_depth((tmp_path,))
    # A 32nd of a pixel on the sensor's own grid, whose focal length is 1 to 1.6 of this one's.
    assert 0.045 < fit.policy.disparity_step_px < 0.055
    assert 0.05 < fit.policy.disparity_noise_px < 0.3
    assert fit.edge_lost_share > 0.05
    found = {one.parameter for one in fit.estimates if one.value is not None}
    assert not found & {"min_range_m", "max_range_m", "mirror_dropout_share"}


def test_depth_that_was_filled_and_smoothed_tells_nothing(tmp_path: Path) -> None:
    for ending in ("", "_depth"):
        shutil.copy(FILLED / f"bathroom_664{ending}.png", tmp_path)
    (tmp_path / "intrinsics.json").write_text('{"fx": 518.86}')
    fit = fit_depth((tmp_path,))
    assert [one.parameter for one in fit.estimates if one.value is not None] == []
