from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely.errors import GEOSException

from mira.geometry.mask import (
    area_of_rle,
    box_iou,
    box_of_rle,
    decode_rle,
    rle_from_mask,
    rle_from_polygons,
)
from mira.geometry.polygon import even_odd_area, region_area
from mira.geometry.region import clip_ring, region_of_area

SIZE = (40, 30)
COORDINATE = st.floats(-20, 60, allow_nan=False)
RING = st.lists(st.tuples(COORDINATE, COORDINATE), min_size=3, max_size=9).map(tuple)
BOW_TIE = ((10.0, 10.0), (50.0, 50.0), (50.0, 10.0), (10.0, 50.0))


def _star(points=5, turns=2):
    angles = [2 * math.pi * turns * k / points for k in range(points)]
    return tuple((50 + 40 * math.sin(a), 50 - 40 * math.cos(a)) for a in angles)


def _square(low, high):
    return ((low, low), (high, low), (high, high), (low, high))


def test_a_bow_tie_keeps_both_wings():
    assert even_odd_area(BOW_TIE).area == pytest.approx(800)


def test_the_heart_of_a_star_is_a_hole():
    mask = decode_rle(rle_from_polygons([_star()], width_px=100, height_px=100))
    assert not mask[50, 50]
    assert mask[15, 50]
    assert not even_odd_area(_star()).intersects(even_odd_area(_square(49.0, 51.0)))


def test_a_spike_beside_a_bow_tie_does_not_swallow_it():
    spiked = (*BOW_TIE, (10.0, 30.0), (-5.0, 30.0), (10.0, 30.0))
    assert even_odd_area(spiked).area == pytest.approx(800)


def test_a_keyhole_seam_opens_into_a_hole():
    ring = (*_square(10.0, 60.0), (10.0, 10.0), (25.0, 25.0), (25.0, 45.0), (45.0, 45.0))
    region = clip_ring((*ring, (45.0, 25.0), (25.0, 25.0)), (100, 100))
    assert (len(region.parts), len(region.holes)) == (1, 1)
    assert region_area(*region).area == pytest.approx(2100)


def test_an_island_in_a_hole_is_kept():
    area = region_area([_square(0.0, 90.0)], [_square(20.0, 70.0)]).union(
        even_odd_area(_square(40.0, 50.0))
    )
    again = region_area(*region_of_area(area))
    assert again.symmetric_difference(area).area == pytest.approx(0, abs=1e-9)


def test_a_ring_outside_the_picture_leaves_nothing():
    assert clip_ring(((200.0, 200.0), (250.0, 200.0), (250.0, 250.0)), SIZE) == ((), ())


def test_a_simple_ring_inside_is_left_as_it_was_drawn():
    ring = ((1.25, 2.5), (30.125, 3.0), (12.0, 28.75))
    assert clip_ring(ring, SIZE) == ((ring,), ())


@settings(deadline=None)
@given(RING)
def test_a_clipped_ring_covers_what_the_ring_covers_of_the_picture(ring):
    try:
        parts, holes = clip_ring(ring, SIZE)
    except GEOSException:
        assume(False)
    for x, y in (point for part in (*parts, *holes) for point in part):
        assert 0 <= x <= SIZE[0]
        assert 0 <= y <= SIZE[1]
    frame = even_odd_area(((0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0)))
    expected = even_odd_area(ring).intersection(frame).area
    found = region_area(parts, holes).area if parts else 0.0
    assert found == pytest.approx(expected, abs=1e-6)


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_run_lengths_and_masks_are_the_same_thing(width, height, seed):
    mask = np.random.default_rng(seed).random((height, width)) < 0.4
    rle = rle_from_mask(mask)
    assert np.array_equal(decode_rle(rle), mask)
    assert area_of_rle(rle) == mask.sum()
    x1, y1, x2, y2 = box_of_rle(rle)
    assert mask[y1:y2, x1:x2].sum() == mask.sum()
    if mask.any():
        assert mask[y1].any()
        assert mask[:, x2 - 1].any()


def test_holes_are_cut_out_of_every_part():
    rle = rle_from_polygons(
        [_square(0.0, 10.0), _square(20.0, 30.0)],
        [_square(2.0, 4.0), _square(22.0, 24.0)],
        width_px=40,
        height_px=40,
    )
    assert area_of_rle(rle) == 200 - 8


BOX = st.tuples(*[st.integers(0, 9)] * 2, *[st.integers(10, 19)] * 2)


@given(BOX, BOX)
def test_box_iou_is_symmetric_within_bounds_and_one_for_equals(first, second):
    assert box_iou(first, second) == box_iou(second, first)
    assert 0 < box_iou(first, second) <= 1
    assert box_iou(first, first) == 1


def test_boxes_that_only_touch_share_nothing():
    assert box_iou((0, 0, 5, 5), (5, 0, 9, 5)) == 0
