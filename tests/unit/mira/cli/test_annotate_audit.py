"""What a coordinator reads, and the statuses that scripts go by."""

from __future__ import annotations

import orjson
import pytest
from typer.testing import CliRunner, Result

from annotate.audit.handed_in import Refusal
from annotate.audit.submission import Submission
from mira.cli.annotate_audit import app
from mira.cli.annotate_audit_text import format_iou
from mira.errors import MiraError, RecordError
from mira.schema.audit import AuditPolicy
from mira.store.workspace import Workspace


@pytest.fixture
def run(tmp_path):
    root = Workspace.create(tmp_path / "workspace").root

    def invoke(*words: object, status: int = 0) -> Result:
        arguments = [str(word) for word in (*words, "--workspace", root)]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert result.exit_code == status, result.output
        return result

    return invoke


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.85, "0.8500"),
        (0.84999, "0.8499"),
        (0.85 - 1e-12, "0.8500"),
        (None, "none drawn"),
        (1.0, "1.0000"),
    ],
)
def test_an_iou_that_misses_the_bound_does_not_look_as_if_it_reached_it(value, text):
    assert format_iou(value) == text


def test_a_plan_without_images_and_a_policy_at_fault_are_refused(run, tmp_path):
    with pytest.raises(MiraError, match="expected images, found none"):
        run("plan", "--annotators", "a,b,c")
    policy = tmp_path / "policy.json"
    for text, problem in ((b"{", "expected JSON"), (b'{"size": 1}', "size")):
        policy.write_bytes(text)
        with pytest.raises(RecordError, match=problem):
            run("plan", "--annotators", "a,b,c", "--policy", policy)
    with pytest.raises(MiraError, match="nowhere.json"):
        run("plan", "--annotators", "a,b,c", "--policy", tmp_path / "nowhere.json")


def test_the_default_policy_is_that_of_the_paper():
    policy = AuditPolicy()
    assert (policy.batch_size, policy.sample_fraction, policy.min_mean_iou) == (100, 0.2, 0.85)


def test_status_and_report_of_an_audit_that_has_not_begun_are_empty(run, tmp_path):
    assert run("status").stdout.split() == [
        "batch",
        "state",
        "turn",
        "since",
        "drawn",
        "mean",
        "IoU",
        "next",
    ]
    assert orjson.loads(run("status", "--json").stdout) == {"batches": [], "people": []}
    assert orjson.loads(run("report", "--json").stdout) == {"reports": [], "gold": []}
    run("report", "--csv", tmp_path / "tables")
    assert (tmp_path / "tables/rows.csv").read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "flags", "status"),
    [("missing", (), 1), ("missing", ("--partial",), 0), ("copied", ("--partial",), 1)],
)
def test_a_submission_that_is_not_whole_ends_with_status_one(run, monkeypatch, kind, flags, status):
    refusals = tuple(Refusal(kind=kind, where=f"i{k}", message="m") for k in range(25))
    result = Submission("b001", "annotating", "anna", 3, 1, refusals, bool(flags), 25)
    monkeypatch.setattr("annotate.audit.submission.submit_drawings", lambda *words, **more: result)
    text = run("submit", "b001", "--by", "anna", *flags, status=status).stdout
    assert "i19: m" in text
    assert "and 5 more" in text
    kept = "3 drawings taken, 1 unchanged, 25 left; now annotating"
    assert (kept if flags else "nothing taken (--partial keeps what can be)") in text
    parsed = orjson.loads(
        run("submit", "b001", "--by", "a", *flags, "--json", status=status).stdout
    )
    assert len(parsed["refusals"]) == 25
