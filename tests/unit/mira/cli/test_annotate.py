"""What people read after an import or a check."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import annotate.checking
import annotate.importing
from annotate.importing import ImportReport
from mira.cli.app import app
from mira.schema.finding import Finding


def report(**more: object) -> ImportReport:
    counts = dict.fromkeys(
        ("files", "imported", "unchanged", "refused", "surfaces", "instances", "links"), 0
    )
    nothing: dict[str, object] = {
        "by_counterpart": {},
        "categories": {},
        "views_updated": 0,
        "view_changes": {},
        "scenes_updated": 0,
        "findings": (),
    }
    return ImportReport.model_validate({**counts, **nothing, **more})


def findings(code: str, count: int, severity: str = "warning") -> tuple[Finding, ...]:
    return tuple(
        Finding(code=code, severity=severity, path=f"{k}.json", where="", message="m")  # type: ignore[arg-type]
        for k in range(count)
    )


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def imported(made: ImportReport) -> Result:
        monkeypatch.setattr(annotate.importing, "import_annotations", lambda *a, **k: made)
        return CliRunner().invoke(app, ["annotate", "import", ".", "-w", str(tmp_path / "w")])

    return imported


def test_five_findings_of_a_code_are_shown_and_the_rest_is_counted(run) -> None:
    found = findings("shape-clipped", 7) + findings("label-alias", 2, "info")
    done = run(report(files=1, imported=1, findings=found + findings("link-self", 1, "error")))
    assert done.stdout.count("[shape-clipped]") == 6
    assert "and 2 more [shape-clipped]" in done.stdout
    assert "label-alias" not in done.stdout
    assert "findings: 1 error, 7 warnings" in done.stdout
    assert done.exit_code == 1


def test_counts_agree_with_their_nouns(run) -> None:
    done = run(report(files=1, imported=1, surfaces=1, instances=2000))
    assert "1 file: 1 imported, 0 unchanged, 0 refused" in done.stdout
    assert "1 surface, 2,000 instances" in done.stdout


def test_labels_and_updates_are_told(run) -> None:
    done = run(
        report(
            files=2,
            unchanged=2,
            categories={"bottl": 1, "cup": 3},
            views_updated=1,
            view_changes={"camera added": 1},
            scenes_updated=2,
        )
    )
    assert "labels taken as categories: bottl 1, cup 3" in done.stdout
    assert "updated: 1 picture (camera added 1), 2 scenes" in done.stdout
    assert "categories" not in run(report(files=1, imported=1)).stdout


@pytest.mark.parametrize(
    ("outcome", "told"), [("imported", True), ("unchanged", True), ("refused", False)]
)
def test_what_comes_next_is_told_where_something_can(run, outcome: str, told: bool) -> None:
    assert ("Next:" in run(report(files=1, **{outcome: 1})).stderr) is told


def test_check_counts_files_by_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    done = CliRunner().invoke(app, ["annotate", "check", str(tmp_path)])
    assert "1 file: 1 unusable" in done.stdout
    assert done.exit_code == 2
