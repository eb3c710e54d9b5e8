from __future__ import annotations

import numpy as np
import pytest

from mira.errors import MiraError
from mira.geometry.mask import box_of_rle, decode_rle, rle_from_mask
from mira.render.masks import render_masks
from mira.render.style import RenderStyle
from mira.schema.qa import Mark

SIZE = {"width_px": 120, "height_px": 90}
BARE = RenderStyle(mask_labels="never")


def _region(rows, columns):
    mask = np.zeros((90, 120), bool)
    mask[rows, columns] = True
    return rle_from_mask(mask)


def _marks(masks):
    return [
        Mark(label=label, instance_id=k, role="slot", box_xyxy_px=box_of_rle(rle))
        for (k, rle), label in zip(masks.items(), "XYZ", strict=False)
    ]


APART = {1: _region(slice(40, 50), slice(10, 30)), 2: _region(slice(60, 75), slice(70, 90))}
TOUCHING = {1: _region(slice(20, 60), slice(20, 60)), 2: _region(slice(30, 40), slice(60, 80))}
NESTED = {1: _region(slice(20, 60), slice(20, 60)), 2: _region(slice(30, 40), slice(30, 40))}


def test_one_region_is_white_on_black_and_bears_no_label():
    picture = render_masks(APART, _marks(APART)[:1], **SIZE, style=RenderStyle())
    np.testing.assert_array_equal(picture, decode_rle(APART[1])[..., None] * np.uint8([255] * 3))


def test_regions_apart_are_shown_whole():
    picture = render_masks(APART, _marks(APART), **SIZE, style=BARE)
    union = decode_rle(APART[1]) | decode_rle(APART[2])
    np.testing.assert_array_equal(picture[..., 0] == 255, union)


@pytest.mark.parametrize("masks", [TOUCHING, NESTED])
def test_regions_that_touch_are_kept_apart_and_the_smaller_is_whole(masks):
    white = render_masks(masks, _marks(masks), **SIZE, style=BARE)[..., 0] == 255
    large, small = decode_rle(masks[1]), decode_rle(masks[2])
    assert white[small].all()
    assert not (white & ~(large | small)).any()
    gap = (large & ~small) & ~white
    assert 0 < gap.sum() < 0.2 * large.sum()
    assert white[35, 59 if masks is TOUCHING else 29] == 0


def test_gap_follows_the_outline_of_the_smaller_region():
    slanted = np.zeros((90, 120), bool)
    slanted[20:60, 20:60] = np.tri(40, dtype=bool)
    masks = {1: _region(slice(10, 80), slice(10, 80)), 2: rle_from_mask(slanted)}
    white = render_masks(masks, _marks(masks), **SIZE, style=BARE)[..., 0] == 255
    assert white[25, 55]
    assert not white[39, 41]


def test_several_regions_carry_labels_that_leave_them_visible():
    picture = render_masks(APART, _marks(APART), **SIZE, style=RenderStyle())
    color = RenderStyle().slot_colors[0]
    assert (picture == color).all(axis=-1).sum() > 100
    for rle in APART.values():
        assert (picture[decode_rle(rle)] == 255).all()


def test_instance_named_twice_has_no_gap_of_its_own():
    marks = [*_marks(APART)[:1], *_marks(APART)[:1]]
    white = render_masks(APART, marks, **SIZE, style=BARE)[..., 0] == 255
    np.testing.assert_array_equal(white, decode_rle(APART[1]))


def test_instance_without_mask_is_named():
    marks = [Mark(label="X", instance_id=9, role="slot", box_xyxy_px=(0, 0, 5, 5))]
    with pytest.raises(MiraError, match="room_1: expected a mask of instance 9"):
        render_masks(APART, marks, **SIZE, style=BARE, where="room_1")
