"""Tables as people, spreadsheets and LaTeX get them."""

from __future__ import annotations

import csv
import io

import pytest
from rich.console import Console

from mira.evals.run_tables.formats import sheet_latex, sheets_csv
from mira.evals.run_tables.sheets import Cell, Line, Sheet
from mira.evals.run_tables.terminal import SheetView

SHEET = Sheet(
    "modality",
    "Modalities: a_model & [bold]co[/bold]",
    "Notes.",
    ("VC", "Overall [x]"),
    (
        Line("=1+1 [red]RGB[/red]", (Cell(0.5, 0.4, 0.6), Cell(None))),
        Line(
            "RGB-D − RGB",
            (Cell(-0.125, -0.2, -0.05, p=0.004, signed=True), Cell(None, n=1234)),
            apart=True,
        ),
    ),
)


def test_csv_has_a_row_for_each_number_and_no_formula():
    rows = list(csv.DictReader(io.StringIO(sheets_csv([SHEET]).decode())))
    assert [(one["column"], one["value"], one["p"], one["n"]) for one in rows] == [
        ("VC", "0.5", "", ""),
        ("VC", "-0.125", "0.004", ""),
        ("Overall [x]", "", "", "1234"),
    ]
    assert rows[0]["row"].startswith("'=")


def test_latex_escapes_names_and_marks_what_chance_does_not_explain():
    text = sheet_latex(SHEET)
    assert r"$-$12.5$^*$" in text
    assert "1,234" in text
    assert " & 50.0 & -- " in text.replace(r"\\", "")
    assert text.count(r"\midrule") == 2


@pytest.mark.parametrize("width", [44, 60, 200])
def test_a_terminal_of_any_width_shows_every_number_whole_and_no_markup(width):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(SheetView(SHEET))
    text = console.export_text()
    assert "[red]" in text
    assert all(one in text for one in ("50.0", "40.0–60.0", "-12.5", "-20.0 … -5.0", "1,234"))
    assert "0.004" in text
