"""Records of a report on replies to theory-of-mind questions."""

from __future__ import annotations

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.tom.records import TomScores
from mira.schema.evaluation import RunManifest
from mira.schema.record import Record, RootRecord


class TomSummary(Record):
    """One set of replies."""

    key: str
    """What the page calls it; no two are called the same."""
    manifest: RunManifest | None
    """What decided the replies; absent for a plain file."""
    scores: TomScores
    """Their scores."""


class TomReport(RootRecord):
    """All numbers of a report."""

    tool_version: str
    """What wrote it."""
    run: str
    """Name of the run whose questions were answered."""
    items_digest: str
    """Digest of its questions."""
    licences: dict[str, str]
    """Licence of each source."""
    by_source: dict[str, int]
    """Questions of each source, all rotations of one as one."""
    bootstrap: BootstrapPolicy
    """How intervals were computed."""
    seed: int
    """Seed of the resamples."""
    replies: tuple[TomSummary, ...]
    """In the order given."""
