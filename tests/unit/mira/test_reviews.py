"""When an item is settled: two who agree, or a third; and what changed since waits again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.reviews import as_made, authors, edit_fault, item_sha8, reviewed, standing
from mira.schema.qa import (
    ChoiceAnswer,
    CountAnswer,
    Derivation,
    ItemEdit,
    Mark,
    Option,
    QAItem,
    ReviewEvent,
    Wording,
)

ITEM = QAItem(
    item_id="mc_001-1",
    template_id="mc_001",
    image_id="i",
    scene_id="s",
    marks=(Mark(label="X", instance_id=1, role="slot", box_xyxy_px=(0, 0, 5, 5)),),
    options=(Option(label="A", value="2"), Option(label="B", value="3")),
    answer=ChoiceAnswer(value="A"),
    wordings=(Wording(protocol="bbox_text", question="Which?", option_texts=("two", "three")),),
    derivation=Derivation(
        rule="r", annotator="anna", annotation_sha256="0" * 64, parameters={"by": ["bela"]}
    ),
)
EDIT = ItemEdit(answer=ChoiceAnswer(value="B"))
START = datetime(2026, 1, 1, tzinfo=UTC)


def event(reviewer: str, verdict: str = "accepted", *, after: int = 0, **more: Any) -> ReviewEvent:
    content = {"item_id": ITEM.item_id, "reviewer": reviewer, "verdict": verdict}
    content |= {"at": START + timedelta(minutes=after), "item_sha8": item_sha8(ITEM)}
    return ReviewEvent.model_validate(content | more)


@pytest.mark.parametrize(
    ("events", "state", "review"),
    [
        ([], "waiting", "unreviewed"),
        ([event("c")], "waiting", "unreviewed"),
        ([event("c"), event("c", after=1)], "waiting", "unreviewed"),
        ([event("c"), event("d")], "settled", "accepted"),
        ([event("c", "rejected"), event("d", "rejected")], "settled", "rejected"),
        ([event("c"), event("d", "rejected")], "disputed", "unreviewed"),
        ([event("c"), event("d", edit=EDIT)], "disputed", "unreviewed"),
        ([event("c", edit=EDIT), event("d", edit=EDIT)], "settled", "accepted"),
        (
            [event("c"), event("d", "rejected"), event("e", role="adjudicator", after=2)],
            "settled",
            "accepted",
        ),
        ([event("c"), event("d", "rejected"), event("d", after=3)], "settled", "accepted"),
        # A ruling settles a dispute, where there is one, and is a third person's.
        ([event("e", role="adjudicator")], "waiting", "unreviewed"),
        ([event("c"), event("e", role="adjudicator")], "waiting", "unreviewed"),
        (
            [event("c"), event("d", "rejected"), event("d", role="adjudicator", after=2)],
            "disputed",
            "unreviewed",
        ),
        (
            [event("c"), event("d"), event("e", "rejected", role="adjudicator", after=2)],
            "settled",
            "accepted",
        ),
        ([event("c"), event("d", item_sha8="00000000")], "waiting", "unreviewed"),
        ([event("c"), event("d", item_sha8=None)], "settled", "accepted"),
        ([event("c"), event("d", item_id="other")], "waiting", "unreviewed"),
    ],
)
def test_two_who_say_the_same_settle_an_item(events, state, review):
    assert standing(ITEM, events).state == state
    assert reviewed(ITEM, events).review == review


def test_what_was_corrected_can_be_taken_back():
    corrected = reviewed(ITEM, [event("c", edit=EDIT), event("d", edit=EDIT)])
    assert corrected.answer == ChoiceAnswer(value="B")
    assert corrected.original == ItemEdit(answer=ChoiceAnswer(value="A"))
    assert as_made(corrected) == ITEM
    assert reviewed(corrected, [event("c", edit=EDIT), event("d", edit=EDIT)]) == corrected
    assert reviewed(corrected, [event("c"), event("d")]).answer == ChoiceAnswer(value="A")


def test_a_rejected_item_is_not_corrected():
    both = [event("c"), event("d", "rejected")]
    ruling = event("e", "rejected", role="adjudicator", edit=EDIT, after=2)
    assert reviewed(ITEM, [*both, ruling]).answer == ITEM.answer


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (EDIT, None),
        (ItemEdit(answer=ChoiceAnswer(value="C")), "expected an answer of A, B, found 'C'"),
        (ItemEdit(answer=CountAnswer(value=1)), "expected an answer of single_choice, found count"),
        (ItemEdit(options=()), "expected 2 options as before, found 0"),
        (ItemEdit(options=ITEM.options[:1] * 2), "expected each label once, found A, A"),
        (ItemEdit(options=ITEM.options[:1]), "expected 1 texts of options in bbox_text"),
    ],
)
def test_a_correction_leaves_one_right_answer_or_cannot_be(edit, fault):
    assert edit_fault(ITEM, event("c", edit=edit)) == fault
    assert edit_fault(ITEM, event("c")) is None
    told = edit_fault(ITEM, event("c", "rejected", edit=edit))
    assert told == "expected none of an item that is rejected, found one"


def test_the_digest_is_of_what_people_saw():
    assert item_sha8(ITEM) == item_sha8(ITEM.model_copy(update={"review": "accepted"}))
    assert item_sha8(ITEM) != item_sha8(ITEM.model_copy(update={"answer": EDIT.answer}))


def test_who_drew_and_who_answered_are_the_authors():
    assert authors(ITEM) == {"anna", "bela"}


@pytest.mark.parametrize("role", ["reviewer", "adjudicator"])
def test_what_its_authors_say_of_an_item_does_not_count(role):
    said = [event("cora"), event("dora", "rejected")] if role == "adjudicator" else [event("cora")]
    assert standing(ITEM, [*said, event("bela", role=role)]) == standing(ITEM, said)


@given(
    st.lists(
        st.builds(
            event,
            st.sampled_from("cdef"),
            st.sampled_from(["accepted", "rejected"]),
            after=st.integers(0, 9),
            role=st.sampled_from(["reviewer", "adjudicator"]),
        ),
        max_size=8,
    )
)
def test_an_item_is_settled_by_two_of_a_mind_or_by_a_ruling(events):
    found = standing(ITEM, events)
    newest = {(e.role, e.reviewer): e for e in events}
    reviews = {e.reviewer: e.verdict for e in newest.values() if e.role == "reviewer"}
    third = any(e.role == "adjudicator" and e.reviewer not in reviews for e in events)
    of_a_mind = len(set(reviews.values())) == 1
    assert (found.state == "settled") == (len(reviews) >= 2 and (of_a_mind or third))
    assert (found.decided is not None) == (found.state == "settled")
    assert as_made(reviewed(ITEM, events)) == ITEM
