"""Every number that decides what a mirror stands on."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record


class FootPolicy(Record):
    """An upright plane through the line along a surface's lower side."""

    gap_px: int = Field(default=2, ge=0)
    """Readings nearer to the outline than this are mixed of both its sides."""
    outline_px: float = Field(default=1.0, ge=0)
    """Standard deviation of where the outline's lower end is."""
    near_m: float = Field(default=0.03, gt=0)
    """Readings so far below the outline are next to it: they are of a counter's back edge, or of a
    backsplash that ends it."""
    least_near_px: int = Field(default=3, ge=1)
    """So many rows are next to it at least."""
    below_m: float = Field(default=0.25, gt=0)
    """So far below the outline, at its distance, it is looked at what comes forward."""
    most_below_px: int = Field(default=90, ge=1)
    """No more rows are looked at."""
    tried_columns: int = Field(default=40, ge=2)
    """Columns, evenly chosen, between which lines are tried."""
    line_m: float = Field(default=0.01, ge=0)
    """Standard deviation of the readings from their line, beside that of depth: rounded edges."""
    inlier_sigmas: float = Field(default=2.5, gt=0)
    """Readings within so many standard deviations are on the line."""
    rounds: int = Field(default=5, ge=1)
    """Least squares, then the readings that belong anew, so many times."""
    least_share: float = Field(default=0.5, gt=0, le=1)
    """The line holds so many of the outline's columns at least."""
    least_length_m: float = Field(default=0.25, gt=0)
    """It is so long at least."""
    most_slope_deg: float = Field(default=5.0, gt=0, lt=90)
    """It is level within this."""
    forward_m: float = Field(default=0.05, gt=0)
    """What a mirror stands on reaches so far forward, beside what noise is."""
    step_m: float = Field(default=0.2, gt=0)
    """It is so much lower than the outline at most: a backsplash or a frame may be between."""
    least_forward_share: float = Field(default=0.5, ge=0, le=1)
    """It is seen in this share of the line's columns at least."""
    level_points: int = Field(default=6000, ge=12)
    """Readings of the picture, evenly chosen, among which the level is looked for."""
    least_drop_m: float = Field(default=0.15, ge=0)
    """Where no floor is seen, a level plane is so far below the camera at least."""
    raised_within_m: float = Field(default=2.6, gt=0)
    """It is so far below at most."""
    least_offset_m: float = Field(default=0.05, gt=0)
    """A plane that the camera is nearer to shows no reflection worth the name."""
    upright_doubt_deg: float = Field(default=2.5, ge=0)
    """Standard deviation of how far mirrors that stand on something level lean."""
    before_share: float = Field(default=0.2, ge=0, le=1)
    """A plane with more of the reflection before it is none of the mirror. The bound is wider than
    for planes around: the line is measured at the glass itself, and what is before it is more often
    depth that was filled in, beside a door frame say."""
