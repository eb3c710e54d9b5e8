"""Tables on the terminal, which give up whole columns where it is narrow."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement

_UNBOUNDED = 1_000
"""Columns of a terminal on which every table fits."""


def fits(console: Console, options: ConsoleOptions, table: RenderableType) -> bool:
    """Whether a table is shown whole at the width that there is, no cell shortened.

    Args:
        console: Where it is printed.
        options: Among them the width.
        table: What is to be printed.
    """
    unbounded = options.update(max_width=_UNBOUNDED)
    return Measurement.get(console, unbounded, table).maximum <= options.max_width
