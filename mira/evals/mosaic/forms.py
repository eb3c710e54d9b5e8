"""Scores as tables of text, for terminal, page and LaTeX alike."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.failures import TITLES
from mira.evals.mosaic.records import (
    FailureName,
    MetricName,
    MosaicCell,
    MosaicScores,
)

NONE = "–"
Row = tuple[str, ...]
METRIC_TITLES: dict[MetricName, str] = {
    "tocs": "TOCS",
    "tocs_decided": "TOCS, non-neutral",
    "right": "reward box chosen",
    "uncertainty": "uncertainty rate",
    "bias": "positional bias",
    "bias_decided": "positional bias, non-neutral",
    "bias_side": "side bias, non-neutral",
    "fes": "FES",
    "gas": "GAS",
    "tas": "TAS",
    "s": "S",
    "s_trajectory": "S, trajectory",
    "s_gaze": "S, gaze",
}
"""What metrics are called in tables."""
_OUTCOMES: tuple[MetricName, ...] = (
    *("tocs", "tocs_decided", "right", "uncertainty"),
    *("bias", "bias_decided", "bias_side"),
)
_SIGNALS: tuple[MetricName, ...] = ("fes", "gas", "tas", "s", "s_trajectory", "s_gaze")
_OF_DECIDED: tuple[MetricName, ...] = ("tocs_decided", "bias_decided", "bias_side")


class Form(NamedTuple):
    """A table of text."""

    name: str
    """Short, for links and labels."""
    title: str
    """What it shows."""
    note: str
    """How to read it."""
    header: Row
    """Titles of columns."""
    rows: tuple[Row, ...]
    """Cells; as many a row as titles."""
    words: int
    """Columns from the left that hold words, not numbers."""
    breaks: tuple[int, ...] = ()
    """Numbers of rows after which something else begins."""


def metrics_form(scores: MosaicScores, run: str) -> Form:
    """All metrics of a run, a column a condition."""
    cells = [scores.cell(run, condition.id) for condition in CONDITIONS]
    blocks: list[list[Row]] = [
        [
            ("trials", *(f"{cell.n:,}" if cell else NONE for cell in cells)),
            ("aborted, left out", *(f"{cell.n_aborted:,}" if cell else NONE for cell in cells)),
            ("turns not read", *(f"{cell.n_unread:,}" if cell else NONE for cell in cells)),
        ],
        *(
            [(METRIC_TITLES[name], *(_metric_text(cell, name) for cell in cells)) for name in names]
            for names in (_OUTCOMES, _SIGNALS)
        ),
        [(title, *_failure_texts(scores, run, name)) for name, title in TITLES.items()],
    ]
    told = next(one for one in scores.runs if one.key == run)
    return Form(
        name="metrics",
        title=f"{run}: {told.n:,} trials, {told.n_aborted:,} aborted",
        note=f"θ_g = {scores.policy.gaze_threshold:g}; failures as tagged of decidable trials",
        header=("", *(one.title for one in CONDITIONS)),
        rows=tuple(row for block in blocks for row in block),
        words=1,
        breaks=tuple(accumulate(map(len, blocks))),
    )


def _metric_text(cell: MosaicCell | None, name: MetricName) -> str:
    """A metric, with the trials it is of where these are not the expected ones."""
    if cell is None:
        return NONE
    one = cell.metric(name)
    expected = cell.n - cell.n_neutral if name in _OF_DECIDED else cell.n
    return format_number(one.value) + ("" if one.n == expected else f" (n {one.n:,})")


def _failure_texts(scores: MosaicScores, run: str, name: FailureName) -> Row:
    """How many trials have a tag, of how many that can be decided, by condition."""
    counts = {
        one.condition: f"{one.times:,}/{one.n:,}"
        for one in scores.failures
        if (one.run, one.failure) == (run, name) and one.n
    }
    return tuple(counts.get(one.id, NONE) for one in CONDITIONS)


def format_number(value: float | None, digits: int = 3) -> str:
    """A number with so many digits after the point; a dash where there is none."""
    # Adding 0 makes a rounded -0 a 0.
    return NONE if value is None else f"{round(value, digits) + 0:.{digits}f}"


def format_p(p: float | None) -> str:
    """A p-value as the paper prints it."""
    if p is None:
        return NONE
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def stars(p: float | None) -> str:
    """The paper's marks of significance."""
    if p is None:
        return ""
    return "*" * sum(p < bound for bound in (0.05, 0.01, 0.001))
