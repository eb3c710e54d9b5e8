"""What a fit found, and what it rests on."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record, RootRecord
from mira.sim.rooms.policy import DepthSensorPolicy


class Estimate(Record):
    """One parameter of the depth camera."""

    parameter: str
    """Field of `DepthSensorPolicy`."""
    value: float | None
    """What was found, for pictures of the policy's focal length; absent without evidence."""
    default: float
    """What the policy holds then."""
    pixels: int = Field(ge=0)
    """Pixels that it rests on."""
    reason: str | None = None
    """Why there is no value."""


class DepthFit(RootRecord):
    """A depth camera as its frames show it."""

    policy: DepthSensorPolicy
    """The parameters; the default where nothing was found."""
    frames: int
    """Depth maps that were read."""
    focal_px: float
    """Focal length of the depth maps."""
    policy_focal_px: float
    """Focal length that the policy's pixels belong to."""
    estimates: tuple[Estimate, ...]
    """Every parameter that is estimated."""
    still_noise_px: float | None
    """Disparity noise by frames of one still view; absent where there are no two. Less than
    `disparity_noise_px` where part of the error stays in its place."""
    still_pixels: int
    """Pixels that it rests on."""
    edge_flying_share: float | None
    """Share of readings at steps of depth that lie between both sides, which the policy knows
    nothing of; absent where too few steps are seen."""
    edge_lost_share: float | None
    """Share of readings lost near steps of depth beyond what a nearer thing hides, which the
    policy does not know to be more than elsewhere; absent where too few pixels are near any."""
    faults: tuple[str, ...]
    """Views that could not be used and are left out, one line each."""


class Found(Record):
    """An estimate in pixels of the depth maps, before it is put into a policy."""

    value: float | None
    """Absent without evidence."""
    pixels: int
    """Pixels that it rests on."""
    reason: str | None = None
    """Why there is no value."""
