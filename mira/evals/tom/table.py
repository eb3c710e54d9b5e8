"""Scores on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.tom.records import TomGap, TomRow, TomScores
from mira.evals.tom.titles import GROUPS, title_of
from mira.schema.evaluation import Interval

_FULL_WIDTH = 76
"""From which on chance and both kinds of failed replies have columns of their own."""


@dataclass(frozen=True)
class TomScoresView:
    """Scores that fit the width they are printed at; see `rich`."""

    scores: TomScores

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        del console
        dash = "-" if options.ascii_only else "–"
        is_wide = options.max_width >= _FULL_WIDTH
        for source in dict.fromkeys(row.source for row in self.scores.rows):
            yield self._table(source, dash, is_wide=is_wide)
            yield ""
        if self.scores.gaps:
            yield _gap_table(self.scores.gaps, dash)
            yield ""
        yield self._notes()

    def _table(self, source: str, dash: str, *, is_wide: bool) -> Table:
        title = self.scores.run if source == "all" else source
        table = _empty(f"{title}, accuracy")
        table.add_column("", overflow="fold")
        for header in ("%", "95 %\ninterval", "n"):
            table.add_column(header, justify="right", no_wrap=True)
        if is_wide:
            for header in ("chance", "unpar-\nsable", "un-\nscored"):
                table.add_column(header, justify="right", no_wrap=True)
        before = "overall"
        for row in (row for row in self.scores.rows if row.source == source):
            if row.group != before:
                table.add_section()
                table.add_row(Text(GROUPS[row.group], style="dim italic"))
                before = row.group
            table.add_row(*_cells(row, dash, is_wide=is_wide), style=_style(row))
        return table

    def _notes(self) -> Text:
        scores = self.scores
        notes = ["Unparsable replies count as wrong."]
        if scores.turns_options:
            notes.append("A question counts when it is right in every rotation of its options.")
        if not scores.complete:
            first = (
                f"INCOMPLETE: {scores.n_unscored:,} of {scores.n:,} questions have no reply and "
                "are left out of every figure, with the groups they belong to. "
            )
            return Text.assemble((first, "bold red"), (" ".join(notes), "dim"))
        return Text("Every question was scored. " + " ".join(notes), style="dim")


def _empty(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )


def _style(row: TomRow) -> str:
    return "bold" if row.group == "overall" else ""


def _cells(row: TomRow, dash: str, *, is_wide: bool) -> Iterator[str]:
    indent = "" if row.group == "overall" else "  "
    yield f"{indent}{title_of(row)}"
    yield _percent(row.value, dash)
    yield _span(row.interval, dash)
    yield f"{row.n_units:,}"
    if is_wide:
        yield _percent(row.chance, dash)
        yield f"{row.n_unparsable:,}"
        yield f"{row.n_unscored:,}"


def _gap_table(gaps: tuple[TomGap, ...], dash: str) -> Table:
    table = _empty("Told outright against applied, on the same stories")
    table.add_column("", overflow="fold")
    for header in ("told\n%", "applied\n%", "gap", "95 %\ninterval", "pairs", "p,\nMcNemar"):
        table.add_column(header, justify="right", no_wrap=True)
    for gap in gaps:
        table.add_row(
            f"{gap.source}, {gap.applied}",
            _percent(gap.explicit, dash),
            _percent(gap.used, dash),
            f"{100 * gap.difference:+.1f}",
            _span(gap.interval, dash, " to "),
            f"{gap.n_pairs:,}",
            "<0.001" if gap.p_mcnemar < 0.001 else f"{gap.p_mcnemar:.3f}",
        )
    return table


def _percent(value: float | None, dash: str) -> str:
    return dash if value is None else f"{100 * value:.1f}"


def _span(interval: Interval | None, dash: str, between: str | None = None) -> str:
    if interval is None:
        return dash
    return (between or dash).join(f"{100 * end:.1f}" for end in (interval.low, interval.high))
