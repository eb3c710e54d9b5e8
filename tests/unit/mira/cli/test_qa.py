"""What people read of generated questions."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from mira.cli.app import app
from mira.schema.qa import QAPolicy, QASummary
from mira.store.workspace import Workspace


def shown(tmp_path: Path, **more: object) -> str:
    summary = QASummary.model_validate(
        {
            "policy": QAPolicy(),
            "items": 0,
            "questions": 0,
            "by_template": {},
            "drops": {},
            "gold_positions": {},
            **more,
        }
    )
    workspace = Workspace.create(tmp_path / "w")
    with workspace.lock():
        workspace.put_questions(iter(()), summary=lambda: summary)
    return CliRunner().invoke(app, ["qa", "stats", "-w", str(workspace.root)]).stdout


def test_pictures_and_items_left_out_are_told_with_their_reasons(tmp_path: Path) -> None:
    text = shown(
        tmp_path,
        items=1,
        questions=5,
        by_template={"vc_001": 1},
        drops={"box-too-small": 2},
        pictures_left_out={"not-annotated": 1},
    )
    assert "1 item, 5 questions" in text
    assert "left out: 1 picture, not-annotated" in text
    assert "left out: 2 items or wordings, box-too-small" in text


def test_no_table_stands_where_there_is_no_item(tmp_path: Path) -> None:
    assert "template" not in shown(tmp_path)
