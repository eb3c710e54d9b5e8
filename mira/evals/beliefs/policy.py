"""Numbers that the gap between beliefs and behaviour depends on."""

from __future__ import annotations

from pydantic import Field

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mosaic.policy import MosaicPolicy
from mira.schema.record import Record


class BeliefPolicy(Record):
    """How probes are scored."""

    mirror: MirrorPolicy = MirrorPolicy()
    """Which moves of the mirror test go to the body, and which to its image."""
    gaze_threshold: float = Field(default=MosaicPolicy().gaze_threshold, ge=0, le=1)
    """Certainty above which a player of MOSAIC looks at a box."""
    bootstrap: BootstrapPolicy = BootstrapPolicy()
    """Of the intervals."""
