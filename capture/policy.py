"""Thresholds of recording; a session keeps those it was recorded with."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record


class CapturePolicy(Record):
    """When frames are good enough, and how long a camera is waited for."""

    max_dt_periods: float = Field(default=0.5, gt=0)
    """Most time between colour and depth of a pair, in frame periods: beyond half of one another
    frame would have been nearer."""
    max_dt_ms: float | None = Field(default=None, gt=0)
    """Most time in milliseconds instead, where given."""
    warm_up_pairs: int = Field(default=30, ge=1)
    """Pairs that are let go after a start: the first are dark."""
    warm_up_limit_pairs: int = Field(default=150, ge=1)
    """Pairs after which exposure that still changes is no longer waited for."""
    exposure_window_pairs: int = Field(default=10, ge=2)
    """Pairs over which exposure has to hold still."""
    exposure_tolerance: float = Field(default=0.02, gt=0)
    """Most change of mean brightness and of exposure time within them, as a share."""
    refused_limit_pairs: int = Field(default=90, ge=1)
    """Refused pairs after which a view is given up."""
    emitter_settle_pairs: int = Field(default=10, ge=1)
    """Pairs that are let go after the projector is switched."""
    stall_s: float = Field(default=2.0, gt=0)
    """Time without frames after which a camera is waited for once more, then started again, then
    reset."""
    comes_back_s: float = Field(default=10.0, ge=0)
    """How long a camera that failed is waited for when it is started again."""
    waiting_views: int = Field(default=4, ge=1)
    """Views that may be in hand, waiting or being written; with as many, none is taken."""
    writers: int = Field(default=2, ge=1)
    """Threads that write views."""
    reserve_bytes: int = Field(default=200_000_000, ge=0)
    """Room on the disk that is left alone."""
    warn_dark_fraction: float = Field(default=0.35, ge=0, le=1)
    """Share of all but black pixels from which the preview warns."""
    warn_bright_fraction: float = Field(default=0.10, ge=0, le=1)
    """Share of all but white pixels from which it warns."""
    warn_valid_depth_fraction: float = Field(default=0.40, ge=0, le=1)
    """Share of depth readings below which it warns."""
