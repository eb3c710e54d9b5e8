"""Beliefs and what is done about them, on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.beliefs.records import BeliefGap, BeliefRow, BeliefScores
from mira.report.terminal import fits
from mira.schema.evaluation import Interval

ROLES = {"agent": "", "subject": ", as the one who knows", "participant": ", as the one who looks"}
QUESTIONS = {
    "reflection": "is the figure a reflection?",
    "near_figure": "is the near figure one?",
    "own_mark": "is the mark on me?",
    "frame": "is the frame on me?",
    "reward": "where is the reward?",
    "other": "where does the other think it is?",
    "other_of_self": "where does it think that I do?",
}
"""What is asked, in brief."""
_Cell = Callable[[BeliefRow], str]


@dataclass(frozen=True)
class BeliefsView:
    """A table for each player, as wide as there is room; see `rich`.

    Where the terminal is narrow, whole columns are left out and named; no number is shortened.
    """

    scores: BeliefScores

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        columns = _columns("-" if options.ascii_only else "–", "-" if options.ascii_only else "−")
        players = [
            list(rows)
            for _, rows in groupby(self.scores.rows, lambda row: (row.run, row.player, row.role))
        ]
        gone: list[str] = []
        for name in _FIRST_TO_GO:
            if all(fits(console, options, _table(rows, columns)) for rows in players):
                break
            del columns[name]
            gone.append(_HEADERS.get(name, name).replace("\n", " "))
        for rows in players:
            yield _table(rows, columns, folds=bool(gone))
            yield ""
        yield _notes(self.scores, gone)


def _table(rows: list[BeliefRow], columns: dict[str, _Cell], *, folds: bool = False) -> Table:
    first = rows[0]
    run = "" if first.run == first.player else f"{first.run}: "
    table = Table(
        title=Text(f"{run}{first.player}{ROLES[first.role]}", style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    table.add_column("", no_wrap=not folds, overflow="fold")
    for name in columns:
        table.add_column(_HEADERS.get(name, name), justify="right", no_wrap=True)
    for row in rows:
        title = f"  {row.cell.replace('_', ' ')}" if row.cell else title_of(row)
        style = "" if row.cell else "bold"
        table.add_row(title, *(cell(row) for cell in columns.values()), style=style)
    return table


def title_of(row: BeliefRow) -> str:
    """What a question is called."""
    title = QUESTIONS.get(row.question, row.question)
    return f"{title} (control)" if row.is_control else title


_HEADERS = {
    "accuracy": "right\n%",
    "interval": "95 %\ninterval",
    "first": "first\noption %",
    "unparsable": "unpar-\nsable",
    "unheard": "not\nheard",
    "agreement": "acted\non %",
    "of": "de-\ncided",
    "of_right": "of these\nright %",
    "undecided": "unde-\ncided",
    "gap_interval": "95 % of\nthe gap",
}
_FIRST_TO_GO = ("order", "first", "interval", "unheard", "gap_interval", "unparsable", "undecided")


def _columns(dash: str, minus: str) -> dict[str, _Cell]:
    """Cells of a row by the name of the column, in their order."""

    def of_gap(tell: Callable[[BeliefGap], str]) -> _Cell:
        return lambda row: dash if row.gap is None else tell(row.gap)

    def share(value: float | None) -> str:
        return dash if value is None else f"{100 * value:.1f}"

    def signed(value: float | None) -> str:
        return dash if value is None else f"{100 * value:+.1f}".replace("-", minus)

    def span(interval: Interval | None) -> str:
        if interval is None:
            return dash
        ends = (f"{100 * end:.1f}" for end in (interval.low, interval.high))
        return " to ".join(end.replace("-", minus) for end in ends)

    return {
        "order": lambda row: dash if row.order is None else str(row.order),
        "asked": lambda row: f"{row.n_asked:,}",
        "accuracy": lambda row: share(row.accuracy),
        "interval": lambda row: span(row.interval),
        "first": lambda row: share(row.first_share),
        "unparsable": lambda row: f"{row.n_unparsable:,}",
        "unheard": lambda row: f"{row.n_unheard:,}",
        "of": of_gap(lambda gap: f"{gap.n:,}"),
        "of_right": of_gap(lambda gap: share(gap.accuracy)),
        "agreement": of_gap(lambda gap: share(gap.agreement)),
        "undecided": of_gap(lambda gap: f"{gap.n_undecided:,}"),
        "gap": of_gap(lambda gap: signed(gap.gap)),
        "gap_interval": of_gap(lambda gap: span(gap.interval)),
    }


def _notes(scores: BeliefScores, gone: list[str]) -> Text:
    notes = [
        "Decided: probes that state a belief and after which something was done that tells. Gap: "
        "of these, right less acted on, in points. Unparsable replies count as wrong.",
    ]
    if any(row.is_control for row in scores.rows):
        notes.append("Controls are right by the other option: who always says the same fails them.")
    if unheard := sum(row.n_unheard for row in scores.rows if row.cell is None):
        notes.append(f"{unheard:,} probes were not heard and count neither way.")
    if gone:
        notes.append(f"Not shown for want of width: {', '.join(gone)}.")
    return Text(" ".join(notes), style="dim")
