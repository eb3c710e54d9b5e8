from __future__ import annotations

from itertools import pairwise
from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from capture.importers.policy import ImportPolicy
from capture.importers.readers.frame_list import FrameEntry, associate

POLICY = ImportPolicy()
times = st.lists(st.integers(0, 400), max_size=12, unique=True).map(
    lambda values: [value / 100 for value in sorted(values)]
)


def entries(values):
    return [FrameEntry(number, value, f"{number}.png") for number, value in enumerate(values)]


def by_search(colors, depths):
    """Best pair of all first, over and over."""
    apart = [b.time_s - a.time_s for a, b in pairwise(colors)]
    limit = (median(apart) if apart else POLICY.assumed_frame_period_s) / 2
    left, right, found = list(colors), list(depths), {}
    while True:
        near = [
            (abs(c.time_s - d.time_s), c.number, d.number, c, d)
            for c in left
            for d in right
            if abs(c.time_s - d.time_s) < limit
        ]
        if not near:
            return found
        *_, color, depth = min(near)
        found[color.number] = depth
        left.remove(color)
        right.remove(depth)


@given(times, times)
def test_frames_become_pairs_as_if_the_best_pair_were_taken_over_and_over(colors, depths):
    assert associate(entries(colors), entries(depths), policy=POLICY) == by_search(
        entries(colors), entries(depths)
    )


@given(times, times)
def test_no_frame_is_in_two_pairs(colors, depths):
    found = associate(entries(colors), entries(depths), policy=POLICY)
    assert len({depth.number for depth in found.values()}) == len(found)
