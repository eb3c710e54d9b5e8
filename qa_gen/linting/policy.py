"""Bounds of the checks of wording files."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import RootRecord


class LintPolicy(RootRecord):
    """From where on wording is told of."""

    longest_sentence: int = Field(default=320, gt=0)
    """Letters of a sentence that is not too long, boxes and descriptions filled in."""
    english_share: float = Field(default=0.5, ge=0, le=1)
    """Questions with an English article in them, of all, from which on wording is English."""
