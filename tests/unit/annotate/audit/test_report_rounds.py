"""A report's rounds are those that were scored, of what was submitted then."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from annotate.agreement_report.pictures import WorkspacePictures
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.rounds import rounds_of_audit
from annotate.agreement_report.writing import write_agreement_report
from annotate.audit.scoring import score_batch
from mira.errors import MiraError

POLICY = ReportPolicy()


def test_rounds_are_those_that_were_scored_with_the_ledger_s_numbers(project) -> None:
    assert rounds_of_audit(project.book) == ()
    project.fail_first_round()
    project.turn("b001")
    project.turn("b001")
    (first,) = rounds_of_audit(project.book)
    assert (first.title, first.batch_id, first.round) == ("b001, round 1", "b001", 1)
    assert (first.annotator, first.auditor) == ("anna", "ben")
    moment = datetime(2026, 5, 1, tzinfo=UTC)
    report = score_batch(project.book, "b001", now=lambda: moment).report
    told: list[tuple[int, int]] = []
    one, two = rounds_of_audit(project.book, progress=lambda *counts: told.append(counts))
    assert one.comparison == first.comparison
    assert (one.verdict, two.verdict) == ("failed", "passed")
    assert one.at is not None
    assert one.at < moment == two.at
    assert two.comparison.mean_iou == report.mean_iou
    assert two.bound == report.policy.min_mean_iou
    assert told[-1] == (4, 4)


def test_drawings_and_pictures_are_those_of_the_sample(project) -> None:
    project.fail_first_round()
    (found,) = rounds_of_audit(project.book, ["b001"])
    pictures = WorkspacePictures(project.book.workspace)
    for image in found.comparison.images:
        one, other = found.drawings_of(image.image_id)
        assert (one.annotator, other.annotator) == ("anna", "ben")
        assert one.image_id == other.image_id == image.image_id
        assert pictures(image.image_id).shape == (120, 160, 3)


def test_a_batch_that_is_not_there_is_named(project) -> None:
    with pytest.raises(MiraError, match="b009"):
        rounds_of_audit(project.book, ["b009"])


def test_a_picture_that_is_not_there_or_another_is_an_error(project) -> None:
    workspace = project.book.workspace
    with pytest.raises(MiraError, match="expected an image"):
        WorkspacePictures(workspace)("nobody")
    view = next(workspace.views())
    (workspace.view_folder(view) / view.color.path).write_bytes(b"another")
    with pytest.raises(MiraError, match="no longer"):
        WorkspacePictures(workspace)(view.image_id)


def test_the_report_of_an_audit_shows_what_to_talk_about(project, tmp_path) -> None:
    project.fail_first_round()
    rounds = rounds_of_audit(project.book)
    pictures = WorkspacePictures(project.book.workspace)
    out = tmp_path / "report"
    found = write_agreement_report(out, rounds, policy=POLICY, pictures=pictures)
    assert found.report.rounds[0].verdict == "failed"
    assert found.report.rounds[0].disputes > 0
    text = found.page.read_text("utf-8")
    assert text.count('class="card dispute"') == found.report.rounds[0].disputes
    assert "The picture is gone" not in text
