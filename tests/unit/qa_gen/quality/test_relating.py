"""What items say of the objects of one picture must all be possible."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_gen.quality.reading import KnownPicture
from qa_gen.quality.relating import circles_of, swapped
from qa_gen.quality.surveying import SurveySources

_LEFT = ("left", "aligned", "same_depth")
_RIGHT = ("right", "aligned", "same_depth")


def test_two_orders_with_opposite_words_agree(make, survey, codes):
    items = [
        make("mr_003", ("left", "above", "front"), (1, 2)),
        make("mr_003", ("right", "below", "behind"), (2, 1)),
    ]
    report = survey(items)
    assert codes(report) == []
    assert (report.relations.pairs, report.relations.pairs_again) == (1, 1)


def test_two_orders_with_the_same_words_contradict_each_other(make, survey, codes):
    items = [make("mr_003", _LEFT, (1, 2)), make("mr_003", _LEFT, (2, 1))]
    report = survey(items)
    assert codes(report) == ["relation-contradiction"]
    assert report.relations.contradictions == 1
    (finding,) = (f for f in report.findings if f.severity == "warning")
    assert finding.where == items[1].item_id
    assert items[0].item_id in finding.message


def test_an_object_is_the_same_whichever_of_its_appearances_is_named(make, survey, codes):
    # 7 is a reflection of 2.
    items = [make("mr_001", _LEFT, (1, 2)), make("mr_003", _RIGHT, (1, 7))]
    assert codes(survey(items)) == []
    known = SurveySources(known=lambda item: KnownPicture({1: 1, 2: 2, 7: 2}))
    assert codes(survey(items, sources=known)) == ["relation-contradiction"]


def test_other_pictures_are_other_rooms(make, survey, codes):
    items = [make("mr_003", _LEFT, (1, 2)), make("mr_003", _LEFT, (2, 1), image="other")]
    assert codes(survey(items)) == []


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("turn", [0, 1])
def test_three_objects_that_are_each_before_the_next_are_told(make, survey, codes, axis, turn):
    words = ["aligned", "aligned", "same_depth"]
    words[axis] = (("left", "right"), ("above", "below"), ("front", "behind"))[axis][turn]
    items = [make("mr_003", words, pair) for pair in ((1, 2), (2, 3), (3, 1))]
    report = survey(items)
    assert codes(report) == ["relation-circle"]
    assert (report.relations.triples, report.relations.circles) == (3, 1)
    (finding,) = (f for f in report.findings if f.severity == "warning")
    assert all(item.item_id in finding.message for item in items)


def test_aligned_is_no_order(make, survey, codes):
    words = ("aligned", "aligned", "same_depth")
    items = [make("mr_003", w, p) for w, p in ((_LEFT, (1, 2)), (_LEFT, (2, 3)), (words, (3, 1)))]
    assert codes(survey(items)) == []


_WORDS = st.tuples(
    st.sampled_from(["left", "aligned", "right"]),
    st.sampled_from(["above", "aligned", "below"]),
    st.sampled_from(["front", "same_depth", "behind"]),
)


@given(words=_WORDS)
def test_swapping_twice_is_no_change(words):
    assert swapped(swapped(words)) == words


@given(seed=st.integers(0, 1000), count=st.integers(3, 7))
def test_places_in_a_room_never_make_a_circle(seed, count):
    places = [
        [random.Random(f"{seed}{k}{axis}").randint(0, 4) for axis in range(3)] for k in range(count)
    ]
    names = (
        ("left", "aligned", "right"),
        ("above", "aligned", "below"),
        ("front", "same_depth", "behind"),
    )
    said = {
        (a, b): tuple(
            words[1 + (x > y) - (x < y)]
            for words, x, y in zip(names, places[a], places[b], strict=True)
        )
        for a in range(count)
        for b in range(a + 1, count)
    }
    found = list(circles_of(said))
    assert len(found) == 3 * count * (count - 1) * (count - 2) // 6
    assert not any(is_circle for _, _, is_circle in found)
