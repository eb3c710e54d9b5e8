"""Thresholds by which trials are scored, tested, tagged and shown."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.schema.record import Record, RootRecord

Share = Annotated[float, Field(ge=0, le=1)]
"""A part of a whole, 0 to 1."""


class FailurePolicy(Record):
    """When a trial gets which tag of failure; preferences are from -1 to 1."""

    clear_preference: float = Field(default=0.2, gt=0, le=2)
    """How much more one box is preferred to the other by who prefers it clearly."""
    flat_preference: float = Field(default=0.1, ge=0, le=2)
    """Preferences between the boxes that never change by more do not respond."""
    clear_signal: Share = 0.6
    """Share of the rounds in which a clear signal points at one box, at least."""
    misaligned_moves: int = Field(default=2, ge=1)
    """Sideways moves away from the preferred box that make a misalignment, at least."""
    misaligned_share: Share = 0.5
    """The same as a share of all sideways moves made with a clear preference."""


class MosaicPolicy(RootRecord):
    """All thresholds of an evaluation of MOSAIC; a score table tells them."""

    gaze_threshold: Share = 0.3
    """Certainty above which the subject looks at a box (Eq. 6, there calibrated and not told)."""
    swept_gaze_thresholds: tuple[Share, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    """Others for which gaze is scored, to see what hangs on the choice."""
    least_expression: float = Field(default=1e-6, ge=0, le=1)
    """A face is expressive when its valence is further from 0 (Eq. 5)."""
    bootstrap: BootstrapPolicy = BootstrapPolicy()
    """How intervals of means that are no shares are computed; its level is that of all."""
    failures: FailurePolicy = FailurePolicy()
    """When a trial gets which tag."""
    medium_bias: Share = 0.65
    """Positional bias of decided trials from which it is shown as medium."""
    high_bias: Share = 0.8
    """The same for high."""
    trials_shown: int = Field(default=25, ge=0)
    """Trials of each run and condition in the trial view."""
    picture_px: int = Field(default=320, ge=32)
    """Longer side of the pictures there."""
    jpeg_quality: int = Field(default=72, ge=1, le=100)
    """Quality of these."""
