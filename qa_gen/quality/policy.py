"""Bounds of the quality of a question set."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import RootRecord
from mira.schema.spatial import SpatialPolicy


class QualityPolicy(RootRecord):
    """From where on a set of questions is worth a look."""

    least_items: int = Field(default=30, ge=1)
    """Shares of fewer items, or joint groups, are not judged."""
    blind_excess: float = Field(default=0.3, gt=0, le=1)
    """Guessing without the picture may be right so much more often than chance. That `not sure` is
    never right makes 17 points of it, that one of three questions on visibility is "yes" 21."""
    commonest_share: float = Field(default=0.7, gt=0, le=1)
    """One word may be right in this share of a template's items, or of an axis: visibility has two
    "no" to one "yes"."""
    position_p: float = Field(default=0.001, gt=0, lt=1)
    """Places of right options are uneven where chance makes them so, or more so, this seldom."""
    position_excess: float = Field(default=0.03, ge=0, le=1)
    """And only where one place is right so much more often than it should be."""
    near_share: float = Field(default=0.1, gt=0, le=1)
    """Share of a template's measured answers that may lie within twice the bound of a close
    call."""
    fact_share: float = Field(default=0.25, gt=0, le=1)
    """Share of a template's items that may ask what another one of the picture asks through other
    appearances."""
    scene_share: float = Field(default=0.5, gt=0, le=1)
    """Share of a template's items that may have the words and the answer of an item on another
    picture of the scene."""
    spatial: SpatialPolicy = SpatialPolicy()
    """What a close call is."""
    most_listed: int = Field(default=20, ge=1)
    """Findings of one code that are listed; further ones are counted."""


class QualityPagePolicy(RootRecord):
    """How much the page of a question set shows."""

    examples: int = Field(default=12, ge=0)
    """Items of each template, picked by a hash of their ids."""
    thumbnail_px: int = Field(default=400, ge=32)
    """Longer side of their pictures."""
    jpeg_quality: int = Field(default=80, ge=1, le=100)
    """Quality of the pictures."""
    margin_share: float = Field(default=0.6, ge=0)
    """What is shown around marks, as a share of the box around all of them."""
    least_shown: float = Field(default=0.45, gt=0, le=1)
    """Share of a picture's sides that is shown at least."""
