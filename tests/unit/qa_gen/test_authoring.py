"""Questions that people may be asked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter

from mira.errors import MiraError, WorkspaceError
from mira.schema.description import InstanceDescription
from mira.schema.proposal import ImageProposals, Proposal
from mira.schema.qa import (
    Answer,
    ChoiceAnswer,
    CountAnswer,
    Derivation,
    QAPolicy,
    YesNoAnswer,
)
from mira.store.descriptions import DescriptionShelf
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace, annotation_digest
from mira.taxonomy.catalogue import taxonomy
from qa_gen.authoring import QuestionBook
from qa_gen.generate import generate_questions
from qa_gen.verify import verify_questions

ANSWER: TypeAdapter[Any] = TypeAdapter(Answer)


@pytest.fixture
def book(workspace: Workspace) -> QuestionBook:
    return QuestionBook(workspace)


def test_all_templates_can_be_posed(book) -> None:
    found = {question.template_id for question in book.questions("picture")}
    assert found == {template.id for template in taxonomy().templates}


def test_a_question_says_whose_drawing_it_is_about(book, workspace) -> None:
    drawn = workspace.annotation("picture", "ann")
    for question in book.questions("picture"):
        assert (question.annotator, question.annotation_sha256) == (
            "ann",
            annotation_digest(drawn),
        )


def test_candidates_are_choices_and_marks(book) -> None:
    questions = [
        one for one in book.questions("picture") if one.template_id in ("mc_001", "mc_002")
    ]
    assert len(questions) == 4
    for one in questions:
        marks = [mark for mark in one.marks if mark.role == "candidate"]
        assert [mark.label for mark in marks] == list("ABC"[: len(marks)])
        assert one.choices == tuple(str(mark.instance_id) for mark in marks)
        assert one.proposal.answer.value in one.choices


def test_labels_propose_all_of_perception_and_nothing_else(book) -> None:
    for one in book.questions("picture"):
        assert (one.proposal is not None) == one.template_id.startswith(("vc", "mc"))


def test_a_picture_that_nobody_drew_on_has_no_questions(book) -> None:
    with pytest.raises(WorkspaceError, match="holds no annotated picture"):
        book.questions("elsewhere")


def test_another_drawing_makes_other_questions(book, workspace, draw) -> None:
    before = book.questions("picture")
    assert book.questions("picture") is before
    workspace.put_annotation(draw(direct=(1,)))
    after = book.questions("picture")
    assert {tuple(one.slots.values()) for one in after} == {(), (1,)}


def test_other_proposals_are_noticed(book, workspace) -> None:
    question = next(one for one in book.questions("picture") if one.template_id == "ac_001")
    proposal = Proposal(
        item_id=question.item_id,
        template_id="ac_001",
        image_id="picture",
        answer=YesNoAnswer(value="no"),
        reason="it hangs 3 m high",
        derivation=Derivation(
            rule="r", annotator="ann", annotation_sha256=question.annotation_sha256
        ),
    )
    ProposalShelf(workspace).put_proposals(
        ImageProposals(image_id="picture", annotator="ann", made_from="0", proposals=(proposal,))
    )
    found = {one.item_id: one.proposal for one in book.questions("picture")}
    assert found[question.item_id] == proposal


def test_a_preview_is_what_is_generated_of_the_answer(book, workspace) -> None:
    questions = {one.item_id: one for one in book.questions("picture")}
    generate_questions(workspace, policy=QAPolicy())
    items = list(workspace.items())
    assert len(items) == 20
    for item in items:
        answer = questions[item.item_id].proposal.answer
        shown = book.item("picture", item.item_id, answer)
        why = {"derivation": item.derivation, "source": item.source}
        assert shown.model_copy(update=why) == item


def test_a_preview_offers_the_answer_that_is_given(book) -> None:
    for question in book.questions("picture"):
        for value in question.choices:
            kind = taxonomy().template(question.template_id).format
            answer = ANSWER.validate_python({"format": kind, "value": value})
            item = book.item("picture", question.item_id, answer)
            right = [one for one in item.options if one.label == item.answer.value]
            assert [one.value for one in right] == [value]
            many = {len(wording.option_texts) for wording in item.wordings}
            assert many == {len(item.options)}


@pytest.mark.parametrize(
    ("template_id", "answer", "fault"),
    [
        ("mc_001", ChoiceAnswer(value="12"), "expected .* or .*, found '12'"),
        ("ac_002", ChoiceAnswer(value="fly"), "expected move_left or"),
        ("ac_001", CountAnswer(value=1), "expected an answer of yes_no, found count"),
    ],
)
def test_what_is_no_answer_has_no_preview(book, template_id, answer, fault) -> None:
    question = next(one for one in book.questions("picture") if one.template_id == template_id)
    with pytest.raises(MiraError, match=fault):
        book.item("picture", question.item_id, answer)
    with pytest.raises(WorkspaceError, match="expected a question of it"):
        book.item("picture", "ac_001-made-up", answer)


def test_descriptions_of_people_change_words_alone(book, workspace) -> None:
    def described(questions):
        return {
            one.item_id: [w.question for w in one.wordings if w.protocol == "visual_bbox_desc"]
            for one in questions
        }

    before = book.questions("picture")
    _describe(workspace, 1, "a dented kettle")
    after = book.questions("picture")
    plain = {"wordings": ()}
    assert [one.model_copy(update=plain) for one in before] == [
        one.model_copy(update=plain) for one in after
    ]
    old, new = described(before), described(after)
    changed = {item_id for item_id in old if old[item_id] != new[item_id]}
    for one in after:
        is_told = "a dented kettle" in " ".join(new[one.item_id])
        assert is_told == (one.item_id in changed)
    assert {one.template_id for one in after if one.item_id in changed} >= {"vc_001", "ct_001"}
    # Not in the workspace yet: goes before what is, and an empty one takes it back.
    assert "a blue jug" in str(book.questions("picture", described={1: "a blue jug"}))
    assert book.questions("picture", described={1: ""}) == before
    assert book.questions("picture") == after


def test_questions_are_generated_and_verified_with_descriptions(workspace) -> None:
    generate_questions(workspace, policy=QAPolicy())
    before = list(workspace.items())
    _describe(workspace, 1, "a dented kettle")
    found = verify_questions(workspace).findings
    assert {one.code for one in found} == {"wording-changed"}
    generate_questions(workspace, policy=QAPolicy())
    assert verify_questions(workspace).findings == ()
    after = list(workspace.items())
    assert "a dented kettle" in str(after)
    plain = {"wordings": ()}
    assert [one.model_copy(update=plain) for one in before] == [
        one.model_copy(update=plain) for one in after
    ]


@pytest.mark.parametrize(
    "words", ["{{ 7 * 7 }}", "{% raw %}", "<img src=x onerror=alert(1)>", "${7*7} `x`", "</script>"]
)
def test_a_hostile_description_stays_text(book, words) -> None:
    question = next(one for one in book.questions("picture") if one.template_id == "vc_001")
    key = question.slots["X"]
    item = book.item("picture", question.item_id, YesNoAnswer(value="yes"), described={key: words})
    told = [one.question for one in item.wordings if one.protocol.endswith("desc")]
    assert len(told) == 2
    assert all(f"({words})" in text for text in told)


def _describe(workspace: Workspace, instance_id: int, text: str) -> None:
    said = InstanceDescription(
        image_id="picture",
        instance_id=instance_id,
        text=text,
        by="anna",
        at=datetime(2026, 5, 1, tzinfo=UTC),
    )
    DescriptionShelf(workspace).add("anna", [said])


def test_somebody_elses_drawing_changes_nothing_where_one_is_named(workspace, draw) -> None:
    book = QuestionBook(workspace, annotator="ann")
    before = book.questions("picture")
    workspace.put_annotation(draw(direct=(1,)).model_copy(update={"annotator": "bela"}))
    assert book.questions("picture") is before
