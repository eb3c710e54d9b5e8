"""Scores of MOSAIC on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.mosaic.forms import Form, metrics_form
from mira.evals.mosaic.paper_forms import paper_forms
from mira.evals.mosaic.records import MosaicScores

_MARKS = "Aborted trials count in no figure. * p < 0.05, ** p < 0.01, *** p < 0.001"


class MosaicView:
    """Scores that `rich` prints: all metrics of each run, then the paper's tables."""

    def __init__(self, scores: MosaicScores) -> None:
        self.scores = scores

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        for run in self.scores.runs:
            yield from _table(metrics_form(self.scores, run.key))
        for form in paper_forms(self.scores):
            yield from _table(form)
        yield Text(_MARKS, style="dim")


def _table(form: Form) -> Iterator[RenderableType]:
    yield Text(form.title, style="bold")
    if form.note:
        yield Text(form.note, style="dim")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    for place, title in enumerate(form.header):
        if place < form.words:
            table.add_column(title, overflow="fold")
        else:
            table.add_column(title, justify="left" if not title else "right", no_wrap=True)
    grouped = form.words > 1 and len({row[0] for row in form.rows}) < len(form.rows)
    before = ""
    for number, row in enumerate(form.rows, start=1):
        if grouped and before and row[0] != before:
            table.add_section()
        shown = (" ", *row[1:]) if grouped and row[0] == before else row
        table.add_row(*map(Text, shown))
        before = row[0]
        if number in form.breaks:
            table.add_section()
    yield table
    yield Text("")
