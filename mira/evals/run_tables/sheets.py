"""A table on its way to a page, a terminal, a spreadsheet or a paper: one shape for all of them."""

from __future__ import annotations

from typing import NamedTuple

from mira.schema.evaluation import Interval


class Cell(NamedTuple):
    """A number of a table, a share or a difference of two.

    Attributes:
        value: The number, 0 to 1, or -1 to 1; None where there is none.
        low: Lower end of its interval.
        high: Upper end.
        p: How probable it is by chance; None where nobody tests it.
        signed: Whether it is a difference.
        n: What it was counted on; None where the line tells.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    signed: bool = False
    n: int | None = None


NOTHING = Cell(None)


def cell_of(value: float | None, interval: Interval | None, *, signed: bool = False) -> Cell:
    """A number with its interval."""
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return Cell(value, low=low, high=high, signed=signed)


class Line(NamedTuple):
    """A row.

    Attributes:
        title: What it is.
        cells: One a column.
        apart: Whether a rule stands above it.
    """

    title: str
    cells: tuple[Cell, ...]
    apart: bool = False


class Sheet(NamedTuple):
    """A table.

    Attributes:
        name: For files and for the command line.
        title: Above it.
        notes: What to know to read it.
        columns: Heads of the columns, without that of the titles.
        lines: Its rows.
        averages: Places of columns that average others.
    """

    name: str
    title: str
    notes: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    averages: frozenset[int] = frozenset()


def percent(cell: Cell) -> str:
    """The number in per cent, one decimal; a dash where there is none."""
    if cell.value is None:
        return "–"
    return f"{100 * cell.value:{'+' if cell.signed else ''}.1f}"


def span(cell: Cell, *, between: str = "–") -> str:
    """Its interval in per cent; nothing where there is none."""
    if cell.low is None or cell.high is None:
        return ""
    if cell.signed:
        return f"{100 * cell.low:+.1f} … {100 * cell.high:+.1f}"
    return f"{100 * cell.low:.1f}{between}{100 * cell.high:.1f}"


def p_text(p: float | None) -> str:
    """A probability as text; nothing where there is none."""
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
