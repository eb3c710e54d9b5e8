"""Pixels chosen from masks of any shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.geometry.cropped_mask import evenly_chosen


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 900))
def test_pixels_are_of_the_mask_and_about_as_many_as_asked_for(height, width, about):
    mask = np.ones((height, width), dtype=bool)
    mask[: height // 3, : width // 2] = False
    rows, columns = evenly_chosen(mask, about)
    assert mask[rows, columns].all()
    assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == len(rows)
    assert min(about / 2, mask.sum()) <= len(rows) <= 4 * about + 4


@pytest.mark.parametrize("shape", [(5000, 1), (1, 5000), (2, 4000)])
def test_strips_are_not_missed(shape):
    rows, _ = evenly_chosen(np.ones(shape, dtype=bool), 600)
    assert len(rows) >= 300


def test_nothing_is_chosen_from_nothing():
    assert [len(part) for part in evenly_chosen(np.zeros((9, 9), dtype=bool), 5)] == [0, 0]
