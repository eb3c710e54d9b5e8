"""Masks become rings that cover their pixels and no other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from annotate.findings import FindingLog, Refused
from annotate.policy import AnnotationPolicy
from annotate.reading import pixel_area
from annotate.reading.pixel_area import area_of_mask
from mira.geometry.mask import decode_rle, rle_from_polygons
from mira.geometry.polygon import region_area

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=14))


def region_of_mask(mask, **more):
    return pixel_area.region_of_mask(mask, most_rings=10_000, **more)


def drawn(region, size_px):
    width, height = size_px
    rle = rle_from_polygons(region.parts, region.holes, width_px=width, height_px=height)
    return decode_rle(rle)


def area_in(mask, corner, size_px, log=None, **policy):
    log = log or FindingLog("a.json")
    return area_of_mask(mask, corner, "m", size_px, AnnotationPolicy(**policy), log)


@settings(deadline=None, max_examples=300)
@given(mask=masks, corner=st.tuples(st.integers(0, 5), st.integers(0, 5)))
def test_the_rings_of_a_mask_cover_its_pixels_and_no_other(mask, corner):
    region = region_of_mask(mask, corner_px=corner)
    assert region_area(*region).area == np.count_nonzero(mask)
    if mask.any():
        padded = np.pad(mask, ((corner[1], 0), (corner[0], 0)))
        assert (drawn(region, padded.shape[::-1]) == padded).all()


def test_islands_in_holes_in_islands_stay():
    mask = np.zeros((31, 31), np.bool_)
    for inset in range(0, 15, 3):
        mask[inset : 31 - inset, inset : 31 - inset] = inset % 2 == 0
    region = region_of_mask(mask)
    assert (drawn(region, (31, 31)) == mask).all()


def test_a_mask_larger_than_a_tile_loses_nothing_at_the_cuts(monkeypatch):
    mask = np.random.default_rng(3).random((40, 70)) < 0.7
    monkeypatch.setattr(pixel_area, "_TILE_PX", 64)
    assert (drawn(region_of_mask(mask), (70, 40)) == mask).all()


def test_a_plain_block_keeps_four_corners():
    region = region_of_mask(np.ones((3, 5), np.bool_), corner_px=(2, 1))
    assert region.holes == ()
    assert set(region.parts[0]) == {(2, 1), (7, 1), (7, 4), (2, 4)}


def test_what_leaves_the_picture_is_cut_with_a_warning():
    log = FindingLog("a.json")
    region = area_in(np.ones((4, 4), np.bool_), (-2, 8), (10, 10), log)
    assert region_area(*region).bounds == (0, 8, 2, 10)
    (finding,) = log.findings
    assert (finding.code, finding.severity, finding.where) == ("shape-clipped", "warning", "m")
    assert "by 12 pixels" in finding.message


@pytest.mark.parametrize(
    ("mask", "corner", "code"),
    [
        (np.zeros((3, 3), np.bool_), (0, 0), "area-empty"),
        (np.ones((3, 3), np.bool_), (10, 0), "shape-outside"),
        (np.ones((3, 3), np.bool_), (0, -3), "shape-outside"),
        (np.indices((9, 9)).sum(0) % 2 == 0, (0, 0), "mask-in-pieces"),
    ],
)
def test_a_mask_without_an_area_worth_having_is_refused(mask, corner, code):
    with pytest.raises(Refused) as caught:
        area_in(mask, corner, (10, 10), mask_rings_limit=20)
    assert caught.value.code == code


def test_empty_margins_do_not_count_as_outside():
    log = FindingLog("a.json")
    mask = np.pad(np.ones((2, 2), np.bool_), 5)
    assert region_area(*area_in(mask, (-5, -5), (4, 4), log)).bounds == (0, 0, 2, 2)
    assert log.findings == ()
