from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import PredictionError
from mira.evals.mira_bench.reply_files import read_reply_file

FENCED = '```json\n{"final_answer": "B. chair", "confidence": 0.8}\n```'


def read(tmp_path, *lines):
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return list(read_reply_file(path))


@pytest.mark.parametrize(
    "choices",
    [
        ["table", "chair", "lamp"],
        ["A. table", "B. chair", "C. lamp"],
        ["A table", "B chair", "C lamp"],
        {"A": "table", "B": "chair", "C": "lamp"},
        [{"label": "A", "text": "table"}, {"label": "B", "value": "7", "text": "chair"}],
    ],
)
def test_choices_come_as_texts_by_label_or_as_options(tmp_path, choices):
    line = {"id": "q", "format": "choice", "choices": choices, "raw": FENCED}
    assert read(tmp_path, line) == [
        {"id": "q", "parsed": "B", "class": "parsed", "layer": "object", "confidence": 0.8}
    ]


def test_counts_are_numbers_and_axes_are_words_of_horizontal_depth_and_vertical(tmp_path):
    lines = (
        {"id": 1, "format": "count", "raw": '{"final_answer": 3.0}'},
        {"id": 2, "format": "axes", "choices": [], "raw": "front-left, above"},
        {"id": 3, "format": "yes_no", "choices": {"A": "Yes", "B": "Not sure"}, "raw": "B"},
        {"id": 4, "format": "yes_no", "choices": None, "raw": None},
    )
    found = read(tmp_path, *lines)
    assert [one["parsed"] for one in found] == [3, ["left", "front", "above"], "not_sure", None]
    assert found[-1]["class"] == "failed"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ({"id": "q", "format": "yes_no"}, "raw: expected it"),
        ({"id": "q", "format": "essay", "raw": ""}, "format: expected one of"),
        ({"id": "q", "format": "choice", "raw": "A"}, "choices: expected at least one"),
        ({"id": "q", "format": "choice", "choices": [1], "raw": "A"}, "choices: expected texts"),
        ({"id": "q", "format": "count", "raw": 3}, "raw: expected text or null"),
        ([], "expected one JSON object"),
    ],
)
def test_a_line_that_is_no_reply_is_told_with_its_number(tmp_path, line, fault):
    with pytest.raises(PredictionError, match=rf"raw.jsonl:2.*{fault}"):
        read(tmp_path, {"id": "a", "format": "count", "raw": "1"}, line)


def test_the_command_prints_a_line_a_reply_and_nothing_where_one_is_at_fault(tmp_path):
    path = tmp_path / "raw.jsonl"
    path.write_text('{"id": "a", "format": "count", "raw": "1"}\n{"id"', "utf-8")
    refused = CliRunner().invoke(app, ["eval", "read-replies", str(path)])
    assert refused.exit_code != 0
    assert refused.stdout == ""
    path.write_text('{"id": "a", "format": "count", "raw": "1"}\n', "utf-8")
    done = CliRunner().invoke(app, ["eval", "read-replies", str(path)])
    assert json.loads(done.stdout)["parsed"] == 1
