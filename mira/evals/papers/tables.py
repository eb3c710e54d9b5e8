"""Published figures as they are kept in the package, and a cell held against one."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from mira.evals.papers.records import CellVerdict, Paper, PaperCheck

_FLOAT_ERROR = 1e-9

Row = dict[str, str]


@cache
def read_table(name: str) -> tuple[Row, ...]:
    """Rows of a table of `data/`, every cell as it is written."""
    text = files("mira.evals.papers").joinpath("data", f"{name}.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def check_cell(
    paper: Paper,
    table: str,
    cell: str,
    *,
    rule: str,
    published: str,
    recomputed: float,
    tolerance: float,
    reason: str | None = None,
) -> PaperCheck:
    """A published number held against a recomputed one.

    Args:
        paper: Whose table.
        table: Its number.
        cell: Row and column.
        rule: How it was recomputed.
        published: As printed.
        recomputed: What other figures give.
        tolerance: Largest difference that rounding explains.
        reason: Why it differs, should it.
    """
    same = abs(recomputed - float(published)) <= tolerance + _FLOAT_ERROR
    verdict: CellVerdict = "reproduces" if same else "differs"
    return PaperCheck(
        paper=paper,
        table=table,
        cell=cell,
        rule=rule,
        published=published,
        recomputed=round(recomputed, 6),
        tolerance=tolerance,
        verdict=verdict,
        reason=None if same else reason,
    )
