"""A leaderboard on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.leaderboard.records import BoardEntry, Leaderboard


class BoardView:
    """A board that `rich` prints: lines with ranks, then what is apart and why."""

    def __init__(self, board: Leaderboard) -> None:
        self.board = board

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
        for head, justify in (
            ("rank", "right"),
            ("", "left"),
            ("%", "right"),
            ("interval", "right"),
        ):
            table.add_column(head, justify=justify, overflow="fold")  # type: ignore[arg-type]
        before = None
        for one in self.board.entries:
            if before not in (None, one.kind):
                table.add_section()
                if one.kind == "published":
                    table.add_row("", Text("published, not comparable: other data", "yellow"))
            before = one.kind
            table.add_row(str(one.rank or ""), _title(one), *_overall(one))
        yield table
        yield Text(
            "\nRank: one more than the number of models that are better by a paired test, "
            "corrected for all pairs.",
            style="dim",
        )


def _title(one: BoardEntry) -> Text:
    title = Text(one.key if one.kind in ("ranked", "apart") else one.model)
    for reason in one.reasons if one.kind == "apart" else ():
        title.append(f"\n≠ {reason}", style="yellow")
    return title


def _overall(one: BoardEntry) -> tuple[str, str]:
    overall = one.score("overall")
    if overall is None or overall.value is None:
        return "–", ""
    interval = overall.interval
    ends = f"{100 * interval.low:.1f}–{100 * interval.high:.1f}" if interval else ""
    return f"{100 * overall.value:.1f}", ends
