"""Each way to disagree is found, in the order of what matters, and shown in fair shares."""

from __future__ import annotations

from annotate.agreement_report.disputes import Dispute, choose_cards, disputes_of, words_of_link
from annotate.agreement_report.policy import ReportPolicy
from mira.store.drawn_shapes import drawn_shapes_of

POLICY = ReportPolicy()


def by_ids(disputes: tuple[Dispute, ...]) -> dict[tuple[int | None, int | None], Dispute]:
    return {(found.pair.first_id, found.pair.second_id): found for found in disputes}


def test_each_reason_is_found_where_it_is_and_nowhere_else(disputed) -> None:
    found = {ids: d.reasons for ids, d in by_ids(disputes_of(disputed, policy=POLICY)).items()}
    assert found == {
        (8, None): ("alone",),
        (None, 15): ("alone",),
        (4, 14): ("near-miss",),
        (2, 12): ("link",),
        (3, 13): ("open",),
        (20, 30): ("label",),
    }


def test_links_are_told_in_each_one_s_own_ids(disputed) -> None:
    found = by_ids(disputes_of(disputed, policy=POLICY))
    assert found[2, 12].links == ("shows 1", "out of frame")
    assert found[3, 13].links == ("left open", "shows 11")
    assert found[20, 30].links is None


def test_near_misses_come_first_the_largest_on_top_then_choices_then_loose_outlines(
    draw, compare, box
) -> None:
    anna = draw({1: box(0, 0, 10), 2: box(40, 0, 30), 3: box(100, 0, 20), 4: box(0, 60, 40)})
    ben = draw({3: box(103, 0, 20), 4: box(0, 60, 40)}, shows={4: None})
    found = disputes_of(compare([(anna, ben)]), policy=POLICY)
    assert [d.pair.first_id for d in found] == [2, 1, 4, 3]
    assert [d.reasons for d in found] == [("alone",), ("alone",), ("label",), ("loose",)]


def test_a_round_s_own_bound_says_what_is_loose(draw, compare, box) -> None:
    pair = draw({1: box(0, 0, 20)}), draw({1: box(1, 0, 20)})
    iou = compare([pair]).comparison.pairs[0].iou
    assert 0.85 < iou < 0.95
    assert not disputes_of(compare([pair]), policy=POLICY)
    (found,) = disputes_of(compare([pair], bound=0.95), policy=POLICY)
    assert found.reasons == ("loose",)


def test_the_same_drawing_twice_leaves_nothing_to_talk_about(draw, compare, box) -> None:
    drawn = draw({1: box(0, 0), 2: box(50, 0)}, shows={2: 1}, surfaces={9: (box(90, 0), "glass")})
    assert disputes_of(compare([(drawn, drawn)]), policy=POLICY) == ()


def test_words_of_a_link_name_what_is_known(draw, box) -> None:
    rings = {k: box(k * 10, 0, 8) for k in range(1, 6)}
    drawn = draw(rings, shows={2: 1, 3: "ambiguous", 4: "out_of_frame", 5: None})
    words = [words_of_link(drawn_shapes_of(drawn), k) for k in (2, 3, 4, 5, 1)]
    assert words == ["shows 1", "ambiguous", "out of frame", "left open", "left open"]


def test_rounds_take_turns_until_the_page_is_full_and_choices_have_their_share(
    draw, compare, box
) -> None:
    instances = {k: box(4 * k, 0, 3) for k in range(1, 31)}
    anna = draw({**instances, **{100 + k: box(12 * k, 60, 10) for k in range(10)}})
    ben = draw(
        {200 + k: box(12 * k, 60, 10) for k in range(10)}, shows={200 + k: None for k in range(10)}
    )
    many = disputes_of(compare([(anna, ben)]), policy=POLICY)
    few = disputes_of(compare([(draw({1: box(0, 0)}), draw())]), policy=POLICY)
    assert (len(many), len(few)) == (40, 1)
    policy = ReportPolicy(cards_per_round=6, cards_per_page=6)
    chosen = choose_cards([many, few, many], policy=policy)
    assert [len(mine) for mine in chosen] == [3, 1, 2]
    (alone,) = choose_cards([many], policy=policy)
    assert [d.reasons for d in alone] == [("alone",), ("alone",), ("label",)] * 2
    assert choose_cards([many], policy=ReportPolicy(cards_per_round=0)) == ((),)
    (every,) = choose_cards([many], policy=ReportPolicy(cards_per_round=99, cards_per_page=99))
    assert sorted(every) == sorted(many)
