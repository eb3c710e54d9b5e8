"""Bounds of the report: what is told, how much of it, and how large pictures are."""

from __future__ import annotations

from pydantic import Field

from annotate.agreement.policy import AgreementPolicy
from mira.schema.record import Record


class ReportPolicy(Record):
    """What a report tells, and how much of it."""

    agreement: AgreementPolicy = AgreementPolicy()
    """How shapes find their partners, what a near miss is, intervals."""
    loose_iou: float = Field(default=0.85, ge=0, le=1)
    """Partners that share less have loose outlines, where a round has no bound of its own."""
    trend_images: int = Field(default=5, ge=2)
    """Rounds of fewer images tell of no trend: intervals over so few are too narrow."""
    cards_per_round: int = Field(default=24, ge=0)
    """Disputes of a round that are shown as pictures."""
    cards_per_page: int = Field(default=60, ge=0)
    """The same of all rounds, which take turns."""
    picture_bytes: int = Field(default=6_000_000, ge=0)
    """Pictures stop when the page holds more of them than this, in encoded bytes."""
    rows_per_page: int = Field(default=500, ge=0)
    """Disputes in the page's table; `shapes.csv` has all shapes."""
    sections_per_page: int = Field(default=60, ge=1)
    """Rounds with figures of their own, those with the lowest means."""
    images_per_plot: int = Field(default=40, ge=1)
    """Pictures whose means a round's figure shows, the worst first."""
    points_per_plot: int = Field(default=1_500, ge=1)
    """Shapes that a scatter shows, near misses first; rounds with figures of their own share as
    many."""
    picture_width_px: int = Field(default=480, ge=16)
    """Most width of a cut-out, as it is stored."""
    picture_height_px: int = Field(default=360, ge=16)
    """Most height of a cut-out."""
    jpeg_quality: int = Field(default=82, ge=1, le=100)
    """Quality of cut-outs."""
    context: float = Field(default=0.35, ge=0)
    """What is shown around shapes, each side, as a share of their box."""
    min_cut_px: float = Field(default=48.0, gt=0)
    """Least width and height of a cut-out in pixels of the picture."""
