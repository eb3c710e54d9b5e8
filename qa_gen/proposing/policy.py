"""Every number that decides what is proposed."""

from __future__ import annotations

from pydantic import Field

from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.schema.record import RootRecord, Seed
from mira.schema.spatial import SpatialPolicy


class ProposalPolicy(RootRecord):
    """When geometry proposes an answer, and when it leaves it to a person."""

    spatial: SpatialPolicy = SpatialPolicy()
    """What words mean: the thresholds that truth of simulated rooms goes by too."""
    geometry: MirrorGeometryPolicy = MirrorGeometryPolicy()
    """How mirrors and things are found in depth."""
    sure_sigmas: float = Field(default=2.5, gt=0)
    """A threshold nearer than so many standard deviations of what is measured is a close call."""
    span_doubt: float = Field(default=0.08, ge=0)
    """Standard deviation of a thing's measured width and height, as a share of them."""
    hidden_doubt: float = Field(default=1.5, ge=0)
    """Standard deviation of a side that is cut off by the picture, a mirror's edge or something
    nearer, as a share of what is seen of it."""
    depth_doubt: float = Field(default=0.3, ge=0)
    """Standard deviation of how far a thing's middle lies behind its visible side, as a share of
    half its width."""
    seed: Seed = 0
    """Seed of the fits to depth."""
