"""Records of recomputed cells."""

from __future__ import annotations

from typing import Literal

from mira.schema.record import Record, RootRecord

Paper = Literal["mira", "mirrorbench", "mosaic"]
"""`mira`: MIRA-Bench. `mirrorbench`: the simulated mirror test. `mosaic`: the treasure game."""
CellVerdict = Literal["reproduces", "differs", "not_recomputable"]
"""Whether a cell follows from others within their rounding; the last where they decide nothing."""


class PaperCheck(Record):
    """One published cell, and what other published figures make of it."""

    paper: Paper
    """Whose table."""
    table: str
    """Number of the table, as printed; in words where it is none of the paper's."""
    cell: str
    """Row and column."""
    rule: str
    """How it was recomputed, in kebab-case."""
    published: str
    """As printed."""
    recomputed: float | None
    """What the figures it follows from give; absent where they do not decide it."""
    tolerance: float | None
    """Largest difference that rounding explains."""
    verdict: CellVerdict
    """What came of it."""
    known: bool = False
    """Of a cell that differs: whether it is one of those that we found and looked into."""
    reason: str | None = None
    """Why it differs or cannot be recomputed, as far as one can tell; absent where it does."""


class PapersReport(RootRecord):
    """All published cells that can be recomputed."""

    clean: bool
    """Whether the cells that differ are those that are known to, and no others."""
    reproduced: int
    """Cells that reproduce."""
    differing: int
    """Cells that do not."""
    not_recomputable: int
    """Cells that figures in print do not decide."""
    not_differing: tuple[str, ...] = ()
    """Cells that are listed as known to differ and do not: our computing has changed."""
    checks: tuple[PaperCheck, ...]
    """Cell by cell."""
