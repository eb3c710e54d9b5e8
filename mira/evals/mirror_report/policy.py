"""How much a report of the mirror test shows."""

from __future__ import annotations

from pydantic import Field

from mira.evals.mirror.policy import MirrorPolicy
from mira.schema.record import Record


class MirrorReportPolicy(Record):
    """How much a report shows, and how it is computed."""

    scoring: MirrorPolicy = MirrorPolicy()
    """How episodes are scored."""
    paths: int = Field(default=3, ge=0)
    """Episodes of each player whose way is drawn: the best, the middle one, the worst, and between
    them."""
