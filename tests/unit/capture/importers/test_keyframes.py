from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.importers.keyframes import FrameMark, choose_keyframes, mark_frame
from capture.importers.policy import ImportPolicy
from capture.picture_hash import hash_distance

ALONE = ImportPolicy(sharpest_within_frames=0)
marks = st.lists(
    st.none()
    | st.builds(
        FrameMark,
        fingerprint=st.integers(0, 2**64 - 1) | st.integers(0, 3),
        sharpness=st.floats(0, 1e4),
        region_share=st.sampled_from([0.0, 0.001, 0.2]),
    ),
    max_size=30,
)


@given(marks, st.integers(0, 6))
def test_chosen_frames_are_usable_different_and_in_order(frames, count):
    chosen = choose_keyframes(frames, count, policy=ImportPolicy())
    assert list(chosen) == sorted(set(chosen))
    assert len(chosen) <= count
    assert all(frames[k] is not None for k in chosen)
    assert choose_keyframes(frames, count, policy=ImportPolicy()) == chosen
    if count and any(frames):
        assert chosen
    shown = [mark for mark in frames if mark is not None and mark.region_share >= 0.005]
    if shown:
        assert all(frames[k].region_share >= 0.005 for k in chosen)


@given(marks, st.integers(1, 5))
def test_no_choice_of_as_many_frames_lies_twice_as_far_apart(frames, count):
    """Farthest-first is known to be within a factor of two of the best choice."""
    chosen = choose_keyframes(frames, count, policy=ALONE)
    fingerprints = {
        k: mark.fingerprint
        for k, mark in enumerate(frames)
        if mark is not None
        and (mark.region_share >= 0.005 or not any(m and m.region_share >= 0.005 for m in frames))
    }
    if len(chosen) < 2 or len(fingerprints) > 12:
        return

    def spread(group):
        return min(
            hash_distance(fingerprints[a], fingerprints[b]) for a, b in combinations(group, 2)
        )

    best = max(spread(group) for group in combinations(fingerprints, len(chosen)))
    assert 2 * spread(chosen) >= best


@given(marks, st.integers(1, 6))
def test_each_choice_is_the_sharpest_frame_near_it_that_looks_like_it(frames, count):
    first = choose_keyframes(frames, count, policy=ALONE)
    final = choose_keyframes(frames, count, policy=ImportPolicy())
    assert len(first) == len(final)
    for k in final:
        assert any(abs(k - other) <= 3 for other in first)
    assert sum(frames[k].sharpness for k in final) >= sum(frames[k].sharpness for k in first)


def test_what_is_in_the_mirror_decides():
    rng = np.random.default_rng(0)
    region = np.zeros((64, 64), dtype=bool)
    region[16:48, 16:48] = True
    room = rng.integers(0, 256, (64, 64, 3), dtype=np.uint8)
    moved = np.where(region[..., None], room, rng.integers(0, 256, room.shape, dtype=np.uint8))
    one, other = (mark_frame(picture, region) for picture in (room, moved))
    assert one.fingerprint == other.fingerprint
    assert one.region_share == pytest.approx(0.25)
    assert mark_frame(room, None).fingerprint != mark_frame(moved, None).fingerprint


def test_an_empty_mask_is_as_none():
    room = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    assert mark_frame(room, np.zeros((32, 32), dtype=bool)) == mark_frame(room, None)
