"""A batch goes from its plan to acceptance, by every way that there is."""

from __future__ import annotations

import re

import pytest

from mira.errors import MiraError


def test_a_batch_whose_sample_agrees_is_accepted(project):
    assert project.turn("b001").state == "auditing"
    assert project.turn("b001").n_left == 0
    assert project.score("b001").report.verdict == "passed"
    assert project.decide("b001") == "accepted"
    assert set(project.book.counting_annotators().values()) == {"anna"}


def test_a_batch_that_fails_is_drawn_from_scratch_by_a_third_and_audited_anew(project):
    project.fail_first_round()
    progress = project.book.batch("b001")
    assert progress.now.step.people == ("chris",)
    assert project.turn("b001").state == "reauditing"
    first, second = (s.sample for s in project.book.batch("b001").batch.steps if s.sample)
    assert not set(first) & set(second)
    project.turn("b001")
    scored = project.score("b001")
    assert (scored.report.round, scored.report.annotator, scored.report.auditor) == (
        2,
        "chris",
        "dora",
    )
    assert project.decide("b001") == "accepted"
    assert set(project.book.counting_annotators().values()) == {"chris"}


def test_a_second_failure_is_decided_together_and_there_is_no_third_round(project):
    project.fail_first_round()
    project.turn("b001", noise_px=9)
    project.turn("b001")
    project.score("b001")
    assert project.decide("b001", people=("anna", "dora")) == "adjudicating"
    assert project.book.batch("b001").now.step.people == ("anna", "dora")
    assert project.decide("b001", people=("anna", "dora")) == "adjudicating"
    package = project.draw(project.package("b001"), seed=99)
    assert project.submit("b001", package, "dora").n_taken == 5
    assert project.decide("b001", adjudicated=True) == "accepted"
    assert project.book.workspace.annotation("pic_000", "chris").revision == 2


def test_the_decision_waits_for_the_comparison_and_the_comparison_for_the_sample(project):
    for state in ("annotating", "auditing"):
        with pytest.raises(
            MiraError, match=f"expected a sample that was compared, found it {state}"
        ):
            project.decide("b001")
        if state == "annotating":
            with pytest.raises(
                MiraError, match="expected a sample to compare, found it annotating"
            ):
                project.score("b001")
            project.turn("b001")
    with pytest.raises(MiraError, match="expected all 2 images of ben, found 2 missing"):
        project.score("b001")
    with pytest.raises(MiraError, match="expected it adjudicating, found it auditing"):
        project.decide("b001", adjudicated=True)


def test_every_step_repeated_changes_nothing(project):
    def repeat(step):
        step()
        before = project.ledger()
        step()
        assert project.ledger() == before

    repeat(project.plan)
    for noise_px in (9, 0.3):
        people = project.book.batch("b001").now.person
        folder = project.package("b001")
        repeat(lambda: project.package("b001"))
        project.draw(folder, noise_px=noise_px)
        repeat(lambda folder=folder, people=people: project.submit("b001", folder, people))
    repeat(lambda: project.score("b001"))
    repeat(lambda: project.decide("b001"))
    report = project.book.read_report("b001", round_=1)
    repeat(lambda: project.score("b001"))
    assert project.book.read_report("b001", round_=1) == report


def test_exactly_the_bound_passes(project):
    class Compared:
        rows, agreements, mean_iou = (), (), None

    project.turn("b001")
    project.turn("b001")
    for mean_iou, verdict in ((0.85, "passed"), (0.85 - 1e-12, "passed"), (0.8499, "failed")):
        from mira.schema.audit import AuditRow

        Compared.mean_iou = mean_iou
        Compared.rows = (
            AuditRow(
                image_id=project.book.batch("b001").now.step.sample[0],
                role="surface",
                label="water",
                n_matched=1,
                mean_iou=mean_iou,
            ),
        )
        scored = project.score("b001", compare=lambda pairs, policy: Compared)
        assert scored.report.verdict == verdict


def test_a_sample_on_which_neither_drew_passes(project):
    class Compared:
        rows, agreements, mean_iou = (), (), None

    project.turn("b001")
    project.turn("b001")
    report = project.score("b001", compare=lambda pairs, policy: Compared).report
    assert (report.mean_iou, report.verdict) == (None, "passed")
    assert project.decide("b001") == "accepted"


def test_what_is_compared_is_what_was_submitted_whatever_was_imported_since(project):
    project.turn("b001")
    project.turn("b001")
    before = project.score("b001").report
    sample = project.book.batch("b001").now.step.sample
    for name in sample:
        later = project.book.workspace.annotation(name, "anna")
        project.book.workspace.put_annotation(
            later.model_copy(update={"instances": (), "links": ()})
        )
    assert project.score("b001").report == before


def test_a_submitted_drawing_that_was_changed_on_disk_is_named(project):
    project.turn("b001")
    project.turn("b001")
    name = project.book.batch("b001").now.step.sample[0]
    path = project.book.workspace.root / f"annotations/{name}/anna/r0001.json"
    path.write_bytes(path.read_bytes().replace(b'"done"', b'"draft"'))
    with pytest.raises(MiraError, match=re.escape(f"{path}: is no longer the annotation")):
        project.score("b001")


def test_after_the_comparison_nothing_more_is_taken_for_the_sample(project):
    project.turn("b001")
    folder = project.draw(project.package("b001"))
    project.submit("b001", folder, "ben")
    project.draw(folder, seed=5)
    assert project.submit("b001", folder, "ben").n_taken == 2
    project.score("b001")
    project.draw(folder, seed=6)
    with pytest.raises(MiraError, match="expected nothing more for this sample"):
        project.submit("b001", folder, "ben")
