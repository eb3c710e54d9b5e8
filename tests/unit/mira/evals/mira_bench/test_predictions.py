from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import MiraError, PredictionError
from mira.evals.mira_bench.predictions import (
    parse_prediction,
    read_predictions,
    write_predictions,
)
from mira.schema.evaluation import Prediction

KNOWN = ("q1", "q2", "q3")


def read(tmp_path, *lines: str | bytes, known=KNOWN):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return read_predictions(path, question_ids=known)


def fault(tmp_path, *lines: str | bytes) -> str:
    with pytest.raises(PredictionError) as caught:
        read(tmp_path, *lines)
    return str(caught.value).replace(str(tmp_path / "p.jsonl"), "p.jsonl")


def test_both_names_of_a_field_are_read(tmp_path):
    first = '{"question_id": "q1", "answer": "B", "confidence": 1}'
    second = '{"id": "q2", "raw": "no", "status": "repaired", "latency_ms": 3}'
    third = '{"id": "q3", "question_id": "q3", "raw_text": "x", "answer": 4}'
    assert read(tmp_path, first, second, third) == (
        Prediction(question_id="q1", answer="B", confidence=1.0),
        Prediction(question_id="q2", raw_text="no", status="repaired"),
        Prediction(question_id="q3", raw_text="x", answer="4"),
    )


def test_byte_order_mark_blank_lines_and_crlf_are_no_fault(tmp_path):
    lines = (
        b'\xef\xbb\xbf{"id": "q1", "answer": "B"}\r',
        b"  \r",
        b"",
        b'{"id":"q2","answer":"A"}',
    )
    assert [p.question_id for p in read(tmp_path, *lines)] == ["q1", "q2"]


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path):
    text = "one\u2028two\u0085three"
    line = json.dumps({"id": "q1", "raw": text}, ensure_ascii=False)
    assert read(tmp_path, line)[0].raw_text == text


def test_an_empty_file_holds_no_predictions(tmp_path):
    assert read(tmp_path) == ()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "p.jsonl:2: expected one JSON object, found a fault"),
        ("[1]", "p.jsonl:2: expected one JSON object, found [1]"),
        ('{"id": "q2", "confidence": NaN}', "p.jsonl:2: expected one JSON object"),
        (b'{"id": "q2", "answer": "\xff"}', "p.jsonl:2: expected one JSON object"),
        ('{"answer": "B"}', "p.jsonl:2: question_id: expected text, found nothing"),
        ('{"id": 7, "answer": "B"}', "p.jsonl:2: id: expected text, found 7"),
        ('{"id": "q2", "question_id": "q3"}', "p.jsonl:2: question_id: expected one, found"),
        ('{"id": "q2"}', "p.jsonl:2: answer: expected answer or raw_text, found neither"),
        ('{"id": "q2", "answer": null}', "p.jsonl:2: answer: expected answer or raw_text"),
        ('{"id": "q2", "answer": ["B"]}', "p.jsonl:2: answer: expected text, found ['B']"),
        ('{"id": "q2", "answer": true}', "p.jsonl:2: answer: expected text, found True"),
        ('{"id": "q2", "raw": 1}', "p.jsonl:2: raw: expected text, found 1"),
        (
            '{"id": "q2", "answer": "B", "status": "ok"}',
            "p.jsonl:2: status: expected one of parsed",
        ),
        (
            '{"id": "q2", "answer": "B", "confidence": 95}',
            "p.jsonl:2: confidence: expected a number",
        ),
        ('{"id": "q2", "answer": "B", "confidence": true}', "p.jsonl:2: confidence: expected"),
        (
            '{"id": "q9", "answer": "B"}',
            "p.jsonl:2: question_id: expected a question of this release",
        ),
        ('{"id": "q1", "answer": "A"}', "found 'q1' on line 1 already"),
    ],
)
def test_a_fault_names_its_line_and_field(tmp_path, line, told):
    assert told in fault(tmp_path, '{"id": "q1", "answer": "B"}', line)


