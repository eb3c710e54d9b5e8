"""What people wrote cannot become a formula of a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.report.csv_tables import format_csv


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12))
def test_no_text_starts_a_formula_and_all_of_it_is_there(text: str) -> None:
    rows = read(format_csv(["a", "b"], [[text, 1]]))
    assert len(rows) == 2
    cell = rows[1][0]
    assert not cell.lstrip().startswith(("=", "+", "-", "@"))
    plain = text.replace("\r", " ")
    assert cell in (plain, f"'{plain}")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("@a", "'@a"),
        ("\r=1", "' =1"),
        (" \t=1", "' \t=1"),
        (-0.5, "-0.5"),
        (None, ""),
        ("a=1", "a=1"),
    ],
)
def test_numbers_and_harmless_text_stay_as_they_are(cell: Any, shown: str) -> None:
    assert read(format_csv(["a", "b"], [[cell, "x"]]))[1] == [shown, "x"]
