"""What people read of a check of wording, and the exit status."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mira.cli.app import app


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["qa", "lint", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for entry in (resources.files("qa_gen") / "templates").iterdir():
        if entry.name.endswith(".yaml"):
            (tmp_path / entry.name).write_text(entry.read_text("utf-8"), "utf-8")
    return tmp_path


def test_our_wording_is_clean_and_says_how_much_was_read() -> None:
    done = run()
    assert done.exit_code == 0
    assert done.stdout.startswith("14 templates, 56 texts, ")
    assert done.stdout.endswith("readings: clean\n")


def test_findings_are_one_line_each_and_end_in_status_1(folder: Path) -> None:
    path = folder / "perception.yaml"
    text = path.read_text("utf-8").replace("it a reflection, with", "it an reflection, with")
    path.write_text(text.replace("Take {{ Y }}", "Take {{ Z }}"), "utf-8")
    done = run("--templates", folder)
    first, second, summary = done.stdout.splitlines()
    assert first.startswith(f"error: {path}: vc_002.question.3: 'Z' is undefined")
    assert second.endswith("[article-wrong]")
    assert summary.endswith(": 1 error, 1 warning")
    assert done.exit_code == 1


def test_machines_get_one_document(folder: Path) -> None:
    clean = json.loads(run("--json").stdout)
    assert clean["clean"] is True
    assert clean["findings"] == []
    path = folder / "options.yaml"
    path.write_text(path.read_text("utf-8").replace("stop: stop", "stop: turn"), "utf-8")
    done = run("--templates", folder, "--json")
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["code"], finding["where"]) == ("words-prefix", "options.stop")
    assert done.exit_code == 1


def test_all_that_a_template_can_say_is_shown_on_lines_of_their_own() -> None:
    done = run("--show", "vc_001")
    lines = done.stdout.splitlines()
    assert lines[0] == "vc_001.question.0"
    assert lines[1].split()[:2] == ["bbox_text", "Boxes"]
    assert lines.count("") == 4
    assert lines[-2:] == ["options", "  all                 yes | no"]
    document = json.loads(run("--show", "vc_001", "--json").stdout)
    assert len(document["questions"]) == 4 * 5


def test_what_cannot_be_read_ends_in_one_line(folder: Path) -> None:
    (folder / "options.yaml").unlink()
    assert "expected options.yaml in it" in str(run("--templates", folder).exception)
    assert "expected one of vc_001" in str(run("--show", "nothing").exception)
    assert run("--templates", folder / "nowhere").exit_code == 2
