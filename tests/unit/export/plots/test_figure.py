"""Bars and strips are as long as their counts, and stay in the drawing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.facts import Facts, SplitCount
from export.plots.choosing import instances_figure, pictures_figure, questions_figure
from export.plots.figure import WIDTH, Part, Row, Strip, draw

NO_FACTS = Facts((), (SplitCount("test", 1, 1, 1),), {}, {}, {}, 0, 0, 0, 0, {})


def test_bars_are_as_long_as_their_counts():
    rows = [
        Row("a", (Part("x", 30, "red"), Part("y", 10, "blue"))),
        Row("b", (Part("x", 20, "red"),)),
    ]
    figure = draw("t", "s", rows=rows)
    first, second, third = figure.boxes
    assert first.width / second.width == pytest.approx(3, abs=0.01)
    assert first.x + first.width == pytest.approx(second.x, abs=0.02)
    assert third.width == pytest.approx((first.width + second.width) / 2, abs=0.02)
    assert [text.words for text in figure.texts[2:]] == [
        *("a", "40", "66.7 %"),
        *("b", "20", "33.3 %"),
    ]


def test_the_parts_of_a_strip_fill_it():
    strip = Strip("kind", tuple(Part(f"kind {k}", k + 1, "red") for k in range(12)))
    figure = draw("t", "s", strips=[strip])
    bars = [box for box in figure.boxes if box.height > 20]
    assert len(bars) == 12
    assert all(a.x + a.width == pytest.approx(b.x, abs=0.02) for a, b in pairwise(bars))
    assert bars[-1].x + bars[-1].width == pytest.approx(WIDTH - bars[0].x, abs=0.02)


names = st.text(max_size=60)
parts = st.lists(st.builds(Part, names, st.integers(1, 10**7), st.just("red")), min_size=1).map(
    tuple
)


@given(
    st.lists(st.builds(Row, names, parts, names), max_size=30),
    st.lists(st.builds(Strip, names, parts)),
)
def test_nothing_is_drawn_outside(rows, strips):
    figure = draw("t", "s", rows=rows, strips=strips)
    for box in figure.boxes:
        assert 0 <= box.x <= box.x + box.width <= WIDTH
        assert 0 <= box.y <= box.y + box.height <= figure.height
    assert all(0 <= text.y <= figure.height for text in figure.texts)


def test_templates_stand_by_sub_task_in_the_order_of_the_taxonomy():
    figure = questions_figure({"questions by template": {"mc_001": 5, "ct_001": 2, "vc_001": 10}})
    words = [text.words for text in figure.texts]
    assert [w for w in words if "_" in w] == ["vc_001", "mc_001", "ct_001"]
    assert "Mirror correspondence" in words
    assert "Scene-level decision-making" not in words
    assert len({box.color for box in figure.boxes}) == 2


def test_rare_places_are_put_together():
    places = {f"place {k}": {"indoor": 100 - k} for k in range(20)}
    figure = pictures_figure(NO_FACTS._replace(places=places, depths={"none": 1}))
    words = [text.words for text in figure.texts]
    assert "place 13" in words
    assert "place 14" not in words
    assert words[words.index("6 others") + 1] == f"{sum(100 - k for k in range(14, 20)):,}"


def test_without_counts_there_is_no_plot():
    assert questions_figure({}) is None
    assert pictures_figure(NO_FACTS) is None
    assert instances_figure({}) is None
