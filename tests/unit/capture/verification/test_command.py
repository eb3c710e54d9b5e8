"""`mira capture verify` as people and scripts read it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner, Result

from capture.verification.report import FaultCode, WarningCode
from mira.cli.app import app
from mira.errors import SessionError

GUIDE = Path(__file__).parents[4] / "docs/capture/verify.md"


@pytest.fixture
def run(session):
    def verify(*words: str) -> Result:
        return CliRunner().invoke(app, ["capture", "verify", str(session.root), *words])

    return verify


def test_a_whole_session_ends_with_0_and_one_line(run) -> None:
    done = run()
    assert (done.exit_code, done.stdout) == (0, "2 views, 0 with faults\n")


def test_every_fault_is_one_line_and_the_last_line_counts(run, session, damage) -> None:
    damage.remove("surfaces.png")
    damage.write("device.json", b"{")
    damage.remove("color.png")
    (session.root / "journal.jsonl").write_bytes(b"?\n")
    (session.root / "scenes/hall/views/.tmp-v3").mkdir()
    done = run()
    lines = done.stdout.splitlines()
    assert done.exit_code == 1
    assert lines[-1] == "2 views, 1 with faults; 1 fault of no view; 1 warning"
    view = session.root / "scenes/hall/views/v1"
    assert lines[0].startswith(f"warning: {view.parent / '.tmp-v3'}: leftover: ")
    assert lines[1] == f"{view / 'color.png'}: file-missing: expected it in SHA256SUMS, found none"
    assert lines[2].startswith(f"{view / 'device.json'}: record-damaged: expected one JSON")
    assert lines[3].startswith(f"{session.root / 'journal.jsonl'}: journal-damaged: line 1: ")
    assert len(lines) == 5


def test_json_has_every_fault_with_its_place(run, session, damage) -> None:
    assert json.loads(run("--json").stdout) == {
        "session": str(session.root),
        "views": 2,
        "faulty_views": 0,
        "faults": [],
        "warnings": [],
    }
    damage.remove("calib.json")
    damage.remove("color.png")
    done = run("--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["faults"] == [
        {
            "scene_id": "hall",
            "view_id": "v1",
            "file": "scenes/hall/views/v1/color.png",
            "message": "expected it in SHA256SUMS, found none",
            "code": "file-missing",
        }
    ]


def test_a_folder_that_is_no_session_is_wrong_use(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["capture", "verify", str(tmp_path)])
    assert isinstance(done.exception, SessionError)


def test_the_guide_explains_every_code_and_no_other() -> None:
    named = re.findall(r"^\| `([a-z-]+)` \|", GUIDE.read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(named) == sorted((*get_args(FaultCode), *get_args(WarningCode)))
