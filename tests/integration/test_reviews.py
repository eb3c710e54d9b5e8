"""Verdicts come in from files, settle questions, and a final release goes out."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

from export.verify import verify_release
from mira.cli.app import app
from mira.release.reader import read_questions
from mira.schema.qa import QAPolicy
from mira.store.reviews import ReviewShelf
from mira.store.workspace import Workspace
from qa_gen.generate import generate_questions
from qa_gen.verify import verify_questions


def _run(*words, status=0):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == status, (done.output, done.exception)
    return done.output


def _write(path, rows):
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=["item_id", "verdict", "reason", "by", "role"])
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def workspace(make_workspace):
    return make_workspace()


def _import(workspace, path, *more, status=0):
    return _run(
        *("qa", "import", path, "--from", "reviews", "--workspace", workspace.root, *more),
        status=status,
    )


def test_two_reviewers_and_a_third_bring_questions_into_a_final_release(workspace, tmp_path):
    ids = [item.item_id for item in workspace.items()]
    verdicts = {
        "cora": ["accepted"] * len(ids),
        "dora": ["rejected", *["accepted"] * (len(ids) - 1)],
    }
    for by, said in verdicts.items():
        rows = [{"item_id": k, "verdict": v} for k, v in zip(ids, said, strict=True)]
        told = _import(workspace, _write(tmp_path / f"{by}.csv", rows), "--by", by)
    assert f"{len(ids) - 1} accepted" in told
    assert "1 disputed" in told
    ruling = [{"item_id": ids[0], "verdict": "accepted", "by": "emil", "role": "adjudicator"}]
    told = _import(workspace, _write(tmp_path / "emil.csv", ruling))
    assert f"{len(ids)} accepted (0 of them corrected), 0 rejected, 0 disputed, 0 waiting" in told
    _run("export", "build", "-w", workspace.root, "-o", tmp_path / "release", "--final")
    assert verify_release(tmp_path / "release") == ()
    assert {row["review"] for row in read_questions(tmp_path / "release")} == {"accepted"}


def test_reviews_outlive_generating_anew_but_not_a_change_of_the_question(workspace, tmp_path):
    items = list(workspace.items())
    for by in ("cora", "dora"):
        rows = [{"item_id": item.item_id, "verdict": "accepted"} for item in items]
        _import(workspace, _write(tmp_path / f"{by}.csv", rows), "--by", by)
    generate_questions(workspace, policy=QAPolicy())
    assert {item.review for item in workspace.items()} == {"accepted"}
    generate_questions(workspace, policy=QAPolicy(seed=5))
    changed = {item.item_id: item for item in workspace.items()}
    before = {item.item_id: item for item in items}
    for item_id, item in changed.items():
        same = item_id in before and item.options == before[item_id].options
        same = same and item.answer == before[item_id].answer
        same = same and item.marks == before[item_id].marks
        assert item.review == ("accepted" if same else "unreviewed")
    assert {item.review for item in changed.values()} == {"accepted", "unreviewed"}


def test_a_correction_goes_out_and_the_question_still_verifies(workspace, tmp_path):
    item = next(item for item in workspace.items() if item.template_id == "mc_001")
    wordings = [
        wording.model_copy(update={"question": f"Say: {wording.question}"}).model_dump()
        for wording in item.wordings
    ]
    lines = [
        {"item_id": item.item_id, "verdict": "accepted", "by": by, "edit": {"wordings": wordings}}
        for by in ("cora", "dora")
    ]
    path = tmp_path / "edits.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert "(1 of them corrected)" in _import(workspace, path)
    (corrected,) = (one for one in workspace.items() if one.original)
    assert corrected.wordings[0].question.startswith("Say: ")
    assert verify_questions(workspace).findings == ()
    assert "0 new, 2 given before" in _import(workspace, path)


def test_who_changes_their_mind_and_changes_it_back_is_heard(workspace, tmp_path):
    (item_id, *_) = [item.item_id for item in workspace.items()]
    said = [("cora", "accepted"), ("dora", "accepted"), ("cora", "rejected"), ("cora", "accepted")]
    for k, (by, verdict) in enumerate(said):
        rows = [{"item_id": item_id, "verdict": verdict, "by": by}]
        assert "1 new" in _import(workspace, _write(tmp_path / f"{k}.csv", rows))
    review = next(item.review for item in workspace.items() if item.item_id == item_id)
    assert review == "accepted"


def test_nobody_accepts_alone_whatever_role_a_file_gives_them(workspace, tmp_path):
    rows = [
        {"item_id": item.item_id, "verdict": "accepted", "by": "emil", "role": "adjudicator"}
        for item in workspace.items()
    ]
    assert " 0 accepted" in _import(workspace, _write(tmp_path / "emil.csv", rows))


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"verdict": "accepted", "by": "cora"}, "item_id: expected a question of the workspace"),
        ({"item_id": "?", "verdict": "accepted", "by": "cora"}, "item_id: expected a question"),
        ({"verdict": "perhaps", "by": "cora"}, "verdict: "),
        ({"verdict": "accepted"}, "by: expected who reviewed, found nothing"),
        ({"verdict": "accepted", "by": "tests"}, "by: expected another person than the author"),
        ({"verdict": "accepted", "by": "cora", "mood": 1}, "mood: expected a known column"),
        ({"verdict": "accepted", "by": "cora", "doubts": "all"}, "doubts.0: "),
        ({"verdict": "accepted", "by": "cora", "item_sha8": "00000000"}, "is no longer what was"),
        ({"verdict": "rejected", "by": "cora", "edit": {"options": []}}, "edit: expected none"),
        (
            {
                "verdict": "accepted",
                "by": "cora",
                "edit": {"answer": {"format": "count", "value": 1}},
            },
            "edit: expected an answer of",
        ),
        ({"verdict": "accepted", "by": "cora", "edit": {"options": []}}, "edit: expected "),
    ],
)
def test_a_row_at_fault_is_told_by_line_and_field_and_nothing_is_taken(
    workspace, tmp_path, row, fault
):
    item = next(item for item in workspace.items() if item.template_id == "mc_001")
    named = {"item_id": item.item_id} if "question" not in fault else {}
    good = {"item_id": item.item_id, "verdict": "accepted", "by": "dora"}
    author = item.derivation.annotator
    if row.get("by") == "tests":
        row = {**row, "by": author}
    path = tmp_path / "reviews.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in (good, {**named, **row})))
    told = _import(workspace, path, status=1)
    assert f"{path}:2: {fault}".replace("?", "") in told.replace("?", "") or fault in told
    assert "nothing taken" in told
    assert not ReviewShelf(Workspace.open(workspace.root)).people()
    assert "1 new" in _import(workspace, path, "--partial", status=1)
