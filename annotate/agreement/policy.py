"""Bounds and numbers of comparing annotations."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record, Seed


class AgreementPolicy(Record):
    """How shapes find their partners, and what is told of them."""

    min_match_iou: float = Field(default=0.1, gt=0, lt=1)
    """Shapes that share less are not of one thing, whatever else is there."""
    near_miss_iou: float = Field(default=0.5, ge=0, le=1)
    """Partners that share less than this are near misses, and listed."""
    cross_check_iou: float = Field(default=0.02, gt=0)
    """Most difference between polygon and pixel IoU of a pair that is no finding; of small shapes
    more, see `cross_check_px`."""
    cross_check_px: float = Field(default=1.0, gt=0)
    """Pixels along the outline by which the two kinds of area may differ besides."""
    resamples: int = Field(default=2_000, ge=1)
    """Resamples of the pictures, for intervals."""
    level: float = Field(default=0.95, gt=0, lt=1)
    """Nominal coverage of intervals."""
    seed: Seed = 0
    """Seed of the resamples."""
