"""Thresholds of the reader of annotation files."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.record import RootRecord

LinksMode = Literal["attributes", "shared-gid"]
"""How links are written: in attributes, or by one id for an object and its reflection."""


class AnnotationPolicy(RootRecord):
    """What the reader takes for a slip of the hand and what for a fault."""

    clip_tolerance_px: float = Field(default=1.0, ge=0)
    """A shape that leaves the picture by no more than this is cut without a warning."""
    sliver_area_px: float = Field(default=1.0, ge=0)
    """A shape of a smaller area gets a warning."""
    sliver_width_px: float = Field(default=0.5, ge=0)
    """A shape whose mean width (twice the area by the perimeter) is smaller gets a warning."""
    circle_tolerance_px: float = Field(default=0.05, gt=0)
    """The polygon that stands for a circle is nowhere farther from it."""
    coordinate_limit_px: float = Field(default=1e6, gt=0)
    """A coordinate beyond this on either side is a fault, not a point outside the picture."""
    mask_rings_limit: int = Field(default=20_000, gt=0)
    """A mask in more parts and holes together is noise."""
    picture_limit_px: int = Field(default=150_000_000, gt=0)
    """A picture of more pixels is not decoded."""
    depth_step_limit_m: float = Field(default=0.1, gt=0)
    """A step of depth of this size or more is not believed."""
    plausibility: PlausibilityPolicy = Field(default_factory=PlausibilityPolicy)
    """From where on what was drawn is not believed to be what a mirror shows."""
