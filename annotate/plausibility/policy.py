"""Bounds of what is still plausible in a picture of a mirror."""

from __future__ import annotations

from pydantic import Field

from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.schema.record import Record


class PlausibilityPolicy(Record):
    """From where on an annotation gets a warning; figures in docs/annotation.md."""

    reflection_inside_share: float = Field(default=0.5, ge=0, le=1)
    """A reflection with a smaller share of its area in its surface lies outside of it."""
    direct_inside_share: float = Field(default=0.5, gt=0, le=1)
    """A direct instance with this share of its area in a surface or more lies in it."""
    carrier_share: float = Field(default=0.8, gt=0, le=1)
    """An instance with this share of a surface's area in it holds the surface, as a frame does."""
    size_ratio: float = Field(default=1.25, ge=1)
    """A reflection more than this times as wide and as high as its object is too large."""
    size_slack_px: float = Field(default=2.0, ge=0)
    """Pixels by which it may be larger besides, for slips of the hand on small things."""
    border_px: float = Field(default=2.0, ge=0)
    """Outlines that are nearer to the picture's edge, or to each other, may hide a part."""
    direction_tolerance: float = Field(default=0.5, gt=0)
    """How far an object and its reflection may lie beside their line through the common point, as
    a share of their half extents across that line together; whole things reach 0.2."""
    direction_least_degrees: float = Field(default=10.0, ge=0, le=180)
    """An angle that is smaller is no other direction."""
    direction_cut_factor: float = Field(default=2.0, ge=1)
    """An object cut off at the picture's edge may lie this many times as far."""
    direction_spread: float = Field(default=0.2, gt=0)
    """Distance, in the same measure, at which a link counts half for a common point."""
    direction_min_length: float = Field(default=0.5, ge=0)
    """A link shorter than this share of the half diagonals together has no direction."""
    direction_most_links: int = Field(default=16, ge=3)
    """Common points are sought among the lines of the longest so many links of a surface."""
    geometry: MirrorGeometryPolicy = MirrorGeometryPolicy()
    """How mirrors and things are found in depth."""
    behind_m: float = Field(default=0.05, ge=0)
    """A thing is behind a mirror when it is measured so far behind it, beside what noise is."""
    link_apart_sigmas: float = Field(default=4.0, gt=0)
    """A link is doubted when the reflection put back is so many standard deviations from its
    object; with 2.5, twice as many right links were in rooms, most of them of things whose
    depth bleeds into what is behind them."""
