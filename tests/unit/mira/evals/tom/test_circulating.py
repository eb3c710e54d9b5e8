"""A question in every rotation of its options."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from mira.evals.tom.circulating import circulate
from mira.schema.episode import TomItem
from mira.schema.qa import Option


def item(texts: list[str], right: int) -> TomItem:
    labels = "ABCDEFGHIJ"
    return TomItem(
        item_id="q",
        story="s",
        question="q?",
        options=tuple(Option(label=labels[k], value=text) for k, text in enumerate(texts)),
        answer=labels[right],
        order=1,
        kind="belief",
        joint_group="g",
        source="ours",
    )


@given(st.lists(st.text(min_size=1), min_size=2, max_size=10, unique=True), st.data())
def test_every_option_stands_once_in_every_place_and_the_right_one_stays_right(
    texts: list[str], data: st.DataObject
) -> None:
    right = data.draw(st.integers(0, len(texts) - 1))
    turned = list(circulate([item(texts, right)]))
    assert turned[0] == item(texts, right).model_copy(update={"rotation_of": "q"})
    assert len({one.item_id for one in turned}) == len(turned) == len(texts)
    for place in range(len(texts)):
        assert sorted(one.options[place].value for one in turned) == sorted(texts)
    for one in turned:
        assert [option.label for option in one.options] == list("ABCDEFGHIJ")[: len(texts)]
        said = next(option.value for option in one.options if option.label == one.answer)
        assert said == texts[right]
        assert (one.rotation_of, one.joint_group) == ("q", "g")


def test_words_that_are_their_own_labels_move_with_their_meaning(
    make_item: Callable[..., TomItem],
) -> None:
    both = tuple(Option(label=word, value=word) for word in ("yes", "no"))
    first, second = circulate([make_item("q").model_copy(update={"options": both, "answer": "no"})])
    assert [one.label for one in second.options] == ["no", "yes"]
    assert first.answer == second.answer == "no"


def test_a_question_without_options_is_asked_as_it_is(make_item: Callable[..., TomItem]) -> None:
    assert list(circulate([make_item()])) == [make_item()]
