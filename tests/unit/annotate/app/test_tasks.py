"""What the page sends of corrections, and what it is told of a question."""

from __future__ import annotations

import pytest

from annotate.app.reasons import reasons
from annotate.app.tasks import EditWanted, answer_words, edit_of
from mira.errors import DeskError
from mira.schema.qa import (
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    Derivation,
    Option,
    QAItem,
    Wording,
    YesNoAnswer,
)

AXES = AxesAnswer(horizontal="left", vertical="aligned", depth="same_depth")


def _item(answer, **derived):
    return QAItem(
        item_id="q",
        template_id="mc_001",
        image_id="i",
        scene_id="s",
        marks=(),
        options=(Option(label="A", value="2"), Option(label="B", value="3")),
        answer=answer,
        wordings=(
            Wording(protocol="bbox_text", question="Which?", option_texts=("2", "3")),
            Wording(protocol="visual_bbox", question="Which, in red?"),
        ),
        derivation=Derivation(rule="r", annotator="a", annotation_sha256="0" * 64, **derived),
        margin=0.25,
    )


@pytest.mark.parametrize(
    ("answer", "wanted", "corrected"),
    [
        (ChoiceAnswer(value="A"), {"value": "B"}, ChoiceAnswer(value="B")),
        (YesNoAnswer(value="yes"), {"value": "no"}, YesNoAnswer(value="no")),
        (CountAnswer(value=1), {"value": 2}, CountAnswer(value=2)),
        (
            ChoiceTextAnswer(value="A"),
            {"value": "A", "text": "a stripe"},
            ChoiceTextAnswer(value="A", text="a stripe"),
        ),
        (
            AXES,
            {"horizontal": "right", "vertical": "aligned", "depth": "behind"},
            AxesAnswer(horizontal="right", vertical="aligned", depth="behind"),
        ),
    ],
)
def test_an_answer_is_corrected_in_its_own_format(answer, wanted, corrected):
    edit = edit_of(_item(answer), EditWanted(answer=wanted))
    assert (edit.answer, edit.wordings) == (corrected, None)


def test_what_says_the_same_is_no_correction():
    wanted = EditWanted(answer={"value": "A"}, wordings={"bbox_text": " Which? "})
    assert edit_of(_item(ChoiceAnswer(value="A")), wanted) is None


def test_one_sentence_is_corrected_and_the_others_stay():
    edit = edit_of(_item(ChoiceAnswer(value="A")), EditWanted(wordings={"bbox_text": "What?"}))
    assert [one.question for one in edit.wordings] == ["What?", "Which, in red?"]
    assert edit.wordings[0].option_texts == ("2", "3")


@pytest.mark.parametrize(
    "wanted",
    [
        {"answer": {"value": "yes", "format": "yes_no", "more": 1}},
        {"answer": {"value": ["A"]}},
        {"answer": {}},
        {"wordings": {"bbox_text": " "}},
        {"wordings": {"visual_mask": "What?"}},
    ],
)
def test_what_is_no_correction_of_the_question_is_refused(wanted):
    with pytest.raises(DeskError) as caught:
        edit_of(_item(ChoiceAnswer(value="A")), EditWanted(**wanted))
    assert caught.value.code == "bad-edit"


def test_answers_and_reasons_are_told_in_words():
    assert answer_words(AXES) == "left, aligned, same depth"
    assert answer_words(CountAnswer(value=3)) == "3"
    assert answer_words(ChoiceTextAnswer(value="B", text="a stripe")) == "B: a stripe"
    parameters = {"reason": "far off", "margin_unit": "m", "as_proposed": False}
    item = _item(ChoiceAnswer(value="A"), links=((4, 2),), parameters=parameters)
    told = {one["name"]: one["text"] for one in reasons(item)}
    assert told["Reason"] == "far off"
    assert told["Links"] == "4 shows 2"
    assert told["Margin"] == "0.25 m from the nearest threshold"
    assert told["Geometry"] == "proposed something else"
