"""The time that events get."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the time, UTC."""


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)
