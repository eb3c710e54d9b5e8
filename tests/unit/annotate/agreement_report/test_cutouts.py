"""A cut-out shows what it is about, lies in the picture and keeps its proportions."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.agreement_report.cutouts import Cutout, cut_around, cut_uri
from annotate.agreement_report.policy import ReportPolicy

POLICY = ReportPolicy()
SIDES = st.integers(1, 3000)
SHARES = st.floats(0, 1)


@given(SIDES, SIDES, st.tuples(SHARES, SHARES), st.tuples(SHARES, SHARES))
def test_a_cut_out_lies_in_the_picture_and_holds_the_box(width, height, xs, ys) -> None:
    left, right = (share * width for share in sorted(xs))
    top, bottom = (share * height for share in sorted(ys))
    found = cut_around((left, top, right, bottom), size_px=(width, height), policy=POLICY)
    assert 0 <= found.left <= left + 1
    assert 0 <= found.top <= top + 1
    assert right - 1 <= found.left + found.width <= width
    assert bottom - 1 <= found.top + found.height <= height
    shown = found.shown_px
    assert 1 <= shown[0] <= POLICY.picture_width_px
    assert 1 <= shown[1] <= POLICY.picture_height_px


def test_where_there_is_room_it_has_the_page_s_proportions_and_context() -> None:
    found = cut_around((900, 500, 1000, 600), size_px=(1920, 1080), policy=POLICY)
    assert found.width == round(found.height * 480 / 360)
    assert found.height == 170
    assert (found.left + found.width / 2, found.top + found.height / 2) == pytest.approx(
        (950, 550), abs=0.5
    )


def test_a_box_beyond_the_picture_moves_to_its_edge() -> None:
    found = cut_around((-50, -50, -10, -10), size_px=(640, 480), policy=POLICY)
    assert (found.left, found.top) == (0, 0)


def decode(uri: str) -> np.ndarray:
    data = base64.b64decode(uri.removeprefix("data:image/jpeg;base64,"))
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]


def test_a_small_part_keeps_its_pixels_and_a_large_one_is_made_smaller() -> None:
    picture = np.zeros((600, 800, 3), np.uint8)
    picture[100:200, 300:400] = (250, 10, 10)
    small = decode(cut_uri(picture, Cutout(300, 100, 100, 100, 3.6), quality=95))
    assert small.shape == (100, 100, 3)
    assert np.abs(small.astype(int) - (250, 10, 10)).max() < 8
    assert decode(cut_uri(picture, Cutout(0, 0, 800, 600, 0.6), quality=95)).shape == (360, 480, 3)
