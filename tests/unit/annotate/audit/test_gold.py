"""Hidden images tell how well a person draws, and touch neither sample nor verdict."""

from __future__ import annotations

import pytest

from annotate.audit.status import people_of, statuses_of
from mira.errors import MiraError
from mira.schema.audit import AuditPolicy

GOLD = [f"pic_{k:03d}" for k in (1, 4, 7, 8)]
POLICY = AuditPolicy(batch_size=4, sample_fraction=0.5, honeypots=2)


@pytest.fixture
def with_gold(make_project, draw_gold):
    project = make_project(12)
    draw_gold(project, GOLD)
    project.plan(policy=POLICY, gold_annotator="gold")
    return project


def test_known_images_are_in_no_batch_and_in_no_sample(with_gold):
    for batch in with_gold.book.batches().values():
        assert not set(batch.batch.image_ids) & set(GOLD)
        assert len(batch.now.hidden) == 2
    with_gold.turn("b001")
    assert not set(with_gold.book.batch("b001").now.step.sample) & set(GOLD)


def test_each_person_is_compared_with_the_known_answers_on_their_own(with_gold):
    with_gold.turn("b001", noise_px=9)
    with_gold.turn("b001")
    scored = with_gold.score("b001")
    first, second = scored.gold
    assert (first.score.person, second.score.person) == ("anna", "ben")
    assert first.score.mean_iou < 0.8 < second.score.mean_iou
    assert {row.image_id for row in scored.report.rows}.isdisjoint(GOLD)
    ranked = {row.person: row.mean_iou for row in people_of(with_gold.book.batches())}
    assert ranked == {"anna": first.score.mean_iou, "ben": second.score.mean_iou}


def test_the_verdict_is_that_of_a_project_without_hidden_images(with_gold, make_project):
    with_gold.turn("b001")
    with_gold.turn("b001")
    scored = with_gold.score("b001")
    rows = scored.report.rows
    weight = sum(row.n_shapes for row in rows)
    mean = sum(row.mean_iou * row.n_shapes for row in rows) / weight
    assert scored.report.mean_iou == pytest.approx(mean)


def test_nobody_gets_a_known_image_again_while_there_are_others(with_gold):
    with_gold.turn("b001")
    of_ben = [
        part.hidden
        for batch in with_gold.book.batches().values()
        for part in batch.steps
        if part.person == "ben"
    ]
    assert len(of_ben) == 2
    assert set(of_ben[0]) | set(of_ben[1]) == set(GOLD)


def test_a_drawing_of_a_known_image_does_not_count_as_the_person_s_own(with_gold):
    with_gold.turn("b001")
    hidden = with_gold.book.batch("b001").steps[0].hidden
    for name in hidden:
        assert with_gold.book.workspace.annotators(name) == ("anna.b001", "gold")


@pytest.mark.parametrize(("honeypots", "gold"), [(0, "gold"), (1, None)])
def test_policy_and_gold_annotator_go_together(make_project, draw_gold, honeypots, gold):
    project = make_project(3)
    draw_gold(project, ["pic_000"])
    with pytest.raises(MiraError, match="--gold: expected a gold annotator exactly if"):
        project.plan(policy=AuditPolicy(honeypots=honeypots), gold_annotator=gold)


def test_without_known_answers_there_is_no_plan(make_project):
    with pytest.raises(MiraError, match="expected annotations with known answers, found none"):
        make_project(3).plan(policy=POLICY, gold_annotator="gold")


def test_status_counts_hidden_images_among_those_to_draw(with_gold):
    (first, _) = statuses_of(with_gold.book.batches())
    assert (first.n_images, first.n_needed, first.n_submitted) == (4, 6, 0)
    assert first.next_command == "package b001"
