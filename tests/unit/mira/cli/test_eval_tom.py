"""`mira eval tom`: from a published file to a score, without a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mira.cli.app import app

STORY = "The milk in the carton is sour. Ida puts the carton in her basket."


@pytest.fixture
def source(tmp_path: Path) -> Path:
    rows = [
        {
            "id": f"milk{number}_sev1_{ending}",
            "story": f"Shop {number}. {STORY}",
            "question": question,
            "answer_correct": right,
            "answer_incorrect": wrong,
        }
        for number in range(4)
        for ending, question, right, wrong in (
            ("aware", "Is Ida aware of it?", "No", "Yes"),
            ("action", "What will Ida do?", "Pay.", "Pay." if number == 3 else "Complain."),
        )
    ]
    path = tmp_path / "stories.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def mira(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in ("eval", "tom", *words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def test_the_whole_way_runs_without_a_model(source: Path, tmp_path: Path) -> None:
    run, replies = tmp_path / "run", tmp_path / "oracle.jsonl"
    status, text = mira("import", source, "--out", run, "--circulate")
    assert status == 0
    assert "SimpleToM: 7 questions about 4 stories, 14 with options in turn" in text
    assert "left out: 1 [right-equals-wrong]" in text
    assert "simpletom-milk3_sev1_action: 'Pay.'" in text
    mira("baseline", run, "--kind", "oracle", "--out", replies)
    _, scores = mira("score", run, replies, "--json")
    found = json.loads(scores)
    assert found["complete"]
    assert {row["value"] for row in found["rows"]} == {1}
    assert [gap["n_pairs"] for gap in found["gaps"]] == [3]
    _, report = mira("report", run, replies, "--out", tmp_path / "report")
    assert Path(report.split()[0]).name == "report.html"


def test_what_is_left_out_is_listed_for_programs(source: Path, tmp_path: Path) -> None:
    _, text = mira("import", source, "--from", "simpletom", "--out", tmp_path / "run", "--json")
    found = json.loads(text)
    assert found["reasons"] == {"right-equals-wrong": 1}
    assert found["left_out"][0]["item_id"] == "simpletom-milk3_sev1_action"
    assert found["left_out"][0]["where"].endswith("stories.jsonl:8")


def test_prompts_come_line_by_line_with_what_a_reply_has_to_name(
    source: Path, tmp_path: Path
) -> None:
    mira("import", source, "--out", tmp_path / "run")
    _, text = mira("prompts", tmp_path / "run", "--limit", 2)
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["question_id"] for line in lines] == [
        "simpletom-milk0_sev1_aware",
        "simpletom-milk0_sev1_action",
    ]
    assert STORY in lines[0]["prompt"]
    replies = tmp_path / "replies.jsonl"
    said = [
        {**line, "raw_text": '{"final_answer": "A"}', "prompt": None, "prompt_version": None}
        for line in lines
    ]
    replies.write_text("".join(json.dumps(one) + "\n" for one in said))
    _, scores = mira("score", tmp_path / "run", replies, "--json")
    assert not json.loads(scores)["complete"]
