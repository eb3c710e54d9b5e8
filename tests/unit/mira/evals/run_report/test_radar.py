"""Shapes of runs on axes."""

from __future__ import annotations

import pytest

from mira.evals.run_report.radar import REACH, SIZE, radar_of

AXES = [("vc", "Visibility"), ("mc", "Correspondence"), ("mr", "Places"), ("ct", "Counting")]


def test_a_value_lies_that_share_of_the_way_to_the_rim():
    found = radar_of(AXES, {"m": {"vc": 1.0, "mc": 0.5, "mr": 0.0, "ct": 0.25}})
    points = [tuple(map(float, one.split(","))) for one in found.shapes[0].points.split()]
    middle = SIZE / 2
    assert points == [
        (middle, middle - REACH),
        (middle + REACH / 2, middle),
        (middle, middle),
        (middle - REACH / 4, middle),
    ]
    assert [one.anchor for one in found.spokes] == ["middle", "start", "middle", "end"]


@pytest.mark.parametrize("runs", [{}, {"m": {"vc": 1.0, "mc": 0.5, "mr": None}}])
def test_fewer_than_three_axes_are_no_radar(runs):
    assert radar_of(AXES, runs) is None
