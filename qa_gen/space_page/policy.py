"""How much of a picture its 3D page shows."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record


class SpacePolicy(Record):
    """Bounds that keep the page small and quick."""

    most_points: int = Field(default=60_000, ge=1_000)
    """Readings that are shown, at most."""
    outlined_share: float = Field(default=0.5, gt=0, lt=1)
    """Share of them that is kept for what is outlined: small things need all they have."""
    farthest_m: float = Field(default=12.0, gt=0)
    """Readings beyond are left out."""
    picture_width_px: int = Field(default=800, ge=64)
    """Width of the colour picture beside the scene, at most."""
    jpeg_quality: int = Field(default=82, ge=1, le=100)
    """Its quality."""
    decimals: int = Field(default=4, ge=2, le=9)
    """Places after the point of a length in metres."""
