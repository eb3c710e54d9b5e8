"""Answers that nobody could have right are seen, named and left out."""

from __future__ import annotations

from typing import Any

import pytest

from mira.evals.tom.drafts import REASONS, Draft, LeftOut, drawn_order, sort_drafts
from mira.schema.episode import TomItem


def draft(item_id: str = "one", **fields: Any) -> Draft:
    return Draft(
        **{
            "item_id": item_id,
            "where": f"file:{item_id}",
            "story": "Ida puts the rope away.",
            "question": "Where is it?",
            "options": ("red tub", "blue sack"),
            "right": "blue sack",
            "kind": "belief",
            **fields,
        }
    )


def sort(*drafts: Draft) -> list[TomItem | LeftOut]:
    return list(sort_drafts(drafts, source="ours", licence="MIT"))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"story": " "}, "empty-text"),
        ({"question": ""}, "empty-text"),
        ({"right": ""}, "no-answer"),
        ({"options": ("blue sack",)}, "too-few-options"),
        ({"options": tuple(map(str, range(27))), "right": "1"}, "too-many-options"),
        ({"right": "green box"}, "answer-not-offered"),
        ({"options": ("Blue sack.", "blue_sack")}, "right-equals-wrong"),
        ({"names": ("Ida", "Paul")}, "name-not-in-story"),
    ],
)
def test_a_bad_answer_is_left_out_with_its_reason(fields: dict[str, Any], reason: str) -> None:
    (found,) = sort(draft(**fields))
    assert isinstance(found, LeftOut)
    assert (found.reason, found.where) == (reason, "file:one")
    assert reason in REASONS


def test_what_is_asked_twice_with_other_answers_is_asked_never() -> None:
    turned = draft("two", options=("blue sack", "red tub"), right="red tub")
    assert [one.reason for one in sort(draft(), turned) if isinstance(one, LeftOut)] == [
        "contradictory",
        "contradictory",
    ]


def test_what_is_asked_twice_alike_is_asked_once() -> None:
    first, second = sort(draft(), draft("two", options=("blue sack", "red tub")))
    assert isinstance(first, TomItem)
    assert isinstance(second, LeftOut)
    assert second.reason == "repeated"


def test_one_id_for_two_questions_names_the_first() -> None:
    _, second = sort(draft(), draft(question="Where was it?"))
    assert isinstance(second, LeftOut)
    assert second.reason == "same-id"


def test_a_group_that_has_lost_a_question_counts_no_more() -> None:
    kept, _ = sort(draft(joint_group="g"), draft("two", right="", joint_group="g"))
    assert isinstance(kept, TomItem)
    assert kept.joint_group is None


def test_the_order_that_is_drawn_tells_nothing_of_which_is_right() -> None:
    places = []
    for number in range(400):
        drawn = drawn_order(("right", "wrong"), f"item-{number}")
        assert drawn == drawn_order(("wrong", "right"), f"item-{number}")
        places.append(drawn.index("right"))
    assert 150 < sum(places) < 250
