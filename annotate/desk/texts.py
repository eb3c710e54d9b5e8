"""Text that people type."""

from __future__ import annotations

from mira.errors import DeskError

LONGEST = 20_000
"""Letters that a note or a draft may have."""


def require_short(what: str, text: str) -> None:
    """Raise for a text that nobody would read.

    Raises:
        DeskError: It is too long.
    """
    if len(text) > LONGEST:
        problem = f"expected up to {LONGEST:,} letters, found {len(text):,}"
        raise DeskError(what, problem, code="too-long")