def test_all_faults_are_counted_and_the_first_is_told(tmp_path):
    told = fault(tmp_path, '{"id": "x"}', '{"id": "q1", "answer": "A"}', "{", "{")
    assert told.startswith("p.jsonl:1: answer: ")
    assert "2 more lines at fault" in told


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(PredictionError, match="cannot be read: No such file"):
        read_predictions(tmp_path / "none.jsonl", question_ids=KNOWN)


@pytest.mark.parametrize("status", ["failed", "refused", "unparsable"])
def test_a_call_without_an_answer_needs_no_text(tmp_path, status):
    (prediction,) = read(tmp_path, json.dumps({"id": "q1", "status": status}))
    assert (prediction.status, prediction.answer) == (status, None)


@given(line=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_line_raises_anything_but_a_fault_of_the_user_in_one_line(line):
    told = "p.jsonl:1: none"
    try:
        parse_prediction(line, where="p.jsonl:1")
    except MiraError as fault:
        told = str(fault)
    assert told.startswith("p.jsonl:1: ")
    assert "\n" not in told


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
written = st.lists(
    st.builds(
        Prediction,
        question_id=texts,
        raw_text=st.none() | texts,
        answer=texts,
        status=st.sampled_from(["parsed", "repaired", "unparsable", "refused", "failed"]),
        confidence=st.none() | st.floats(0, 1),
    ),
    unique_by=lambda prediction: prediction.question_id,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(predictions=written)
def test_what_is_written_reads_back_the_same(tmp_path, predictions):
    path = tmp_path / "out" / "p.jsonl"
    write_predictions(path, predictions)
    ids = [prediction.question_id for prediction in predictions]
    assert list(read_predictions(path, question_ids=ids)) == predictions


def test_a_write_that_breaks_leaves_the_old_file(tmp_path):
    path = tmp_path / "p.jsonl"
    write_predictions(path, [Prediction(question_id="q1", answer="A")])
    before = path.read_bytes()

    def broken():
        yield Prediction(question_id="q1", answer="B")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_predictions(path, broken())
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["p.jsonl"]


def sheet(tmp_path, text: str | bytes):
    path = tmp_path / "p.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_predictions(path, question_ids=KNOWN)


def test_a_table_is_read_as_its_lines_would_be(tmp_path):
    rows = 'question_id,question,answer,confidence,status\r\nq1,"What, this?", B ,0.5,\r\n'
    rows += ',,,,\r\nq2,,,,refused\r\nq3,"two\nlines","front, left",,\r\n'
    expected = (
        Prediction(question_id="q1", answer="B", confidence=0.5),
        Prediction(question_id="q2", status="refused"),
        Prediction(question_id="q3", answer="front, left"),
    )
    assert sheet(tmp_path, rows) == expected
    assert sheet(tmp_path, b"\xef\xbb\xbfid;answer;confidence\nq1;B;0,5\n") == expected[:1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,answer\nq1,B\n", "p.csv:1: expected a column question_id, found name, answer"),
        ("", "p.csv:1: expected a column question_id, found nothing"),
        ("id,answer\nq1,B\nq1,A\n", "p.csv:3: question_id: expected one prediction a question"),
        ("id,answer\nq9,B\n", "p.csv:2: question_id: expected a question of this release"),
        ("id,answer\nq1,\n", "p.csv:2: answer: expected answer or raw_text"),
        ("id,answer,confidence\nq1,B,high\n", "p.csv:2: confidence: expected a number"),
        (b"id,answer\nq1,\xff\n", "p.csv: expected a table in UTF-8"),
        ('id,answer\nq1,"B\n', "p.csv: expected a table in UTF-8"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_by_line_and_column(tmp_path, text, told):
    with pytest.raises(PredictionError) as caught:
        sheet(tmp_path, text)
    assert str(caught.value).replace(str(tmp_path / "p.csv"), "p.csv").startswith(told)
