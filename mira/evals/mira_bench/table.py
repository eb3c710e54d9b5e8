"""A score table on the terminal."""

from __future__ import annotations

from rich import box
from rich.table import Table

from mira.schema.evaluation import MetricResult, ScoreTable
from mira.taxonomy.catalogue import taxonomy

_NOTHING = "–"


def render_score_table(table: ScoreTable) -> Table:
    """The table for a terminal of 80 columns: percent, interval, chance, counts.

    A table that is not complete says so below its rows.

    Args:
        table: Scores.

    Returns:
        Something `rich` prints.
    """
    rendered = Table(
        title=_title(table),
        caption=_caption(table),
        title_justify="left",
        caption_justify="left",
        caption_style="bold red" if not table.complete else "dim",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    rendered.add_column("", no_wrap=True)
    for header in ("%", _interval_header(table), "chance", "n", "unpar-\nsable", "un-\nscored"):
        rendered.add_column(header, justify="right", no_wrap=True)
    for before, row in zip((None, *table.rows), table.rows, strict=False):
        if before is not None and before.group != row.group:
            rendered.add_section()
        rendered.add_row(*_cells(row), style="" if row.group == "subtask" else "bold")
    return rendered


def _cells(row: MetricResult) -> tuple[str, ...]:
    interval = row.interval
    return (
        _name(row),
        _percent(row.value),
        _NOTHING if interval is None else f"{_percent(interval.low)}–{_percent(interval.high)}",
        _percent(row.chance),
        f"{row.n:,}",
        f"{row.n_unparsable:,}",
        f"{row.n_unscored:,}",
    )


def _name(row: MetricResult) -> str:
    if row.group == "overall":
        return "Overall"
    if row.group == "level":
        level_id = row.name.removeprefix("level:")
        return next(level.name for level in taxonomy().levels if level.id == level_id)
    return taxonomy().subtask(row.name).name


def _percent(value: float | None) -> str:
    return _NOTHING if value is None else f"{100 * value:.1f}"


def _interval_header(table: ScoreTable) -> str:
    levels = {row.interval.level for row in table.rows if row.interval is not None}
    return f"{100 * levels.pop():g} %\ninterval" if levels else "interval"


def _title(table: ScoreTable) -> str:
    protocol = table.protocol or "all protocols"
    split = f"split {table.split}" if table.split else "all splits"
    return f"Release {table.release_digest[:12]}, {protocol}, {split}"


def _caption(table: ScoreTable) -> str:
    if table.complete:
        return "\nEvery question was scored. Unparsable replies count as wrong."
    overall = table.rows[-1]
    return (
        f"\nINCOMPLETE: {overall.n_unscored:,} of {overall.n:,} questions have no reply and are "
        "left out of every figure."
    )
