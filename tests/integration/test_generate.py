"""Which annotation counts, and what happens to the questions there were."""

from __future__ import annotations

import pytest

from mira.errors import WorkspaceError
from mira.schema.qa import QAPolicy
from qa_gen.generate import generate_questions


def _generate(workspace, **options):
    return generate_questions(workspace, policy=QAPolicy(), **options)


def _content(workspace):
    return {path.name: path.read_bytes() for path in (workspace.root / "qa").iterdir()}


def test_an_annotator_nobody_knows_leaves_the_questions_as_they_were(make_workspace):
    workspace = make_workspace()
    before = _content(workspace)
    with pytest.raises(WorkspaceError, match="holds no annotation by 'nobody'"):
        _generate(workspace, annotator="nobody")
    assert _content(workspace) == before


def test_two_annotators_and_none_named_leave_the_questions_as_they_were(make_workspace):
    workspace = make_workspace()
    before = _content(workspace)
    annotation = workspace.annotation("pic_001", "ann")
    workspace.put_annotation(annotation.model_copy(update={"annotator": "bob"}))
    with pytest.raises(WorkspaceError, match="pic_001: is annotated by ann, bob"):
        _generate(workspace)
    assert _content(workspace) == before


def test_a_named_annotator_counts_where_there_are_several_and_the_only_one_elsewhere(
    make_workspace,
):
    workspace = make_workspace()
    annotation = workspace.annotation("pic_001", "ann")
    workspace.put_annotation(annotation.model_copy(update={"annotator": "bob"}))
    summary = _generate(workspace, annotator="bob")
    counted = {item.image_id: item.derivation.annotator for item in workspace.items()}
    assert counted == {"pic_000": "ann", "pic_001": "bob"}
    assert summary.pictures_left_out == {}


def test_an_annotation_that_was_given_up_makes_no_questions_and_is_counted(make_workspace):
    workspace = make_workspace()
    annotation = workspace.annotation("pic_000", "ann")
    workspace.put_annotation(annotation.model_copy(update={"status": "failed"}))
    summary = _generate(workspace)
    assert {item.image_id for item in workspace.items()} == {"pic_001"}
    assert summary.pictures_left_out == {"annotation-given-up": 1}


def test_an_annotation_of_another_size_is_named(make_workspace):
    workspace = make_workspace()
    annotation = workspace.annotation("pic_000", "ann")
    workspace.put_annotation(annotation.model_copy(update={"width_px": 161}))
    with pytest.raises(WorkspaceError, match="pic_000: expected an annotation of 160 x 120"):
        _generate(workspace)
