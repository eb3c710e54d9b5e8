"""Published files that are damaged, or lie elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qa_gen.published.reading import QuestionsFileError, read_published

ENTRY = {
    "question_id": "q",
    "image_name": "a.png",
    "template_id": "vc_001",
    "question_type": "yes_no",
    "question": "Is it?",
    "answer": "yes",
}


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")
    return path


@pytest.mark.parametrize("place", ["questions.json", "annotations/questions.json"])
def test_a_folder_is_searched_where_releases_have_the_file(tmp_path: Path, place: str) -> None:
    path = write(tmp_path / place, [ENTRY])
    assert read_published(tmp_path).path == path
    assert read_published(path).questions == read_published(tmp_path).questions


def test_a_folder_without_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(QuestionsFileError, match=r"expected questions\.json or annotations/"):
        read_published(tmp_path)


@pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "7", "[1", "[NaN]", '["\\ud800"]'])
def test_what_is_no_list_is_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions.json"
    path.write_text(text)
    with pytest.raises(QuestionsFileError, match="expected a JSON list"):
        read_published(path)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(QuestionsFileError, match="cannot be read"):
        read_published(tmp_path / "none.json")


def test_a_byte_order_mark_makes_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([ENTRY]).encode())
    assert len(read_published(path).questions) == 1


def test_entries_at_fault_are_told_by_place_and_field_and_the_others_read(tmp_path: Path) -> None:
    without = {key: value for key, value in ENTRY.items() if key != "answer"}
    path = write(
        tmp_path / "questions.json",
        [{**ENTRY, "question_id": 7}, ENTRY, "text", None, without, {**ENTRY, "requires_depth": 1}],
    )
    read = read_published(path)
    assert [number for number, _ in read.questions] == [1]
    assert [(finding.where, finding.message) for finding in read.findings] == [
        ("[0].question_id", "expected text, found 7"),
        ("[2]", "expected an object, found 'text'"),
        ("[3]", "expected an object, found None"),
        ("[4].answer", "expected a value, found nothing"),
        ("[5].requires_depth", "expected true or false, found 1"),
    ]


def test_an_id_that_came_before_is_told_and_the_entry_kept(tmp_path: Path) -> None:
    read = read_published(write(tmp_path / "questions.json", [ENTRY, ENTRY]))
    assert len(read.questions) == 2
    assert [(f.code, f.severity, f.where) for f in read.findings] == [
        ("id-repeated", "warning", "[1].question_id")
    ]
