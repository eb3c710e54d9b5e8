from __future__ import annotations

import cv2
import numpy as np
import pytest

from mira.sim.depth_fit.frames import ORDINARY, DepthFrame, DepthGrid
from mira.sim.depth_fit.grain import both_above, correlation
from mira.sim.depth_fit.holes import find_holes
from mira.sim.depth_fit.noise import NoiseFinder
from mira.sim.depth_fit.reach import ReachFinder
from mira.sim.depth_fit.steps import StepFinder
from mira.sim.depth_fit.still import StillFinder

BASELINE_M = 0.05
FOCAL_PX = 600.0


def grid(depth_m: np.ndarray, codes: np.ndarray | None = None) -> DepthGrid:
    return DepthGrid(np.round(depth_m * 1000).astype(np.uint16), 0.001, FOCAL_PX, codes)


@pytest.mark.parametrize("grain", [0.4, 1.0, 3.0])
def test_correlation_is_that_of_blurred_noise(grain: float) -> None:
    noise = np.random.default_rng(0).standard_normal((1500, 1500)).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), grain)
    for lag in (1, 2, 5):
        seen = np.corrcoef(noise[:, lag:].ravel(), noise[:, :-lag].ravel())[0, 1]
        assert correlation(grain, 6)[lag] == pytest.approx(seen, abs=0.02)


def test_both_above_is_the_probability_of_two_correlated_numbers() -> None:
    rng = np.random.default_rng(1)
    first, other = rng.standard_normal((2, 2_000_000))
    for rho in (0.0, 0.5, 0.95):
        second = rho * first + np.sqrt(1 - rho**2) * other
        limit = np.quantile(first, 0.9)
        seen = np.mean((first > limit) & (second > limit))
        assert both_above(0.1, np.array([rho]))[0] == pytest.approx(seen, rel=0.03)
    assert both_above(0.1, np.array([1.0]))[0] == pytest.approx(0.1, rel=0.01)


def test_a_shadow_is_as_wide_as_the_step_of_disparity() -> None:
    disparity = np.full((40, 100), 10.0)
    disparity[:, 60:] = 18.0
    disparity[:, 52:60] = 0
    disparity[10:14, 20:24] = 0
    holes = find_holes(disparity)
    assert holes.hidden[:, 52:60].all()
    assert holes.hidden.sum() == 40 * 8
    assert holes.lost.sum() == 16
    assert holes.near_edge[20, 50]
    assert not holes.near_edge[12, 22]


def test_what_the_second_imager_cannot_see_at_the_left_rim_is_hidden() -> None:
    disparity = np.full((40, 100), 12.0)
    disparity[:, :12] = 0
    assert find_holes(disparity).hidden[:, :12].all()


def test_a_step_needs_many_different_depths() -> None:
    finder = StepFinder(BASELINE_M)
    finder.add(grid(np.full((50, 50), 2.0)))
    assert finder.result().value is None
    assert "fewer than 40" in str(finder.result().reason)


def test_smooth_depth_has_no_step() -> None:
    finder = StepFinder(BASELINE_M)
    finder.add(grid(np.linspace(1.5, 6, 200 * 200).reshape(200, 200)))
    assert finder.result().value is None


@pytest.mark.parametrize("step", [1 / 8, 1 / 32, 0.047])
def test_the_longest_step_is_found_not_a_part_of_it(step: float) -> None:
    finder = StepFinder(BASELINE_M)
    scale = FOCAL_PX * BASELINE_M
    true = scale / np.linspace(1.0, 7, 300 * 300).reshape(300, 300)
    finder.add(grid(scale / (np.round(true / step) * step)))
    assert finder.result().value == pytest.approx(step, rel=0.01)


def test_noise_is_that_of_slanting_planes_and_not_of_things_before_them() -> None:
    y, x = np.mgrid[:480, :640]
    noise = np.random.default_rng(0).standard_normal((480, 640)).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), 2.0)
    noise *= 0.06 / noise.std()
    disparity = 8 + 0.004 * x + 0.002 * y + noise
    disparity[100:200, 100:300] += 6 + 2 * np.sin(x[100:200, 100:300] / 5)
    finder = NoiseFinder(BASELINE_M)
    finder.add(grid(FOCAL_PX * BASELINE_M / disparity))
    sigma, grain = finder.result(None)
    assert sigma.value == pytest.approx(0.06, rel=0.1)
    assert grain.value == pytest.approx(2.0, rel=0.15)


def test_noise_without_flat_windows_is_unknown() -> None:
    finder = NoiseFinder(BASELINE_M)
    finder.add(grid(np.zeros((200, 200))))
    finder.add(grid(np.ones((20, 20))))
    assert [one.value for one in finder.result(None)] == [None, None]


def test_steps_that_hide_the_noise_leave_it_unknown() -> None:
    y, x = np.mgrid[:480, :640]
    scale = FOCAL_PX * BASELINE_M
    disparity = np.round((8 + 0.004 * x + 0.003 * y) / 0.25) * 0.25
    finder = NoiseFinder(BASELINE_M)
    finder.add(grid(scale / disparity))
    sigma, _ = finder.result(0.25)
    assert sigma.value is None
    assert "hides it" in str(sigma.reason)


def test_a_far_wall_is_no_end_of_the_range() -> None:
    depth = np.full((240, 320), 5.0)
    depth[100:160, 100:200] = 0
    depth[:, 250:] = np.linspace(1, 5, 240)[:, None]
    reach = ReachFinder()
    codes = np.full(depth.shape, ORDINARY, np.int8)
    reach.add(grid(depth, codes), find_holes(grid(depth).disparity_px(BASELINE_M)))
    assert reach.nearest().value is None


def frame(depth_m: np.ndarray, picture: np.ndarray | None, scene: str = "s") -> DepthFrame:
    return DepthFrame("f", scene, grid(depth_m), None, picture)


def test_noise_over_time_is_of_frames_of_one_still_view_alone() -> None:
    rng = np.random.default_rng(0)
    scale = FOCAL_PX * BASELINE_M
    picture = rng.integers(0, 255, (120, 160)).astype(np.uint8)
    maps = [scale / (8 + 0.1 * rng.standard_normal((200, 300))) for _ in range(2)]
    still = StillFinder(BASELINE_M)
    for depth in maps:
        still.add(frame(depth, picture))
    assert still.result(None).value == pytest.approx(0.1, rel=0.03)
    for second in (
        frame(maps[1], 255 - picture),
        frame(maps[1], None),
        frame(maps[1], picture, "t"),
    ):
        other = StillFinder(BASELINE_M)
        other.add(frame(maps[0], picture))
        other.add(second)
        assert other.result(None).value is None
