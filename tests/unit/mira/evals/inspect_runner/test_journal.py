from __future__ import annotations

from pathlib import Path

import pytest

from mira.errors import PredictionError
from mira.evals.inspect_runner.journal import Heard, read_journal
from mira.schema.evaluation import Prediction
from mira.store.heard_lines import add_line, open_journal


def heard(key: str, text: str | None) -> Heard:
    status = "failed" if text is None else "parsed"
    prediction = Prediction(question_id=key, raw_text=text, status=status)
    return Heard(key=key, prediction=prediction, error="no reply" if text is None else None)


def write(path: Path, *lines: Heard) -> None:
    with open_journal(path) as stream:
        for line in lines:
            add_line(stream, line)


def test_what_was_heard_last_about_a_question_counts(tmp_path: Path) -> None:
    path = tmp_path / "new" / "heard.jsonl"
    assert read_journal(path) == {}
    write(path, heard("a", None), heard("b", "yes\n\u2028no"))
    write(path, heard("a", "no"))
    assert read_journal(path) == {"a": heard("a", "no"), "b": heard("b", "yes\n\u2028no")}


@pytest.mark.parametrize("left", [1, 10, 40])
def test_a_line_that_a_dead_process_left_unfinished_is_not_read_and_makes_way(
    tmp_path: Path, left: int
) -> None:
    path = tmp_path / "heard.jsonl"
    write(path, heard("a", "yes"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:left])
    assert read_journal(path) == {"a": heard("a", "yes")}
    write(path, heard("b", "no"))
    assert list(read_journal(path)) == ["a", "b"]


def test_a_line_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "heard.jsonl"
    path.write_bytes(b'{"key": "a"}\n')
    with pytest.raises(PredictionError, match=r"heard\.jsonl:1"):
        read_journal(path)
