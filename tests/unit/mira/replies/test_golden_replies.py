"""Each reply of the golden table is read as the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mira.replies.reading import read_reply

TABLE = Path(__file__).parents[5] / "shared" / "golden" / "answer_parsing.md"
UNREAD = {"INVALID", "AMBIG"}


def _rows() -> list[tuple[str, str, str, str, str]]:
    if not TABLE.is_file():
        return []
    rows = (line.strip().strip("|").split(" | ") for line in TABLE.read_text("utf-8").splitlines())
    cells = [[cell.strip() for cell in row] for row in rows if row[0].strip().isdigit()]
    return [
        (number, form, raw.strip("`"), right, sure) for number, form, raw, right, sure, *_ in cells
    ]


def _answer(right: str) -> str | None:
    """The table's answer as we write it: of axes it gives the horizontal, depth, the vertical."""
    if right in UNREAD:
        return None
    if right.startswith("("):
        horizontal, depth, vertical = (word.strip(" '") for word in right.strip("()").split(","))
        return f"{horizontal},{vertical},{depth}"
    return right


@pytest.mark.skipif(not TABLE.is_file(), reason="the golden tables are not on this machine")
def test_every_golden_reply_is_read_as_the_table_says(forms):
    rows = _rows()
    assert len(rows) >= 29
    for number, form, raw, right, sure in rows:
        text = raw.replace("'''", "```").replace("\\n", "\n")
        read = read_reply(text, forms[form])
        assert read.answer == _answer(right), number
        assert read.confidence == (None if sure == "None" else float(sure)), number
