from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.geometry.mirror_policy import DepthNoisePolicy, PlaneFitPolicy
from mira.geometry.plane import Plane, angle_between_deg, intersect_rays, plane_at
from mira.geometry.plane_fitting import depth_sigma_m, fit_plane

POLICY = PlaneFitPolicy()


def _readings(
    plane: Plane, rng: np.random.Generator, *, count: int = 400, outliers: float = 0.0
) -> np.ndarray:
    """Depth readings on a plane, with the sensor's noise, and some from anywhere before it."""
    rays = np.column_stack((rng.uniform(-0.5, 0.5, (count, 2)), np.ones(count)))
    points = intersect_rays(rays, plane)
    z = points[:, 2] + rng.standard_normal(count) * depth_sigma_m(points[:, 2], POLICY.noise)
    wrong = rng.random(count) < outliers
    z[wrong] *= rng.uniform(0.3, 1.6, int(wrong.sum()))
    return rays * z[:, None]


def _plane(tilt_x: float, tilt_y: float, distance_m: float) -> Plane:
    return plane_at((tilt_x, tilt_y, -1.0), (0, 0, distance_m))


def test_errors_grow_with_the_square_of_the_distance() -> None:
    noise = DepthNoisePolicy(floor_m=1e-9, per_m=0.002)
    assert depth_sigma_m([1, 2, 4], noise) == pytest.approx([0.002, 0.008, 0.032])


@given(
    st.floats(-0.6, 0.6),
    st.floats(-0.6, 0.6),
    st.floats(0.6, 4),
    st.floats(0, 0.5),
    st.integers(0, 2**32),
)
@settings(max_examples=60, deadline=None)
def test_a_plane_is_found_among_noise_and_as_many_outliers(
    tilt_x: float, tilt_y: float, distance_m: float, outliers: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    true = _plane(tilt_x, tilt_y, distance_m)
    fit = fit_plane(_readings(true, rng, outliers=outliers), policy=POLICY, rng=rng)
    assert fit is not None
    assert fit.normal_error_deg is not None
    # Two tilts with five standard deviations each: one failure in some hundred thousand.
    assert angle_between_deg(fit.plane, true) < 5 * fit.normal_error_deg + 0.02
    assert fit.inlier_share > 0.9 * (1 - outliers) - 0.1


def test_the_standard_error_is_as_large_as_the_errors_are() -> None:
    true = _plane(0.3, -0.2, 2.0)
    ratios = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        fit = fit_plane(_readings(true, rng, count=150), policy=POLICY, rng=rng)
        assert fit is not None
        assert fit.normal_error_deg is not None
        ratios.append(angle_between_deg(fit.plane, true) / fit.normal_error_deg)
    assert np.sqrt(np.mean(np.square(ratios))) == pytest.approx(1, abs=0.15)


def test_errors_that_neighbours_share_widen_the_standard_error() -> None:
    rng = np.random.default_rng(5)
    true = _plane(0.1, 0.1, 2.0)
    points = _readings(true, rng, count=60)
    repeated = np.repeat(points, 20, axis=0)
    groups = np.repeat(np.arange(60), 20)
    alone, shared = (
        fit_plane(repeated, policy=POLICY, rng=np.random.default_rng(0), groups=given_groups)
        for given_groups in (None, groups)
    )
    assert alone is not None
    assert shared is not None
    assert alone.normal_error_deg is not None
    assert shared.normal_error_deg == pytest.approx(alone.normal_error_deg * 20**0.5, rel=0.1)


def test_a_floor_that_runs_far_is_found_better_than_by_plain_least_squares() -> None:
    true = plane_at((0, -1, 0), (0, 1.2, 0))
    ours, plain = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rays = np.column_stack(
            (rng.uniform(-0.5, 0.5, 300), rng.uniform(0.2, 0.8, 300), np.ones(300))
        )
        z = intersect_rays(rays, true)[:, 2]
        z += rng.standard_normal(300) * depth_sigma_m(z, POLICY.noise)
        points = rays * z[:, None]
        fit = fit_plane(points, policy=POLICY, rng=rng)
        assert fit is not None
        ours.append(angle_between_deg(fit.plane, true))
        middle = points.mean(axis=0)
        other = plane_at(np.linalg.svd(points - middle)[2][2], middle)
        plain.append(angle_between_deg(other, true))
    assert np.mean(ours) < 0.9 * np.mean(plain)


def test_the_order_of_the_points_makes_no_difference() -> None:
    rng = np.random.default_rng(1)
    points = _readings(_plane(0.2, 0, 1.5), rng, outliers=0.3)
    order = rng.permutation(len(points))
    first, second = (
        fit_plane(some, policy=POLICY, rng=np.random.default_rng(7))
        for some in (points, points[order])
    )
    assert first is not None
    assert second is not None
    assert first.plane == second.plane
    assert first.residual_m == pytest.approx(second.residual_m)
    assert (first.inliers[order] == second.inliers).all()


def test_equal_input_gives_equal_planes() -> None:
    points = _readings(_plane(0.2, 0, 1.5), np.random.default_rng(1), outliers=0.4)
    fits = [fit_plane(points, policy=POLICY, rng=np.random.default_rng(3)) for _ in range(2)]
    assert fits[0] is not None
    assert fits[1] is not None
    assert fits[0].plane == fits[1].plane


def test_rows_without_a_number_and_behind_the_camera_belong_to_nothing() -> None:
    rng = np.random.default_rng(2)
    points = _readings(_plane(0.1, 0.2, 1.0), rng, count=100)
    points[::10] = np.nan
    points[1::10] *= -1
    points[2::10, 2] = 0
    fit = fit_plane(points, policy=POLICY, rng=rng)
    assert fit is not None
    assert not fit.inliers[::10].any()
    assert not fit.inliers[1::10].any()
    assert not fit.inliers[2::10].any()
    assert fit.inliers.sum() > 60


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 3)),
        np.full((50, 3), np.nan),
        np.tile((0.1, 0.2, 1.0), (50, 1)),
        np.linspace((0, 0, 1), (1, 1, 2), 50),
        np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)]),
    ],
    ids=["none", "no number", "one place", "a line", "two"],
)
def test_what_spans_no_plane_gives_none(points: np.ndarray) -> None:
    assert fit_plane(points, policy=POLICY, rng=np.random.default_rng(0)) is None


def test_too_few_groups_give_no_standard_error() -> None:
    rng = np.random.default_rng(0)
    points = _readings(_plane(0, 0, 1), rng, count=30)
    fit = fit_plane(points, policy=POLICY, rng=rng, groups=np.arange(30) % 3)
    assert fit is not None
    assert fit.covariance is None
    assert fit.normal_error_deg is None
