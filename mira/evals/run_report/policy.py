"""How much a report shows, and how it is computed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.schema.record import RootRecord


class RunReportPolicy(RootRecord):
    """Bounds of a report on runs."""

    bootstrap: BootstrapPolicy = BootstrapPolicy()
    """How intervals are computed."""
    least_questions: int = Field(default=10, ge=1)
    """Slices of fewer questions are not shown; the table `slices.csv` has all."""
    confidence_bins: int = Field(default=10, ge=2, le=50)
    """Bins of the reliability diagram and of the calibration error, of equal width."""
    linked_by: Literal["instance", "object"] = "instance"
    """What a decision shares with the questions that it is held against."""
    examples: int = Field(default=2, ge=0)
    """Wrong answers of each sub-task and run that are shown with their pictures."""
    thumbnail_px: int = Field(default=420, ge=32)
    """Longer side of their pictures."""
    jpeg_quality: int = Field(default=80, ge=1, le=100)
    """Quality of these."""
    most_counts: int = Field(default=12, ge=1)
    """Highest count with a row of its own in the table of counts."""
