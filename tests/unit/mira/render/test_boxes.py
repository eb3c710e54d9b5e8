from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.render.boxes import draw_boxes
from mira.render.style import RenderStyle
from mira.schema.qa import Mark

BARE = RenderStyle(box_labels="never")
REACH_PX = 4
"""Line and rim around a box on a small picture: 0.75 of 4 px and 1 px."""


def _mark(box, label="X", role="slot"):
    return Mark(label=label, instance_id=1, role=role, box_xyxy_px=box)


def _gray(width_px=120, height_px=90):
    return np.full((height_px, width_px, 3), 128, np.uint8)


@st.composite
def boxes(draw):
    x1, y1 = draw(st.integers(0, 119)), draw(st.integers(0, 89))
    return x1, y1, draw(st.integers(x1 + 1, 120)), draw(st.integers(y1 + 1, 90))


@given(boxes())
def test_nothing_changes_away_from_the_lines(box):
    drawn = draw_boxes(_gray(), [_mark(box)], style=BARE)
    x1, y1, x2, y2 = box
    near = np.zeros((90, 120), bool)
    near[max(y1 - REACH_PX, 0) : y2 + REACH_PX, max(x1 - REACH_PX, 0) : x2 + REACH_PX] = True
    assert (drawn[~near] == 128).all()
    rows = slice(y1 + REACH_PX, max(y2 - REACH_PX, 0))
    inner = drawn[rows, x1 + REACH_PX : max(x2 - REACH_PX, 0)]
    assert (inner == 128).all()
    assert (drawn != 128).any()


def test_box_away_from_the_edges_hides_nothing_of_what_it_marks():
    drawn = draw_boxes(_gray(), [_mark((40, 30, 44, 34))], style=BARE)
    assert (drawn[30:34, 40:44] == 128).all()
    color = list(BARE.slot_colors[0])
    for y, x in ((29, 42), (34, 42), (32, 39), (32, 44)):
        assert drawn[y, x].tolist() == color


def test_box_of_the_whole_picture_is_seen_on_all_four_sides():
    drawn = draw_boxes(_gray(), [_mark((0, 0, 120, 90))], style=BARE)
    color = list(BARE.slot_colors[0])
    for y, x in ((2, 60), (87, 60), (45, 2), (45, 117)):
        assert drawn[y, x].tolist() == color


@pytest.mark.parametrize("role", ["slot", "candidate"])
def test_line_takes_the_color_of_the_role(role):
    drawn = draw_boxes(_gray(), [_mark((40, 30, 60, 50), role=role)], style=BARE)
    color = {"slot": BARE.slot_colors[0], "candidate": BARE.candidate_colors[0]}[role]
    assert drawn[29, 50].tolist() == list(color)


@pytest.mark.parametrize(("size_px", "line_px"), [((1280, 720), 4), ((3840, 2160), 12)])
def test_line_grows_with_the_picture(size_px, line_px):
    style = RenderStyle(box_labels="never", halo_px=0)
    drawn = draw_boxes(_gray(*size_px), [_mark((300, 300, 500, 500))], style=style)
    assert (drawn[400, :400] != 128).any(axis=-1).sum() == line_px


def test_label_rule_decides_on_tags():
    one, two = [_mark((40, 40, 50, 50))], [_mark((40, 40, 50, 50)), _mark((80, 40, 90, 50), "Y")]
    for rule, tagged in (("never", (0, 0)), ("several", (0, 1)), ("always", (1, 1))):
        style = RenderStyle(box_labels=rule)
        for marks, expected in zip((one, two), tagged, strict=True):
            drawn = draw_boxes(_gray(), marks, style=style)
            bare = draw_boxes(_gray(), marks, style=BARE)
            assert (drawn != bare).any() == bool(expected)


def test_no_mark_draws_nothing_and_gives_a_copy():
    source = _gray()
    drawn = draw_boxes(source, [], style=RenderStyle())
    np.testing.assert_array_equal(drawn, source)
    assert not np.shares_memory(drawn, source)
