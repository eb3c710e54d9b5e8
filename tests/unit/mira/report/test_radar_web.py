"""Where the axes of a radar are."""

from __future__ import annotations

from mira.report.radar_web import RadarWeb


def test_axes_turned_by_half_lie_evenly_about_the_top():
    web = RadarWeb(200.0, 100.0, 4, turned=0.5)
    right_top, right_bottom, left_bottom, left_top = web.spokes("abcd", labels_at=1.1)
    assert (right_top.x, right_top.y) == (170.7, 29.3)
    assert (left_top.x, left_top.y) == (29.3, 29.3)
    assert right_bottom.anchor == "start"
    assert left_bottom.anchor == "end"


def test_the_last_ring_is_that_of_whole_shares():
    web = RadarWeb(200.0, 100.0, 3)
    assert web.rings()[-1] == web.shape([1.0, 1.0, 1.0])
