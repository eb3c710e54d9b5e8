"""Scores on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.tom.records import ALL_SOURCES, TomGap, TomRow, TomScores
from mira.evals.tom.titles import GROUPS, title_of
from mira.report.terminal import fits
from mira.schema.evaluation import Interval

_INDENT = "  "
_Cell = Callable[[TomRow], str]


@dataclass(frozen=True)
class TomScoresView:
    """Scores that fit the width they are printed at; see `rich`.

    Where the terminal is narrow, whole columns are left out and named; no number is shortened.
    """

    scores: TomScores

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        dash = "-" if options.ascii_only else "–"
        columns = _columns(dash)
        sources = list(dict.fromkeys(row.source for row in self.scores.rows))
        while len(columns) > 1 and any(
            not fits(console, options, self._table(source, columns)) for source in sources
        ):
            columns.popitem()
        gone = [name for name in _columns(dash) if name not in columns]
        for source in sources:
            yield self._table(source, columns, folds=bool(gone))
            yield ""
        yield from _gaps(self.scores.gaps, dash)
        yield self._notes(gone)

    def _table(self, source: str, columns: dict[str, _Cell], *, folds: bool = False) -> Table:
        title = self.scores.run if source == ALL_SOURCES else source
        table = Table(
            title=f"{title}, accuracy",
            title_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            show_edge=False,
            collapse_padding=True,
        )
        table.add_column("", no_wrap=not folds, overflow="fold")
        for name in columns:
            table.add_column(_HEADERS.get(name, name), justify="right", no_wrap=True)
        before = "overall"
        for row in (row for row in self.scores.rows if row.source == source):
            if row.group != before:
                table.add_section()
                table.add_row(Text(GROUPS[row.group], style="dim italic"))
                before = row.group
            indent = "" if row.group == "overall" else _INDENT
            cells = (cell(row) for cell in columns.values())
            style = "bold" if row.group == "overall" else ""
            table.add_row(f"{indent}{title_of(row)}", *cells, style=style)
        return table

    def _notes(self, gone: list[str]) -> Text:
        scores = self.scores
        notes = ["Unparsable replies count as wrong."]
        if scores.turns_options:
            notes.append("A question counts when it is right in every rotation of its options.")
        if gone:
            notes.append(f"Not shown for want of width: {', '.join(gone)}.")
        if not scores.complete:
            first = (
                f"INCOMPLETE: {scores.n_unscored:,} of {scores.n:,} questions have no reply and "
                "are left out of every figure, with the groups they belong to. "
            )
            return Text.assemble((first, "bold red"), (" ".join(notes), "dim"))
        return Text("Every question was scored. " + " ".join(notes), style="dim")


_HEADERS = {
    "interval": "95 %\ninterval",
    "unparsable": "unpar-\nsable",
    "unscored": "un-\nscored",
}


def _columns(dash: str) -> dict[str, _Cell]:
    """Cells of a row by the name of the column; the last make room first."""
    return {
        "%": lambda row: _percent(row.value, dash),
        "n": lambda row: f"{row.n_units:,}",
        "interval": lambda row: _span(row.interval, dash),
        "chance": lambda row: _percent(row.chance, dash),
        "unscored": lambda row: f"{row.n_unscored:,}",
        "unparsable": lambda row: f"{row.n_unparsable:,}",
    }


def _gaps(gaps: Sequence[TomGap], dash: str) -> Iterator[Text]:
    """A sentence a gap: it holds more than a narrow table could."""
    for gap in gaps:
        applied = "what follows" if gap.applied == "action" else "whether it is sensible"
        p = "<0.001" if gap.p_mcnemar < 0.001 else f"{gap.p_mcnemar:.3f}"
        interval = "" if gap.interval is None else f" ({_span(gap.interval, dash, ' to ')})"
        yield Text(
            f"{gap.source}: {_percent(gap.explicit, dash)} % told outright, "
            f"{_percent(gap.used, dash)} % right on {applied}, of the same {gap.n_pairs:,} "
            f"stories: a gap of {100 * gap.difference:+.1f}{interval}, p {p} (McNemar)."
        )
    if gaps:
        yield Text("")


def _percent(value: float | None, dash: str) -> str:
    return dash if value is None else f"{100 * value:.1f}"


def _span(interval: Interval | None, dash: str, between: str | None = None) -> str:
    if interval is None:
        return dash
    return (between or dash).join(f"{100 * end:.1f}" for end in (interval.low, interval.high))
