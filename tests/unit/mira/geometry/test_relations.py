from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.geometry.relations import (
    RELATION_DIRECTIONS,
    Extents,
    aligned_limit_m,
    axis_relation,
    depth_relation,
    relation_of,
)
from mira.schema.spatial import RelationPolicy

POLICY = RelationPolicy()
_EDGE = st.floats(-6, 6, allow_nan=False, width=32)
_SIZE = st.floats(0, 3, allow_nan=False, width=32)


@st.composite
def _extents(draw: st.DrawFn) -> Extents:
    low = (draw(_EDGE), draw(_EDGE), draw(_EDGE))
    x, y, z = (edge + draw(_SIZE) for edge in low)
    return Extents(low, (x, y, z))


def _cube(x: float, y: float, z: float, edge: float = 0.1) -> Extents:
    half = edge / 2
    return Extents((x - half, y - half, z - half), (x + half, y + half, z + half))


def test_words_are_those_of_the_observer() -> None:
    thing = _cube(-0.5, -0.4, 1.0)
    reference = _cube(0.5, 0.4, 2.0)
    labels = relation_of(thing, reference, POLICY).labels
    assert (labels.horizontal, labels.vertical, labels.depth) == ("left", "above", "front")


def test_things_at_one_place_are_aligned_on_every_axis() -> None:
    labels = relation_of(_cube(0, 0, 1), _cube(0.01, -0.01, 1.02), POLICY).labels
    assert (labels.horizontal, labels.vertical, labels.depth) == (
        "aligned",
        "aligned",
        "same_depth",
    )


def test_a_small_thing_is_aligned_when_half_of_it_is_within_the_large_one() -> None:
    bed = (0.0, 2.0)
    assert axis_relation((1.94, 2.04), bed, POLICY).sign == 0
    assert axis_relation((1.96, 2.06), bed, POLICY).sign == 1


def test_thin_things_are_aligned_up_to_the_floor_of_the_rule() -> None:
    assert axis_relation((0.049, 0.049), (0, 0), POLICY).sign == 0
    assert axis_relation((0.051, 0.051), (0, 0), POLICY).sign == 1


def test_the_rule_of_the_centres_counts_where_no_overlap_is_asked_for() -> None:
    policy = RelationPolicy(aligned_overlap_share=1.0)
    assert aligned_limit_m((0, 1), (0, 1), policy) == pytest.approx(0.25)


@pytest.mark.parametrize(("near", "sign"), [(0.09, 0), (0.11, -1)])
def test_the_same_depth_is_a_tenth_of_a_metre_nearby(near: float, sign: int) -> None:
    assert depth_relation((1 - near, 1 - near), (1, 1), POLICY).sign == sign


@pytest.mark.parametrize(("nearer", "sign"), [(0.28, 0), (0.32, -1)])
def test_the_same_depth_grows_with_the_distance(nearer: float, sign: int) -> None:
    own, other = 6 - nearer / 2, 6 + nearer / 2
    assert depth_relation((own, own), (other, other), POLICY).sign == sign


def test_in_front_means_smaller_z_behind_the_camera_too() -> None:
    assert depth_relation((-3, -3), (-1, -1), POLICY).sign == -1


@given(_extents(), _extents())
def test_exchanging_the_two_turns_every_word_around(one: Extents, other: Extents) -> None:
    there, back = relation_of(one, other, POLICY), relation_of(other, one, POLICY)
    for axis, opposite in zip(there, back, strict=True):
        assert axis.sign == -opposite.sign
        assert axis.clearance_m == pytest.approx(opposite.clearance_m, abs=1e-9)
        assert axis.close_call == opposite.close_call


@given(_extents(), _extents())
def test_the_margin_is_the_way_to_another_word(one: Extents, other: Extents) -> None:
    relation = axis_relation(one.span(0), other.span(0), POLICY)
    towards = 1 if relation.offset_m >= 0 else -1
    for extra, changed in ((1e-6, True), (-1e-6, False)):
        shift = -towards * (relation.clearance_m + extra * (1 if relation.sign else -1))
        moved = axis_relation((one.low_m[0] + shift, one.high_m[0] + shift), other.span(0), POLICY)
        assert (moved.sign != relation.sign) == changed


@given(_extents(), _extents())
def test_a_thing_lies_in_one_of_two_opposite_directions_at_most(
    one: Extents, other: Extents
) -> None:
    relation = relation_of(one, other, POLICY)
    lies = {direction: relation.towards(direction)[1] for direction in RELATION_DIRECTIONS}
    for first, second in (("left", "right"), ("front", "behind"), ("above", "below")):
        assert not (lies[first] and lies[second])


def test_what_is_near_its_threshold_is_a_close_call() -> None:
    assert axis_relation((0.06, 0.06), (0, 0), POLICY).close_call
    assert not axis_relation((0.08, 0.08), (0, 0), POLICY).close_call
    assert not axis_relation((0.0, 0.0), (0, 0), POLICY).close_call
