"""Thresholds of verification."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record


class VerificationPolicy(Record):
    """What still counts as right."""

    max_apart_periods: float = Field(default=0.5, gt=0)
    """Most time between colour and depth of a view, in periods of the slower stream, where the
    session was not recorded by thresholds of its own."""
    max_realigned_share: float = Field(default=0.01, ge=0, le=1)
    """Most pixels in which stored aligned depth may differ from depth aligned anew, as a share of
    those with a reading in either. Other builds of the SDK round otherwise at the rim and at
    edges; on a real frame, a colour camera off by a tenth of a pixel makes 0.045."""
    max_picture_px: int = Field(default=150_000_000, gt=0)
    """Most pixels of a picture that are decoded."""
