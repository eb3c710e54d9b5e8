"""MOSAIC, tables 3 and 4: binomial and chi-square tests from shares of fifty trials."""

from __future__ import annotations

from collections.abc import Iterator

from mira.evals.mosaic.statistics import binomial_p, chi_square_p, yates_chi_square
from mira.evals.papers.records import CellVerdict, PaperCheck
from mira.evals.papers.tables import Row, check_cell, read_table

TRIALS = 50
"""Of each model in each condition."""
_P_CELL, _CHI2_CELL = 0.0005, 0.005
_FLOAT_ERROR = 1e-12
_BELOW = "<"


def check_mosaic_tables() -> Iterator[PaperCheck]:
    """Cells of tables 3 and 4 that follow from others."""
    conforming = {}
    for row in read_table("mosaic_conformance"):
        conforming[row["row"], row["condition"]] = right = round(float(row["tocs"]) * TRIALS)
        p = binomial_p(right, TRIALS)
        reason = f"{right} of {TRIALS} trials give p = {p:.6f}"
        yield _check_p("3", row, rule="exact-binomial", low=p, high=p, reason=reason)
    for row in read_table("mosaic_independence"):
        known = conforming.get((row["row"], row["condition"]))
        if known is not None and row["row"] == "PCM-LLM":
            yield _chi_square(row, known)
    for row in read_table("mosaic_independence"):
        value = float(row["chi2"])
        low = chi_square_p(value + _CHI2_CELL)
        high = chi_square_p(max(0.0, value - _CHI2_CELL))
        reason = (
            f"chi-square {row['chi2']} with one degree of freedom gives {low:.3f} to {high:.3f}"
        )
        yield _check_p("4", row, rule="p-of-chi-square", low=low, high=high, reason=reason)


def _chi_square(row: Row, conforming: int) -> PaperCheck:
    """Whole trials that give the printed value, neutral ones left out.

    The counts are not in print. Their conforming trials are: they stand on one diagonal, whichever
    side the reward was on, and at most the others on the other one.
    """
    found = [value for table in _tables(conforming) if (value := yates_chi_square(table))]
    nearest = min(found, key=lambda value: abs(value - float(row["chi2"])))
    return check_cell(
        "mosaic",
        "4",
        f"{row['row']} / {row['condition']} / chi2",
        rule="chi-square-of-whole-trials",
        published=row["chi2"],
        recomputed=nearest,
        tolerance=_CHI2_CELL,
        reason=f"no table with {conforming} conforming of {TRIALS} trials gives it",
    )


def _tables(conforming: int) -> Iterator[tuple[int, int, int, int]]:
    for first in range(conforming + 1):
        for others in range(TRIALS - conforming + 1):
            for second in range(others + 1):
                yield first, second, others - second, conforming - first


def _check_p(
    table: str, row: Row, *, rule: str, low: float, high: float, reason: str
) -> PaperCheck:
    """A printed p-value, or bound of one, held against a range."""
    printed = row["p"]
    bound = float(printed.removeprefix(_BELOW))
    if printed.startswith(_BELOW):
        same = low < bound
    else:
        same = low - _P_CELL - _FLOAT_ERROR <= bound <= high + _P_CELL + _FLOAT_ERROR
    verdict: CellVerdict = "reproduces" if same else "differs"
    nearest = low if printed.startswith(_BELOW) else min(max(bound, low), high)
    return PaperCheck(
        paper="mosaic",
        table=table,
        cell=f"{row['row']} / {row['condition']} / p",
        rule=rule,
        published=printed,
        recomputed=float(f"{nearest:.6g}"),
        tolerance=_P_CELL,
        verdict=verdict,
        reason=None if same else reason,
    )
