"""Every number that decides what is proposed."""

from __future__ import annotations

import hashlib

from pydantic import Field

from mira.geometry.ground import GroundPolicy
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.schema.record import RootRecord, Seed
from mira.schema.spatial import SpatialPolicy
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace


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
    hidden_doubt: float = Field(default=1.0, ge=0)
    """Standard deviation of what a side may hide that is cut off by the picture, a mirror's edge
    or something nearer, as a share of the longer side that is seen; never more than there is room
    for behind what hides it."""
    hidden_beside: float = Field(default=0.5, ge=0, le=1)
    """The same along the other axes, as a share of that along the axis that is cut off."""
    depth_doubt: float = Field(default=0.3, ge=0)
    """Standard deviation of how far a thing's middle lies behind its visible side, as a share of
    half its width."""
    ground: GroundPolicy = GroundPolicy()
    """What a floor is."""
    usual_height_m: float = Field(default=1.5, gt=0)
    """Height of the camera where no floor is seen; what rests on it is a close call."""
    every_px: int = Field(default=4, ge=1)
    """Every so many pixels of every so many rows is looked at for what stands around."""
    carrier_m: float = Field(default=0.6, ge=0)
    """What a mirror shows so near to the camera, over the floor, carries it and moves along."""
    farthest_m: float = Field(default=8.0, gt=0)
    """Readings beyond are left out."""
    least_readings: int = Field(default=3, ge=1)
    """A cell of the floor grid with fewer readings is empty."""
    firm_readings: int = Field(default=30, ge=1)
    """Something in the way is there for certain when it has so many readings."""
    collision_slack_m: float = Field(default=0.25, ge=0)
    """A way that is blocked by less than this may be free: what is put back is off by that."""
    blind_zone_m: float = Field(default=1.0, ge=0)
    """Floor in front of the feet is taken to be free so far where no reading says otherwise."""
    look_step_m: float = Field(default=0.1, gt=0)
    """A way over the floor is looked at every so many metres."""
    seed: Seed = 0
    """Seed of the fits to depth."""

    def sha256(self) -> str:
        """Digest of all of them."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def stored_policy(workspace: Workspace) -> ProposalPolicy:
    """The thresholds of a workspace's proposals; ours where nothing was proposed yet."""
    return ProposalShelf(workspace).policy(ProposalPolicy) or ProposalPolicy()
