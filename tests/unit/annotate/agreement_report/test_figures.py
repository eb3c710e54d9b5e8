"""Figures count each shape once and hide no near miss."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.agreement.comparison import ShapePair
from annotate.agreement_report.figures import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    count_ticks,
    plot_histograms,
    plot_scatter,
)
from annotate.agreement_report.policy import ReportPolicy

POLICY = ReportPolicy()


@st.composite
def pairs(draw: st.DrawFn) -> ShapePair:
    matched = draw(st.booleans())
    return ShapePair(
        "image",
        draw(st.sampled_from(["surface", "instance"])),
        1,
        2 if matched else None,
        "direct",
        "direct" if matched else None,
        draw(st.floats(0, 1)) if matched else 0.0,
        draw(st.floats(0, 1e7)),
        None,
    )


@given(st.lists(pairs(), max_size=40))
def test_bars_of_a_histogram_count_every_shape_once(found: list[ShapePair]) -> None:
    figures = plot_histograms(found)
    assert {figure.role for figure in figures} == {pair.role for pair in found}
    for figure in figures:
        mine = [pair for pair in found if pair.role == figure.role]
        counts = {bar.is_alone: 0 for bar in figure.bars}
        for bar in figure.bars:
            counts[bar.is_alone] += int(bar.title.split(": ")[1])
            assert bar.x >= LEFT
            assert bar.x + bar.width <= WIDTH - RIGHT
            assert bar.y >= TOP
            assert bar.y + bar.height == pytest.approx(HEIGHT - BOTTOM, abs=0.11)
        assert sum(counts.values()) == figure.n == len(mine)
        assert counts.get(True, 0) == sum(not pair.is_matched for pair in mine)


@given(st.lists(pairs(), max_size=60), st.integers(1, 20))
def test_a_scatter_stays_in_its_frame_and_leaves_out_what_it_says(found, most) -> None:
    figure = plot_scatter(found, policy=ReportPolicy(points_per_plot=most))
    if figure is None:
        assert not found
        return
    near = sum(pair.iou < POLICY.agreement.near_miss_iou for pair in found)
    assert len(figure.dots) == min(len(found), most)
    assert figure.n_left_out == len(found) - len(figure.dots)
    assert sum(dot.is_near for dot in figure.dots) == min(near, most)
    for dot in figure.dots:
        assert LEFT <= dot.x <= WIDTH - RIGHT
        assert TOP <= dot.y <= HEIGHT - BOTTOM


@given(st.integers(0, 10**9))
def test_marks_of_a_count_are_few_round_and_reach_it(most: int) -> None:
    ticks = count_ticks(most)
    assert ticks[0] == 0
    assert ticks[-1] >= max(1, most)
    assert 2 <= len(ticks) <= 6
    assert len({after - before for before, after in pairwise(ticks)}) == 1
