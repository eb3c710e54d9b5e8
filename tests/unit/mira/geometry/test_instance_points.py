from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.instance_points import InstanceExtent, estimate_extent, quantiles
from mira.geometry.mirror_policy import InstancePointsPolicy
from mira.schema.capture import CameraIntrinsics

POLICY = InstancePointsPolicy()
CAMERA = CameraIntrinsics(width_px=200, height_px=150, fx_px=200, fy_px=200, cx_px=99.5, cy_px=74.5)
SIDE = 40


def _extent(
    depth_m: np.ndarray, *, left: int = 80, top: int = 55, size: int = SIDE
) -> InstanceExtent | None:
    area = CroppedMask(left, top, np.ones((size, size), dtype=bool))
    return estimate_extent(depth_m, area, CAMERA, policy=POLICY)


def _flat(z: float) -> np.ndarray:
    return np.full((150, 200), z)


def test_a_square_is_where_it_is_and_as_large_as_it_is() -> None:
    extent = _extent(_flat(2.0))
    assert extent is not None
    assert extent.centre_m == pytest.approx((0, 0, 2), abs=1e-9)
    # 40 px at 2 m and 200 px of focal length; a few percent are left out at each end.
    assert extent.half_width_m == pytest.approx(0.2, abs=0.02)
    assert extent.extents_m.span(2) == (2, 2)
    assert (extent.valid_share, extent.kept_share, extent.spread_m) == (1, 1, 0)


def test_the_rim_is_left_out() -> None:
    depth = _flat(5.0)
    depth[57:93, 82:118] = 2.0
    extent = _extent(depth)
    assert extent is not None
    assert extent.kept_share == 1
    assert extent.extents_m.span(2) == (2, 2)


@pytest.mark.parametrize("near", [0.3, 0.5, 0.9])
def test_a_thing_that_bleeds_into_its_background_is_its_near_part(near: float) -> None:
    rng = np.random.default_rng(0)
    depth = _flat(3.0) + rng.normal(0, 0.01, (150, 200))
    behind = rng.random((150, 200)) > near
    depth[~behind] -= 1.0
    extent = _extent(depth)
    assert extent is not None
    assert extent.centre_m[2] == pytest.approx(2.0, abs=0.02)
    assert extent.kept_share == pytest.approx(near, abs=0.05)
    assert extent.spread_m > (0.9 if near < 0.9 else -1)


def test_a_few_readings_before_a_thing_are_none_of_it() -> None:
    depth = _flat(2.0)
    depth[60:64, 85:95] = 0.9
    extent = _extent(depth)
    assert extent is not None
    assert extent.centre_m[2] == 2


def test_a_slanted_thing_is_kept_whole() -> None:
    depth = _flat(2.0) + np.linspace(-0.7, 0.7, 200)
    extent = _extent(depth)
    assert extent is not None
    assert extent.kept_share == 1


def test_readings_that_are_none_are_left_out_and_counted() -> None:
    depth = _flat(2.0)
    depth[55:75] = 0
    depth[75:80] = np.nan
    depth[80:82] = np.inf
    depth[82:84] = -1
    extent = _extent(depth)
    assert extent is not None
    assert extent.extents_m.span(2) == (2, 2)
    assert 0.2 < extent.valid_share < 0.4


@pytest.mark.parametrize("value", [0.0, np.nan, -1.0, np.inf])
def test_no_reading_gives_nothing(value: float) -> None:
    assert _extent(_flat(value)) is None


def test_an_empty_area_gives_nothing() -> None:
    nothing = CroppedMask(0, 0, np.zeros((0, 0), dtype=bool))
    assert estimate_extent(_flat(1), nothing, CAMERA, policy=POLICY) is None
    unset = CroppedMask(3, 4, np.zeros((5, 6), dtype=bool))
    assert estimate_extent(_flat(1), unset, CAMERA, policy=POLICY) is None


def test_a_thin_thing_is_not_drawn_in_to_nothing() -> None:
    area = CroppedMask(50, 20, np.ones((60, 2), dtype=bool))
    extent = estimate_extent(_flat(1.0), area, CAMERA, policy=POLICY)
    assert extent is not None
    assert extent.pixels == 120
    assert extent.half_width_m == pytest.approx(0.005, rel=0.2)


def test_an_area_at_the_edge_of_the_picture_is_measured() -> None:
    extent = _extent(_flat(1.0), left=160, top=0)
    assert extent is not None
    assert extent.centre_m[0] > 0.3


def test_large_areas_are_thinned_and_the_place_stays() -> None:
    rng = np.random.default_rng(0)
    depth = _flat(2.0) + rng.normal(0, 0.005, (150, 200))
    extent = _extent(depth, left=0, top=0, size=150)
    assert extent is not None
    assert POLICY.points <= len(extent.points_cam_m) < 2 * POLICY.points
    assert extent.centre_m[2] == pytest.approx(2, abs=0.002)


def test_quantiles_are_taken_by_column() -> None:
    values = np.array([(3.0, 10.0), (1.0, 30.0), (2.0, 20.0), (4.0, 40.0)])
    low, middle, high = quantiles(values, 0)
    assert (low.tolist(), middle.tolist(), high.tolist()) == ([1, 10], [2.5, 25], [4, 40])
    assert [float(one) for one in quantiles(np.arange(101.0), 10)] == [10, 50, 90]
    assert [float(one) for one in quantiles(np.array([7.0]), 10)] == [7, 7, 7]
