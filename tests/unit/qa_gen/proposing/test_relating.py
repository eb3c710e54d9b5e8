from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mira.geometry.relations import Extents, relation_of
from qa_gen.proposing.placing import Placed
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.proposing.relating import relate

POLICY = ProposalPolicy()
NONE = (0.0, 0.0, 0.0)
Triple = tuple[float, float, float]


def _at(middle: Triple, *, doubt: Triple = NONE, span_doubt: Triple = NONE) -> Placed:
    x, y, z = middle
    return Placed(
        Extents((x - 0.1, y - 0.1, z - 0.1), (x + 0.1, y + 0.1, z + 0.1)), doubt, span_doubt
    )


places = st.tuples(st.floats(-2, 2), st.floats(-1, 1), st.floats(-3, 6))
doubts = st.tuples(*3 * [st.floats(0, 0.5)])
placed = st.builds(lambda p, d, s: _at(p, doubt=d, span_doubt=s), places, doubts, doubts)


@given(placed, placed)
def test_doubts_change_no_word_and_make_nothing_surer(thing, reference) -> None:
    plain = relation_of(thing.extents_m, reference.extents_m, POLICY.spatial.relation)
    doubted = relate(thing, reference, POLICY)
    assert doubted.labels == plain.labels
    for axis, other in zip(plain, doubted, strict=True):
        assert other._replace(close_call=axis.close_call) == axis
        assert other.close_call >= axis.close_call


@given(placed, placed)
def test_the_other_way_round_words_are_opposite_and_as_sure(thing, reference) -> None:
    there, back = relate(thing, reference, POLICY), relate(reference, thing, POLICY)
    assert [axis.sign for axis in there] == [-axis.sign for axis in back]
    assert [axis.close_call for axis in there] == [axis.close_call for axis in back]


def test_without_doubt_the_thresholds_of_the_truth_alone_decide() -> None:
    one, other = _at((0.5, 0.0, 2.0)), _at((0.0, 0.0, 2.0))
    plain = relation_of(one.extents_m, other.extents_m, POLICY.spatial.relation)
    assert relate(one, other, POLICY) == plain


def test_a_threshold_within_so_many_standard_deviations_is_a_close_call() -> None:
    reference = _at((0.0, 0.0, 2.0))
    sure = relate(_at((0.6, 0.0, 3.0)), reference, POLICY).horizontal.clearance_m
    limit = sure / POLICY.sure_sigmas
    for doubt, close in ((limit * 0.99, False), (limit * 1.01, True)):
        moved = _at((0.6, 0.0, 3.0), doubt=(doubt, 0.0, 0.0))
        assert relate(moved, reference, POLICY).horizontal.close_call == close


def test_doubts_of_both_places_add_up_squared() -> None:
    clearance = relate(_at((0.6, 0, 2)), _at((0, 0, 2)), POLICY).horizontal.clearance_m
    half = clearance / POLICY.sure_sigmas / 2**0.5
    for doubt, close in ((half * 0.99, False), (half * 1.01, True)):
        one, other = (_at((x, 0, 2), doubt=(doubt, 0, 0)) for x in (0.6, 0.0))
        assert relate(one, other, POLICY).horizontal.close_call == close


def test_how_deep_a_thing_is_decides_nothing_of_depth() -> None:
    thing = _at((0, 0, 3), span_doubt=(0.0, 0.0, 9.0))
    assert not relate(thing, _at((0, 0, 2)), POLICY).depth.close_call
    wide = _at((0.6, 0, 2), span_doubt=(9.0, 0.0, 0.0))
    assert relate(wide, _at((0, 0, 2)), POLICY).horizontal.close_call
