from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mira.geometry.mask import rle_from_mask
from mira.render.overlay import overlay_mask, union_mask

IMAGE_RGB = np.random.default_rng(5).integers(0, 256, (6, 8, 3), dtype=np.uint8)
masks = hnp.arrays(np.bool_, (6, 8))


@given(masks, st.floats(0, 1))
def test_only_pixels_of_the_mask_change(mask, alpha):
    overlaid = overlay_mask(IMAGE_RGB, mask, color=(0, 255, 0), alpha=alpha)
    np.testing.assert_array_equal(overlaid[~mask], IMAGE_RGB[~mask])
    expected = IMAGE_RGB * (1 - alpha) + np.array([0, 255, 0]) * alpha
    assert np.abs(overlaid[mask] - expected[mask]).max(initial=0) <= 0.501


def test_source_stays_as_it_is():
    before = IMAGE_RGB.copy()
    overlay_mask(IMAGE_RGB, np.ones((6, 8), bool), color=(9, 9, 9), alpha=1)
    np.testing.assert_array_equal(IMAGE_RGB, before)


@given(masks, masks)
def test_union_holds_each_pixel_once(first, second):
    union = union_mask([rle_from_mask(first), rle_from_mask(second)], width_px=8, height_px=6)
    np.testing.assert_array_equal(union, first | second)


def test_union_of_nothing_is_empty():
    assert not union_mask([], width_px=8, height_px=6).any()
