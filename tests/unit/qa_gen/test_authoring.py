"""Questions that people may be asked."""

from __future__ import annotations

import pytest

from mira.errors import WorkspaceError
from mira.store.workspace import Workspace, annotation_digest
from mira.taxonomy.catalogue import taxonomy
from qa_gen.authoring import QuestionBook


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
