"""Questions of others in a folder are asked, drawn and scored as a release is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from mira.errors import ReleaseError
from mira.evals.inspect_runner.drawing import draw_questions
from mira.evals.inspect_runner.options import AskingOptions
from mira.evals.inspect_runner.planning import plan_asking
from mira.evals.mira_bench.predictions import write_predictions
from mira.evals.mira_bench.release import baseline_predictions, score_release
from mira.release.question_files import FileQuestion
from mira.release.question_sets import read_questions, read_scenes, set_digest

LINES = [
    {
        "question_id": "left-or-right",
        "question": "Is the red disc left or right of the blue box?",
        "image": "images/1.png",
        "depth": "images/1_depth.png",
        "options": ["left", "right"],
        "answer": "right",
    },
    {
        "question_id": "any",
        "question": "Is there a disc?",
        "image": "images/1.png",
        "depth": "images/1_depth.png",
        "format": "yes_no",
        "options": ["yes", "no"],
        "answer": "yes",
        "kind": "presence",
    },
    {
        "question_id": "many",
        "question": "How many discs are there?",
        "image": "images/2.png",
        "format": "count",
        "answer": "3",
        "scene": "kitchen",
    },
]


@pytest.fixture
def folder(tmp_path):
    """Three questions on two pictures, one with depth."""
    rng = np.random.default_rng(0)
    (tmp_path / "images").mkdir()
    for name in ("1", "2"):
        picture = rng.integers(0, 255, (40, 60, 3), dtype=np.uint8)
        cv2.imwrite(str(tmp_path / "images" / f"{name}.png"), picture)
    depth = rng.integers(500, 3000, (40, 60), dtype=np.uint16)
    cv2.imwrite(str(tmp_path / "images" / "1_depth.png"), depth)
    write(tmp_path, LINES)
    return tmp_path


def write(folder, lines):
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


def test_they_are_scored_in_rows_of_their_own(folder, tmp_path):
    said = baseline_predictions(folder, "oracle", rng=np.random.default_rng(0))
    write_predictions(tmp_path / "said.jsonl", said)
    table = score_release(folder, tmp_path / "said.jsonl").table
    assert [(row.name, row.value, row.n) for row in table.rows] == [
        ("control", 1, 2),
        ("control:presence", 1, 1),
        ("level:control", 1, 3),
        ("overall", 1, 3),
    ]
    assert [row.chance for row in table.rows[:2]] == [None, 0.5]
    assert table.release_digest == set_digest(folder)


@pytest.mark.parametrize(("modality", "roles"), [("rgb", ["rgb"]), ("rgb_d", ["rgb", "depth"])])
def test_they_are_drawn_and_worded_as_any_question(folder, tmp_path, modality, roles):
    options = AskingOptions(model="m", modalities=(modality,), missing_depth="skip")
    plan = plan_asking(folder, tmp_path / "run", options)
    drawn = {
        one.asked.question.question_id: one
        for one in draw_questions(plan, plan.asked, options, tmp_path / "files")
    }
    assert set(drawn) == {one["question_id"] for one in LINES} - (
        {"many"} if "depth" in roles else set()
    )
    assert [one.role for one in drawn["left-or-right"].pictures] == roles
    assert "A. left\nB. right" in drawn["left-or-right"].prompt


def test_letters_stand_for_options_and_pictures_for_scenes(folder):
    rows = {row["question_id"]: row for row in read_questions(folder)}
    assert rows["left-or-right"]["answer"] == "B"
    assert [rows[one["question_id"]]["scene_id"] for one in LINES] == [
        "images/1.png",
        "images/1.png",
        "kitchen",
    ]
    assert [row["width_px"] for row in read_scenes(folder)] == [60, 60]


def test_the_digest_tells_of_all_that_is_asked_and_shown(folder):
    before = set_digest(folder)
    (folder / "notes.txt").write_text("x", "utf-8")
    assert set_digest(folder) == before
    write(folder, [{**LINES[0], "answer": "left"}, *LINES[1:]])
    changed = set_digest(folder)
    cv2.imwrite(str(folder / "images" / "2.png"), np.zeros((40, 60, 3), np.uint8))
    assert len({before, changed, set_digest(folder)}) == 3


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": "up"}, "answer: expected one of the options, found 'up'"),
        ({"options": ["left", "left"], "answer": "left"}, "expected at least two, all different"),
        ({"format": "yes_no"}, "expected yes, no and not sure"),
        ({"format": "count"}, "expected a whole number and no options"),
        ({"image": "../secret.png"}, "expected a path in it"),
        ({"image": "images/none.png"}, "cannot be read"),
        ({"colour": "red"}, "colour"),
        ({"question_id": "any"}, "found 'any' before already"),
    ],
)
def test_a_fault_is_told_with_its_line(folder, change, told):
    write(folder, [LINES[1], {**LINES[0], **change}])
    with pytest.raises(ReleaseError, match=told) as fault:
        set_digest(folder)
    assert "questions.jsonl" in str(fault.value) or "images/none.png" in str(fault.value)


def test_the_lines_in_the_documentation_can_be_asked():
    text = (Path(__file__).parents[4] / "docs" / "evaluation.md").read_text("utf-8")
    lines = re.findall(r'^{"question_id": "rel-.*}$', text, flags=re.M)
    assert [FileQuestion.model_validate_json(line).answer for line in lines] == ["left", "yes"]
