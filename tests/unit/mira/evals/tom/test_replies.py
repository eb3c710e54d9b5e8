"""Replies as answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.tom.replies import hear, is_same, judge, read_reply
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction
from mira.schema.qa import Option


def outcome(item: TomItem, raw: str | None) -> Outcome:
    prediction = read_reply(item, raw)
    found = judge(item, hear(item, prediction))
    # Whoever reads a file of raw texts comes to the same.
    status = "failed" if raw is None else "parsed"
    alone = Prediction(question_id=item.item_id, raw_text=raw, status=status)
    assert judge(item, hear(item, alone)) is found
    return found


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"final_answer": "A", "confidence": 0.9}', Outcome.RIGHT),
        ("The answer is (A).", Outcome.RIGHT),
        ("red tub", Outcome.RIGHT),
        ("B. blue sack", Outcome.WRONG),
        ("It could be A, or B.", Outcome.UNPARSABLE),
        ("I'm sorry, I can't help with that.", Outcome.UNPARSABLE),
        (None, Outcome.UNSCORED),
    ],
)
def test_a_choice_is_read_as_all_choices_are(
    raw: str | None, expected: Outcome, make_item: Callable[..., TomItem]
) -> None:
    assert outcome(make_item(options="red tub|blue sack"), raw) is expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"final_answer": "In the red tub."}', Outcome.RIGHT),
        ('Here it is:\n```json\n{"final_answer": "red_tub"}\n```', Outcome.RIGHT),
        ("The red tub", Outcome.RIGHT),
        ("Let me think.\nAnswer: **red tub**", Outcome.RIGHT),
        ('{"final_answer": "blue sack"}', Outcome.WRONG),
        ("red tub or blue sack", Outcome.WRONG),
        ("It was in the tub.\nThen it was not.", Outcome.UNPARSABLE),
        ('{"final_answer": "red', Outcome.UNPARSABLE),
        ('{"final_answer": "red tub"} {"final_answer": "blue sack"}', Outcome.UNPARSABLE),
        ("I cannot tell.", Outcome.UNPARSABLE),
        (None, Outcome.UNSCORED),
    ],
)
def test_words_of_ones_own_are_held_against_the_right_ones(
    raw: str | None, expected: Outcome, make_item: Callable[..., TomItem]
) -> None:
    assert outcome(make_item(), raw) is expected


@pytest.mark.parametrize(
    ("said", "right", "same"),
    [
        ("Otto and Ida", "Ida, Otto", True),
        ("Ida, Otto and Paul", "Ida, Otto", False),
        ("Ida", "Ida, Otto", False),
        ("No one", "nobody", True),
        ("a red tub", "red_tub", True),
        ("tub", "red_tub", False),
        ("red", "red_tub", False),
        ("Otto left, and Ida saw it go", "Ida saw it go, and Otto left", False),
    ],
)
def test_a_list_is_right_when_it_names_the_same_and_nothing_else(
    said: str, right: str, same: bool
) -> None:
    assert is_same(said, right) is same


@given(st.text(min_size=1))
def test_what_is_right_is_always_the_same_as_itself(text: str) -> None:
    assert is_same(text, text)


@given(st.text())
def test_any_reply_is_read_to_some_end(text: str) -> None:
    plain = TomItem(
        item_id="q",
        story="s",
        question="q?",
        answer="x",
        order=None,
        kind="belief",
        source="ours",
    )
    both = tuple(Option(label=word, value=word) for word in ("yes", "no"))
    for item in (plain, plain.model_copy(update={"options": both, "answer": "no"})):
        assert outcome(item, text) is not Outcome.UNSCORED
