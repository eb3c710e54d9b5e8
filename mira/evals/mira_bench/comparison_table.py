"""A comparison of two runs on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.mira_bench.comparing import ComparedRow, RunComparison
from mira.evals.mira_bench.titles import title_of_row


class ComparisonView:
    """A comparison that `rich` prints: rows, then what else differs."""

    def __init__(self, comparison: RunComparison) -> None:
        self.comparison = comparison

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        found = self.comparison
        yield Text(f"First:  {found.first}\nSecond: {found.second}\n")
        yield _rows(found, width=options.max_width)
        yield _notes(found)


def _rows(found: RunComparison, *, width: int) -> Table:
    columns = [column for column in _COLUMNS if width >= column.from_width]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    table.add_column("", overflow="fold")
    for column in columns:
        table.add_column(column.header, justify="right", no_wrap=True)
    for before, row in zip((None, *found.rows), found.rows, strict=False):
        if before is not None and before.group != row.group:
            table.add_section()
        style = "" if row.group == "subtask" else "bold"
        cells = (column.cell(row) for column in columns)
        table.add_row(title_of_row(row.name, row.group), *cells, style=style)
    return table


def _interval(row: ComparedRow) -> str:
    if row.interval is None:
        return "–"
    return f"{100 * row.interval.low:+.1f} … {100 * row.interval.high:+.1f}"


def _percent(value: float | None, *, sign: str = "") -> str:
    return "–" if value is None else f"{100 * value:{sign}.1f}"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


class _Column(NamedTuple):
    header: str
    cell: Callable[[ComparedRow], str]
    from_width: int
    """Narrower terminals have no room for it."""


_COLUMNS = (
    _Column("first", lambda row: _percent(row.first), 0),
    _Column("second", lambda row: _percent(row.second), 0),
    _Column("differ-\nence", lambda row: _percent(row.difference, sign="+"), 0),
    _Column("95 %\ninterval", _interval, 64),
    _Column("p by\nscenes", lambda row: _p(row.p_scenes) if row.n_units else "–", 50),
    _Column("p,\nHolm", lambda row: _p(row.p_holm), 76),
    _Column("p,\nMcNemar", lambda row: _p(row.p_mcnemar) if row.n_units else "–", 104),
    _Column("only\nfirst", lambda row: f"{row.first_alone:,}", 92),
    _Column("only\nsecond", lambda row: f"{row.second_alone:,}", 92),
    _Column("units", lambda row: f"{row.n_units:,}", 84),
)


def _notes(found: RunComparison) -> Text:
    what = "items, for the protocols differ" if found.paired_by == "item" else "questions"
    text = Text(f"\n{found.n_pairs:,} {what} that both were heard on.", style="dim")
    left_out = found.n_first_alone + found.n_second_alone
    if left_out:
        text.append(
            f" Left out: {found.n_first_alone:,} that only the first was heard on, "
            f"{found.n_second_alone:,} that only the second was.",
            style="yellow",
        )
    methods = {row.interval.method for row in found.rows if row.interval is not None}
    text.append("".join(f" Intervals: {method}." for method in sorted(methods)), style="dim")
    text.append(" p by scenes: both exchanged scene by scene.", style="dim")
    if found.settings:
        text.append("\nNot the same in both, so that the difference may come of it:", style="bold")
        for one in found.settings:
            text.append(f"\n  {one.setting}: {one.first} | {one.second}", style="yellow")
    if found.untold:
        text.append(f"\nNeither tells: {', '.join(found.untold)}.", style="yellow")
    return text
