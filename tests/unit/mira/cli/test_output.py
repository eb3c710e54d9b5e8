"""Results are JSON on stdout; progress stays on stderr."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from mira.cli import output
from mira.cli.output import format_count, format_size, print_json, progress
from mira.schema.finding import Finding

FINDING = Finding(code="few-points", severity="error", path="a.json", where="", message="m")


def test_records_paths_and_tuples_print_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"findings": [FINDING], "at": Path("a") / "b", "size": (2, 3), 7: None})
    printed = json.loads(capsys.readouterr().out)
    assert printed["findings"][0]["code"] == "few-points"
    assert printed["at"] == "a/b"
    assert printed["size"] == [2, 3]
    assert printed["7"] is None


def test_letters_print_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_json(["Küche", "鏡"])
    assert '"鏡"' in capsys.readouterr().out


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="JSON"):
        print_json({"x": object()})


def test_progress_without_a_terminal_is_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("reading") as advance:
        for done in range(1, 1001):
            advance(done, 1000)
    captured = capsys.readouterr()
    assert captured.err == "reading: 1000/1000\n"
    assert captured.out == ""


def test_long_work_is_told_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.time, "monotonic", iter(range(0, 100, 2)).__next__)
    with progress("reading") as advance:
        for done in range(1, 7):
            advance(done, 10)
    assert capsys.readouterr().err == "reading: 3/10\nreading: 6/10\n"


def test_progress_towards_an_unknown_total_tells_the_count_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.time, "monotonic", iter(range(0, 100, 3)).__next__)
    with progress("reading") as advance:
        for done in (0, 1000, 2000):
            advance(done, 0)
    assert capsys.readouterr().err == "reading: 1000\n"


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress("reading") as advance:
        advance(3, 4)
    assert "reading" in terminal.getvalue()
    assert "3/4" in terminal.getvalue()


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (12_345, "12,345 files")]
)
def test_nouns_agree_with_their_number(number: int, text: str) -> None:
    assert format_count(number, "file") == text


def test_irregular_plural_is_given() -> None:
    assert format_count(2, "entry", "entries") == "2 entries"


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (40_200, "40.2 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (1_234_500_000, "1,234.5 MB"),
    ],
)
def test_small_sizes_have_small_units(size_bytes: int, text: str) -> None:
    assert format_size(size_bytes) == text
