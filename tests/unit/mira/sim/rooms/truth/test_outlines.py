from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mira.geometry.polygon import region_area
from mira.sim.rooms.policy import InstancePolicy, OutlinePolicy
from mira.sim.rooms.truth.outlines import iou_with_mask, outline_mask

_INSTANCES, _OUTLINE = InstancePolicy(), OutlinePolicy()
_SHAPE = (120, 160)


def _blobs(seed: int) -> NDArray[np.bool_]:
    noise = np.random.default_rng(seed).standard_normal(_SHAPE).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), 7) > 0.02)


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_outlines_agree_with_their_mask(seed: int) -> None:
    mask = _blobs(seed)

    region = outline_mask(mask, _INSTANCES, _OUTLINE)

    assert region is not None
    assert iou_with_mask(region, mask) >= _OUTLINE.min_iou


def test_an_outline_runs_along_pixel_edges() -> None:
    mask = np.zeros(_SHAPE, bool)
    mask[20:50, 30:90] = True

    region = outline_mask(mask, _INSTANCES, _OUTLINE)

    assert region is not None
    assert {tuple(point) for point in region.parts[0]} == {(30, 20), (90, 20), (90, 50), (30, 50)}
    assert region.holes == ()


def test_a_full_picture_is_outlined_to_its_corners() -> None:
    region = outline_mask(np.ones(_SHAPE, bool), _INSTANCES, _OUTLINE)

    assert region is not None
    assert region_area(region.parts).bounds == (0, 0, _SHAPE[1], _SHAPE[0])


def test_outlines_are_not_shifted() -> None:
    y, x = np.mgrid[: _SHAPE[0], : _SHAPE[1]]
    mask = (x + 0.5 - 80.3) ** 2 + (y + 0.5 - 60.7) ** 2 < 40**2

    region = outline_mask(mask, _INSTANCES, _OUTLINE)

    assert region is not None
    centre = region_area(region.parts, region.holes).centroid
    assert (centre.x, centre.y) == pytest.approx((80.3, 60.7), abs=0.1)


def test_an_outline_of_a_window_is_put_where_the_window_is() -> None:
    mask = np.zeros(_SHAPE, bool)
    mask[5:40, 7:60] = True
    mask[15:25, 20:30] = False
    whole = np.zeros((400, 400), bool)
    whole[200 : 200 + _SHAPE[0], 90 : 90 + _SHAPE[1]] = mask

    moved = outline_mask(mask, _INSTANCES, _OUTLINE, corner_px=(90, 200))

    assert moved is not None
    assert moved == outline_mask(whole, _INSTANCES, _OUTLINE)
    assert iou_with_mask(moved, whole) == 1
    assert region_area(moved.parts).bounds == (97, 205, 150, 240)
    assert region_area(moved.holes).bounds == (110, 215, 120, 225)


def test_large_holes_stay_and_small_ones_close() -> None:
    mask = np.zeros(_SHAPE, bool)
    mask[10:110, 10:150] = True
    mask[40:60, 40:60] = False
    mask[80:82, 100:102] = False

    region = outline_mask(mask, _INSTANCES, _OUTLINE)

    assert region is not None
    assert len(region.parts) == 1
    assert len(region.holes) == 1
    assert region_area(region.holes).bounds == (40, 40, 60, 60)


def test_an_island_in_a_hole_is_dropped() -> None:
    mask = np.zeros(_SHAPE, bool)
    mask[5:115, 5:155] = True
    mask[40:60, 40:60] = False
    mask[48:52, 48:52] = True

    region = outline_mask(mask, _INSTANCES, _OUTLINE)

    assert region is not None
    assert len(region.parts) == 1


def test_specks_are_dropped_unless_the_mask_is_made_of_them() -> None:
    alone = np.zeros(_SHAPE, bool)
    alone[20:80, 20:80] = True
    alone[100:102, 100:102] = True
    crumbs = np.zeros(_SHAPE, bool)
    crumbs[::6, ::6] = crumbs[1::6, ::6] = True

    tidy = outline_mask(alone, _INSTANCES, _OUTLINE)
    all_kept = outline_mask(crumbs, _INSTANCES, _OUTLINE)

    assert tidy is not None
    assert len(tidy.parts) == 1
    assert all_kept is not None
    assert iou_with_mask(all_kept, crumbs) == 1
    assert min(region_area([part]).area for part in all_kept.parts) >= 2


def test_a_mask_of_single_pixels_has_no_outline() -> None:
    dust = np.zeros(_SHAPE, bool)
    dust[::3, ::3] = True

    assert outline_mask(dust, _INSTANCES, _OUTLINE) is None


def test_an_empty_mask_has_no_outline() -> None:
    assert outline_mask(np.zeros(_SHAPE, bool), _INSTANCES, _OUTLINE) is None
