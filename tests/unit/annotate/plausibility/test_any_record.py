from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.codes import CODES
from annotate.plausibility.checking import check_plausibility
from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.annotation import Instance, Surface

POINT = st.tuples(*[st.sampled_from((0.0, 5.0, 17.5, 40.0, 99.9, 100.0, -3.0, -1e6, 1e6))] * 2)
RING = st.lists(POINT, min_size=3, max_size=7).map(tuple)
RINGS = st.lists(RING, min_size=1, max_size=3).map(tuple)
HOLES = st.lists(RING, max_size=2).map(tuple)
TYPES = st.sampled_from((None, "planar_mirror", "glass", "convex_mirror", "water", "screen"))


@st.composite
def records(draw):
    drawn = [
        Surface(
            surface_id=900 + k,
            surface_type=draw(TYPES),
            polygons_px=draw(RINGS),
            holes_px=draw(HOLES),
        )
        for k in range(draw(st.integers(0, 2)))
    ]
    surfaces = [one.surface_id for one in drawn]
    reals = list(range(1, 1 + draw(st.integers(0, 4))))
    images = list(range(101, 101 + draw(st.integers(0, 5))))
    links = {}
    for number in (*reals, *images):
        seen_in = draw(st.lists(st.sampled_from(surfaces), max_size=2)) if surfaces else []
        is_real = number in reals
        drawn.append(
            Instance(
                instance_id=number,
                visibility="direct" if is_real else "reflected",
                seen_in=() if is_real else tuple(seen_in),
                polygons_px=draw(RINGS),
                holes_px=draw(HOLES),
                category=draw(st.sampled_from((None, "cup", "bottle"))),
            )
        )
        before = [*reals, *images[: images.index(number)]] if not is_real else []
        if before:
            links[number] = draw(st.sampled_from((None, *before)))
    return drawn, links


@pytest.fixture
def build(picture):
    def of(record):
        drawn, links = record
        return picture(*drawn, links=links, size_px=(100, 100))

    return of


@settings(
    deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(record=records())
def test_any_record_is_checked_and_the_same_way_twice(build, record):
    annotation = build(record)
    found = check_plausibility(annotation, policy=PlausibilityPolicy())
    assert found == check_plausibility(annotation, policy=PlausibilityPolicy())
    ids = {one.surface_id for one in annotation.surfaces}
    ids |= {one.instance_id for one in annotation.instances}
    for doubt in found:
        assert doubt.code in CODES
        assert doubt.owner_id in ids
        assert "nan" not in doubt.message


def test_an_empty_picture_has_no_doubts(picture):
    assert check_plausibility(picture(), policy=PlausibilityPolicy()) == ()


def test_two_rings_are_one_thing(doubts, surface, reflected):
    parts = (
        ((110.0, 110.0), (190.0, 110.0), (190.0, 190.0)),
        (
            (600.0, 110.0),
            (610.0, 110.0),
            (610.0, 120.0),
        ),
    )
    whole = reflected(1, (0, 0, 1, 1), 9).model_copy(update={"polygons_px": parts})
    assert doubts(surface(9, (100, 100, 200, 200)), whole) == []


def test_a_bow_tie_counts_even_odd(doubts, surface, reflected):
    tie = ((110.0, 110.0), (190.0, 190.0), (190.0, 110.0), (110.0, 190.0))
    crossed = reflected(1, (0, 0, 1, 1), 9).model_copy(update={"polygons_px": (tie,)})
    assert doubts(surface(9, (100, 100, 200, 200)), crossed) == []
    (doubt,) = doubts(surface(9, (100, 100, 120, 200)), crossed)
    assert doubt.code == "reflection-outside-surface"
