"""A table on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.run_tables.formats import plain_cell
from mira.evals.run_tables.sheets import Cell, Sheet, p_text, span
from mira.report.terminal import fits


class SheetView:
    """A table that `rich` prints; a line a number where it is wider than the terminal."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        yield Text(f"\n{self.sheet.title}", style="bold")
        for shown in (_wide(self.sheet, ends=True), _wide(self.sheet, ends=False)):
            if fits(console, options, shown):
                yield shown
                break
        else:
            yield _turned(self.sheet)
        yield Text(self.sheet.notes, style="dim")


def _empty() -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    table.add_column("", overflow="fold")
    return table


def _wide(sheet: Sheet, *, ends: bool) -> Table:
    table = _empty()
    for head in sheet.columns:
        table.add_column(Text(head.replace(" ", "\n")), justify="right", no_wrap=True)
    for line in sheet.lines:
        if line.apart:
            table.add_section()
        table.add_row(Text(line.title), *(_shown(cell, ends=ends) for cell in line.cells))
    return table


def _turned(sheet: Sheet) -> Table:
    """One number a row: a narrow terminal cuts none of them."""
    table = _empty()
    table.add_column("", overflow="fold")
    for head in ("%", "interval", "p"):
        table.add_column(head, justify="right", no_wrap=True)
    for place, line in enumerate(sheet.lines):
        if place:
            table.add_section()
        for k, (head, cell) in enumerate(zip(sheet.columns, line.cells, strict=True)):
            title = line.title if k == 0 else ""
            number = plain_cell(cell._replace(p=None))
            table.add_row(Text(title), Text(head), number, span(cell), p_text(cell.p))
    return table


def _shown(cell: Cell, *, ends: bool) -> str:
    parts = [plain_cell(cell._replace(p=None))]
    if ends and span(cell):
        parts.append(span(cell))
    if cell.value is not None and cell.n is not None:
        parts.append(f"of {cell.n:,}")
    if cell.p is not None:
        parts.append(f"p {p_text(cell.p)}")
    return "\n".join(parts)
