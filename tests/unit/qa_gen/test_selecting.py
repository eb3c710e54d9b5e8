from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.schema.qa import QAPolicy
from qa_gen.selecting import PAPER_SIZE, Candidate, choose_items, equal_parts


def _candidates(
    golds: dict[str, int], template_id: str = "ac_001", scenes: int = 7
) -> list[Candidate]:
    found = []
    for gold, count in golds.items():
        for k in range(count):
            name, scene_id = f"{gold}{k}", f"s{k % scenes}"
            item_ids = (f"{template_id}-{name}",)
            found.append(Candidate(name, item_ids, template_id, scene_id, gold, 5))
    return found


def _golds(chosen: frozenset[str]) -> Counter[str]:
    return Counter(name.split("-")[1].rstrip("0123456789") for name in chosen)


def test_everything_is_asked_by_default() -> None:
    assert len(choose_items(_candidates({"yes": 50, "no": 3}), QAPolicy())) == 53


def test_the_commonest_gold_is_cut_to_its_share() -> None:
    chosen = choose_items(_candidates({"yes": 50, "no": 10}), QAPolicy(max_gold_share=0.6))

    assert _golds(chosen) == {"yes": 15, "no": 10}


def test_a_gold_without_another_stays() -> None:
    assert len(choose_items(_candidates({"yes": 9}), QAPolicy(max_gold_share=0.5))) == 9


def test_a_size_is_filled_with_equal_parts_as_far_as_there_are_enough() -> None:
    policy = QAPolicy(target_size={"re": 100})

    chosen = choose_items(_candidates({"yes": 50, "no": 4}), policy)

    assert _golds(chosen) == {"yes": 16, "no": 4}


def test_scenes_take_turns() -> None:
    candidates = _candidates({"yes": 70})
    scene_of = {one.item_ids[0]: one.scene_id for one in candidates}

    chosen = choose_items(candidates, QAPolicy(target_size={"re": 5 * 14}))

    assert Counter(scene_of[name] for name in chosen) == {f"s{k}": 2 for k in range(7)}


def test_sub_tasks_without_a_size_are_left_out_and_templates_share_theirs() -> None:
    candidates = [
        *_candidates({"A": 40}, "mc_001"),
        *_candidates({"A": 40}, "mc_002"),
        *_candidates({"yes": 4}, "mc_003"),
        *_candidates({"yes": 40}, "ac_001"),
    ]

    chosen = choose_items(candidates, QAPolicy(target_size={"mc": 120}))

    assert Counter(name.split("-")[0] for name in chosen) == {
        "mc_001": 10,
        "mc_002": 10,
        "mc_003": 4,
    }


def test_more_candidates_leave_most_of_the_choice_alone() -> None:
    policy = QAPolicy(target_size={"re": 100})
    few, more = _candidates({"yes": 60}), _candidates({"yes": 66})

    before, after = choose_items(few, policy), choose_items(more, policy)

    assert len(before & after) >= 16


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 500), max_size=8),
    st.integers(0, 2000),
)
@settings(deadline=None)
def test_equal_parts_fill_the_total_and_nobody_gives_more_than_they_have(
    sizes: dict[str, int], total: int
) -> None:
    parts = equal_parts(sizes, total)

    assert sum(parts.values()) == min(total, sum(sizes.values()))
    assert all(0 <= parts[name] <= sizes[name] for name in sizes)
    spare = [parts[name] for name in sizes if parts[name] < sizes[name]]
    assert not spare or max(parts.values()) <= min(spare) + len(sizes)


def test_the_published_size_is_that_of_the_paper() -> None:
    assert sum(PAPER_SIZE.values()) == 14_140


@pytest.mark.parametrize("share", [0.5, 0.6, 0.8])
@given(golds=st.dictionaries(st.sampled_from("abc"), st.integers(1, 60), min_size=2))
@settings(deadline=None)
def test_no_gold_has_more_than_its_share_where_that_can_be(
    share: float, golds: dict[str, int]
) -> None:
    found = _golds(choose_items(_candidates(golds), QAPolicy(max_gold_share=share)))

    assert max(found.values()) <= max(share * sum(found.values()), 1) + 1e-9
