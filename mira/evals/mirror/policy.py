"""Numbers that scores of the mirror test depend on."""

from __future__ import annotations

from pydantic import Field

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.schema.record import Record


class MirrorPolicy(Record):
    """How episodes are scored."""

    improves_by_m: float = Field(default=1e-5, ge=0)
    """A step improves when the distance falls by more."""
    level_tolerance: float = Field(default=1e-9, ge=0)
    """Scores of two levels that differ by no more are equal to Cognitive Stability."""
    mirror_x_m: float = 2.0
    """Where the mirror stands, in the published scenes; decides which moves go to its image."""
    bootstrap: BootstrapPolicy = BootstrapPolicy()
    """Of the intervals."""
