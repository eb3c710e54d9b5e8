"""Tables as files: comma-separated values and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mira.evals.run_tables.sheets import Cell, Line, Sheet, p_text, percent
from mira.report.csv_tables import format_csv
from mira.report.latex import escape_latex

_DIGITS = 6


def sheets_csv(sheets: Iterable[Sheet]) -> bytes:
    """All tables in one, a number a row; shares from 0 to 1."""
    header = ("table", "title", "row", "column", "value", "low", "high", "p", "n")
    return format_csv(header, (row for sheet in sheets for row in _csv_rows(sheet)))


def sheets_latex(sheets: Iterable[Sheet]) -> str:
    """Tables one below the other, in per cent; they need `booktabs`."""
    return "\n".join(sheet_latex(sheet) for sheet in sheets)


def sheet_latex(sheet: Sheet) -> str:
    """A table in per cent that needs `booktabs`; p of 0.05 and more is not marked."""
    heads = " & ".join(escape_latex(head) for head in sheet.columns)
    lines = [
        f"% {sheet.title}: {sheet.notes}".replace("\n", " "),
        "% $^*$ p < 0.05",
        f"\\begin{{tabular}}{{l{'r' * len(sheet.columns)}}}",
        "\\toprule",
        f" & {heads} \\\\",
        "\\midrule",
    ]
    for line in sheet.lines:
        if line.apart:
            lines.append("\\midrule")
        cells = " & ".join(map(_tex_cell, line.cells))
        lines.append(f"{escape_latex(line.title)} & {cells} \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def sheet_text(sheet: Sheet) -> Iterator[tuple[str, tuple[str, ...], Line]]:
    """Cells of each line as plain words, for whoever sets them."""
    for line in sheet.lines:
        yield line.title, tuple(map(plain_cell, line.cells)), line


def plain_cell(cell: Cell) -> str:
    """A number in per cent, or what it was counted on, and its p."""
    if cell.value is None and cell.n is not None:
        return f"{cell.n:,}"
    return percent(cell) + (f" p {p_text(cell.p)}" if cell.p is not None else "")


def _tex_cell(cell: Cell) -> str:
    if cell.value is None and cell.n is not None:
        return f"{cell.n:,}"
    text = percent(cell).replace("–", "--").replace("-", "$-$" if cell.signed else "-", 1)
    return text + ("$^*$" if cell.p is not None and cell.p < 0.05 else "")


def _csv_rows(sheet: Sheet) -> Iterator[tuple[Any, ...]]:
    for line in sheet.lines:
        for column, cell in zip(sheet.columns, line.cells, strict=True):
            if cell.value is None and cell.n is None:
                continue
            numbers = (_short(one) for one in (cell.value, cell.low, cell.high, cell.p))
            yield (sheet.name, sheet.title, line.title, column, *numbers, cell.n)


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
