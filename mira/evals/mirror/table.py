"""Scores of the mirror test on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.mirror.records import MirrorRow, MirrorScores, MirrorValue, PlayerScores
from mira.report.terminal import fits

GROUP_TITLES = {"human": "Human", "robot": "Robot", "overall": "Overall"}


class _Column(NamedTuple):
    header: str
    cell: Callable[[MirrorRow], str]
    dropped: int
    """Place in the order in which columns make room; 0 for never."""


@dataclass(frozen=True)
class MirrorTableView:
    """Scores of players, a table each, that fit the width they are printed at.

    Attributes:
        scores: What is shown.
    """

    scores: MirrorScores

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        dash = "-" if options.ascii_only else "–"
        minus = "-" if options.ascii_only else "−"
        columns = _columns(dash=dash, minus=minus)
        turns = max(column.dropped for column in columns)
        for player in self.scores.players:
            kept = columns
            for turn in range(1, turns + 2):
                table = _table(player, kept)
                whole = fits(console, options, table)
                if whole or turn > turns:
                    break
                kept = [column for column in kept if column.dropped != turn]
            yield table if whole else _table(player, kept, wraps=True)
            yield _notes(player, minus=minus)


def _columns(*, dash: str, minus: str) -> list[_Column]:
    def number(value: MirrorValue) -> str:
        return dash if value.value is None else f"{value.value:.3f}".replace("-", minus)

    return [
        _Column("n", lambda row: f"{row.n:,}", 0),
        _Column("TSR", lambda row: number(row.tsr), 0),
        _Column("SIR", lambda row: number(row.sir), 0),
        _Column("FCR", lambda row: number(row.fcr), 0),
        _Column("PCR", lambda row: number(row.pcr), 0),
        _Column("AVG", lambda row: number(row.avg), 0),
        _Column("interval of AVG", lambda row: _span(row.avg, dash, minus), 3),
        _Column("to image", lambda row: _percent(row.image_share, dash), 2),
        _Column("unread", lambda row: f"{row.n_unreadable:,}", 5),
        _Column("refused", lambda row: f"{row.n_refused:,}", 1),
        _Column("aborted", lambda row: f"{row.n_aborted:,}", 4),
    ]


def _table(player: PlayerScores, columns: list[_Column], *, wraps: bool = False) -> Table:
    """A table of a player; where not even its least columns fit, its cells wrap."""
    table = Table(
        title=Text(player.name, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    table.add_column("", no_wrap=not wraps, overflow="fold")
    table.add_column("level", no_wrap=not wraps, overflow="fold")
    for column in columns:
        table.add_column(column.header, justify="right", no_wrap=not wraps, overflow="fold")
    for before, row in zip((None, *player.rows), player.rows, strict=False):
        is_first = before is None or before.group != row.group
        if is_first and before is not None:
            table.add_section()
        group = GROUP_TITLES[row.group] if is_first else ""
        level = "all" if row.level is None else str(row.level)
        style = "bold" if row.level is None else ""
        table.add_row(group, level, *(column.cell(row) for column in columns), style=style)
    return table


def _notes(player: PlayerScores, *, minus: str) -> Text:
    overall = player.rows[-1]
    notes = [f"Not all of the test: {lacking}."] if (lacking := player.scenes_lacking) else []
    if overall.n_aborted:
        notes.append(
            f"{overall.n_aborted:,} of {overall.n:,} episodes were aborted and are in no number."
        )
    for one in player.stability[:1]:
        if one.value.value is not None:
            value = f"{one.value.value:.3f}".replace("-", minus)
            notes.append(f"Cognitive Stability {value}, of {one.n_scenes:,} scenes.")
    if overall.n_unreadable:
        notes.append(
            f"{overall.n_unreadable:,} of {overall.n_steps:,} replies could not be read as a move; "
            "each spent a turn."
        )
    return Text("\n".join(["", *notes, ""]), style="dim")


def _span(value: MirrorValue, dash: str, minus: str) -> str:
    if value.interval is None:
        return dash
    ends = (f"{end:.3f}".replace("-", minus) for end in (value.interval.low, value.interval.high))
    return " to ".join(ends)


def _percent(value: MirrorValue, dash: str) -> str:
    return dash if value.value is None else f"{100 * value.value:.0f} %"
