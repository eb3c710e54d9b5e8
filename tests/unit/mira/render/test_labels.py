from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.render.glyphs import text_coverage
from mira.render.labels import TagLayout, draw_tag, tag_size
from mira.render.style import RenderStyle

CHARACTERS = string.ascii_uppercase + string.digits + "-?"


@st.composite
def boxes(draw, width_px=200, height_px=150):
    x1, y1 = draw(st.integers(0, width_px - 1)), draw(st.integers(0, height_px - 1))
    return x1, y1, draw(st.integers(x1 + 1, width_px)), draw(st.integers(y1 + 1, height_px))


def _overlap(first, second):
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return max(width, 0) * max(height, 0)


@pytest.mark.parametrize("height_px", [9, 15, 40])
def test_no_two_characters_look_alike(height_px):
    pictures = {text_coverage(char, height_px).tobytes() for char in CHARACTERS}
    assert len(pictures) == len(CHARACTERS)


@given(st.text(CHARACTERS, min_size=1, max_size=4), st.integers(7, 60))
def test_letters_reach_the_height_asked_for(text, height_px):
    coverage = text_coverage(text, height_px)
    assert coverage.shape[0] == height_px
    assert coverage.max() > 127


def test_small_letters_are_capitals_and_unknown_ones_question_marks():
    np.testing.assert_array_equal(text_coverage("x", 20), text_coverage("X", 20))
    np.testing.assert_array_equal(text_coverage("é", 20), text_coverage("?", 20))


@given(boxes(), st.integers(1, 60), st.integers(1, 40))
def test_tag_lies_inside_the_picture(anchor, width, height):
    x1, y1, x2, y2 = TagLayout(200, 150, [anchor]).place(anchor, (width, height))
    assert (x2 - x1, y2 - y1) == (width, height)
    assert 0 <= x1 < x2 <= 200
    assert 0 <= y1 < y2 <= 150


def test_tag_stands_on_the_box_where_there_is_room():
    assert TagLayout(200, 150, []).place((50, 50, 90, 90), (20, 16)) == (50, 34, 70, 50)


def test_tag_of_a_box_at_the_top_goes_below_it():
    anchor = (50, 0, 90, 30)
    assert TagLayout(200, 150, [anchor]).place(anchor, (20, 16)) == (50, 30, 70, 46)


def test_tag_of_a_box_as_large_as_the_picture_goes_inside():
    anchor = (0, 0, 200, 150)
    assert TagLayout(200, 150, [anchor]).place(anchor, (20, 16)) == (0, 0, 20, 16)


def test_tags_of_boxes_in_one_place_keep_apart():
    anchors = [(80, 60, 110, 90)] * 4
    layout = TagLayout(200, 150, anchors)
    tags = [layout.place(anchor, (24, 18)) for anchor in anchors]
    overlaps = [_overlap(a, b) for k, a in enumerate(tags) for b in tags[:k]]
    assert sum(overlaps) == 0


def test_tag_holds_its_own_color_and_letters_of_contrast():
    image_rgb = np.zeros((40, 60, 3), np.uint8)
    width, height = tag_size("X1", 14)
    tag = (5, 6, 5 + width, 6 + height)
    draw_tag(image_rgb, tag, "X1", color=(200, 0, 0), letter_px=14, style=RenderStyle())
    inside = image_rgb[6 : 6 + height, 5 : 5 + width]
    assert (inside[0] == (200, 0, 0)).all()
    assert (inside == 255).all(axis=-1).sum() > 20
    image_rgb[6 : 6 + height, 5 : 5 + width] = 0
    assert not image_rgb.any()


def test_tag_larger_than_the_picture_is_cut():
    image_rgb = np.zeros((8, 8, 3), np.uint8)
    width, height = tag_size("X", 14)
    draw_tag(
        image_rgb, (0, 0, width, height), "X", color=(9, 0, 0), letter_px=14, style=RenderStyle()
    )
    assert (image_rgb[0, 0] == (9, 0, 0)).all()
