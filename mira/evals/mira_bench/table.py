"""A score table on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from mira.evals.mira_bench.questions import joint_subtasks
from mira.evals.mira_bench.titles import title_of_row
from mira.report.terminal import fits
from mira.schema.evaluation import Interval, MetricResult, ScoreTable


class _Column(NamedTuple):
    name: str
    """In a sentence."""
    cell: Callable[[MetricResult], str]
    header: str
    """Above the cells."""
    dropped: int
    """Place in the order in which columns make room; 0 for never."""


def render_score_table(table: ScoreTable) -> ScoreTableView:
    """The table for a terminal: percent, interval, chance, counts.

    A table that is not complete says so below its rows. Where the terminal is narrow, whole
    columns are left out and named; no number is ever shortened.

    Args:
        table: Scores.

    Returns:
        Something `rich` prints.
    """
    return ScoreTableView(table)


@dataclass(frozen=True)
class ScoreTableView:
    """A score table that fits the width it is printed at."""

    table: ScoreTable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """See `rich`."""
        columns = _columns(self.table, dash="-" if options.ascii_only else "–")
        for turn in range(1, len(columns) + 1):
            rendered = _render(self.table, columns, narrow=False)
            if fits(console, options, rendered):
                yield rendered
                return
            columns = [column for column in columns if column.dropped != turn]
        yield _render(self.table, columns, narrow=True)


def _columns(table: ScoreTable, *, dash: str) -> list[_Column]:
    def percent(value: float | None) -> str:
        return dash if value is None else f"{100 * value:.1f}"

    def span(interval: Interval | None) -> str:
        return dash.join((percent(interval.low), percent(interval.high))) if interval else dash

    return [
        _Column("percent", lambda row: percent(row.value), "%", 0),
        _Column("interval", lambda row: span(row.interval), _interval_header(table), 1),
        _Column("chance", lambda row: percent(row.chance), "chance", 2),
        _Column("questions", lambda row: f"{row.n:,}", "n", 5),
        _Column("unparsable", lambda row: f"{row.n_unparsable:,}", "unpar-\nsable", 4),
        _Column("unscored", lambda row: f"{row.n_unscored:,}", "un-\nscored", 3),
    ]


def _render(table: ScoreTable, columns: list[_Column], *, narrow: bool) -> Table:
    rendered = Table(
        title=_title(table),
        caption=_caption(table, columns),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    rendered.add_column("", no_wrap=not narrow, overflow="fold")
    for column in columns:
        rendered.add_column(column.header, justify="right", no_wrap=True)
    for before, row in zip((None, *table.rows), table.rows, strict=False):
        if before is not None and before.group != row.group:
            rendered.add_section()
        cells = (column.cell(row) for column in columns)
        rendered.add_row(row_title(row), *cells, style="" if row.group == "subtask" else "bold")
    return rendered


def row_title(row: MetricResult) -> str:
    """The name of a row of a score table, for people."""
    return title_of_row(row.name, row.group)


def _interval_header(table: ScoreTable) -> str:
    levels = {row.interval.level for row in table.rows if row.interval is not None}
    return f"{100 * levels.pop():g} %\ninterval" if levels else "interval"


def _title(table: ScoreTable) -> str:
    protocol = table.protocol or "all protocols"
    split = f"split {table.split}" if table.split else "all splits"
    return f"Release {table.release_digest[:12]}, {protocol}, {split}"


def _caption(table: ScoreTable, columns: list[_Column]) -> Text:
    notes = [_note_of_joint(table), _note_of_intervals(table), _note_of_width(table, columns)]
    plain = " ".join(note for note in notes if note)
    if table.complete:
        first = ("Every question was scored. Unparsable replies count as wrong.", "dim")
    else:
        overall = table.rows[-1]
        first = (
            f"INCOMPLETE: {overall.n_unscored:,} of {overall.n:,} questions have no reply and are "
            "left out of every figure; averages weigh a sub-task by all its questions, however few "
            "were answered.",
            "bold red",
        )
    return Text.assemble("\n", first, (f" {plain}" if plain else "", "dim"))


def _note_of_joint(table: ScoreTable) -> str:
    if not any(row.name in joint_subtasks() for row in table.rows):
        return ""
    return "The three visibility questions of an object count jointly: all right, or wrong."


def _note_of_intervals(table: ScoreTable) -> str:
    methods = {row.interval.method for row in table.rows if row.interval is not None}
    of_one_scene = sorted(method for method in methods if "one scene" in method)
    if not of_one_scene:
        return ""
    return f"Intervals: {of_one_scene[0]}; they tell nothing of other scenes."


def _note_of_width(table: ScoreTable, columns: list[_Column]) -> str:
    kept = {column.name for column in columns}
    gone = [column.name for column in _columns(table, dash="") if column.name not in kept]
    return f"Not shown for want of width: {', '.join(gone)}." if gone else ""
