"""Numbers of drawn masks are those that geometry gives."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from capture.selection.measuring import measure_surfaces
from capture.selection.policy import ObjectPolicy, SurfacePolicy
from capture.selection.structure import count_structure

SHAPE = (120, 160)
POLICY = SurfacePolicy()
Mask = NDArray[np.bool_]


def box(x1: int, y1: int, x2: int, y2: int) -> Mask:
    mask = np.zeros(SHAPE, np.bool_)
    mask[y1:y2, x1:x2] = True
    return mask


def measured(*masks: Mask, depth: NDArray[np.uint16] | None = None):
    return measure_surfaces(masks, shape=SHAPE, depth=depth, policy=POLICY)


def test_a_mirror_in_the_middle_touches_nothing() -> None:
    found = measured(box(40, 20, 120, 80))
    assert found.share == pytest.approx(80 * 60 / (120 * 160), abs=1e-6)
    assert (found.rim_share, found.sides_touched, found.count) == (0, 0, 1)
    assert found.width == pytest.approx(60 / 120, abs=0.02)


def test_a_mirror_that_fills_the_view_touches_all_sides() -> None:
    found = measured(np.ones(SHAPE, np.bool_))
    assert (found.share, found.rim_share, found.sides_touched) == (1, 1, 4)
    assert found.width == pytest.approx(1, abs=0.02)


def test_a_wall_of_mirror_runs_out_of_three_sides() -> None:
    found = measured(box(0, 0, 160, 60))
    assert found.sides_touched == 3
    assert found.rim_share == pytest.approx((160 + 2 * 60) / (2 * (160 + 120)), abs=0.02)


@pytest.mark.parametrize("diameter", [9, 31, 81])
def test_a_round_mirror_is_as_wide_as_it_is(diameter: int) -> None:
    canvas = np.zeros(SHAPE, np.uint8)
    cv2.circle(canvas, (80, 60), diameter // 2, 1, thickness=-1)
    assert measured(canvas > 0).width == pytest.approx(diameter / 120, abs=0.02)


def test_the_widest_surface_counts_not_all_of_them_together() -> None:
    left, right = box(10, 10, 30, 110), box(30, 10, 50, 110)
    assert measured(left, right).width == pytest.approx(20 / 120, abs=0.02)
    assert measured(left | right).width == pytest.approx(40 / 120, abs=0.02)


def test_depth_is_counted_inside_surfaces_alone() -> None:
    depth = np.zeros(SHAPE, np.uint16)
    depth[:, 80:] = 900
    assert measured(box(40, 20, 120, 80), depth=depth).valid_depth_fraction == 0.5
    assert measured(box(40, 20, 120, 80)).valid_depth_fraction is None
    assert measured(depth=depth).valid_depth_fraction is None


@settings(deadline=None)
@given(arrays(np.bool_, SHAPE))
def test_any_mask_has_numbers_within_bounds_and_turning_it_changes_none(mask: Mask) -> None:
    found = measured(mask)
    assert found.share == round(float(mask.mean()), 6)
    turned = measured(mask[::-1, ::-1])
    assert (turned.rim_share, turned.sides_touched) == (found.rim_share, found.sides_touched)
    assert turned.width == pytest.approx(found.width)


def test_structure_is_found_on_the_side_where_it_is() -> None:
    chequered = np.kron(np.indices((12, 16)).sum(axis=0) % 2, np.ones((10, 10))) * 200
    mirror = box(80, 0, 160, 120)
    policy = ObjectPolicy(grid_side=160)
    for shown, where in ((mirror, "reflected_cells"), (~mirror, "direct_cells")):
        grey = np.where(shown, chequered, 90).astype(np.uint8)
        counts = count_structure(grey, mirror, policy=policy).model_dump()
        assert counts.pop(where) > 20
        assert set(counts.values()) == {0}


def test_the_outline_of_a_mirror_is_no_structure() -> None:
    mirror = box(40, 20, 120, 80)
    grey = np.where(mirror, 220, 30).astype(np.uint8)
    counts = count_structure(grey, mirror, policy=ObjectPolicy(grid_side=160))
    assert (counts.direct_cells, counts.reflected_cells) == (0, 0)


@settings(deadline=None)
@given(st.integers(0, 255))
def test_a_plain_picture_has_no_structure(grey: int) -> None:
    plain = np.full(SHAPE, grey, np.uint8)
    counts = count_structure(plain, box(0, 0, 80, 120), policy=ObjectPolicy())
    assert counts.direct_cells == counts.reflected_cells == 0
