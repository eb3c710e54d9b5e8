"""A few simulated scenes that come with the package, for the demo and for tests without Embree."""

from __future__ import annotations

from pathlib import Path

from mira.sim.rooms.policy import RoomPolicy
from mira.store.session import Session

PACKAGED_SEED = 28
"""Seed of the series that the packaged scenes are the first of."""
PACKAGED_COUNT = 4
"""Number of packaged scenes: one of each kind of place below."""
PACKAGED_POLICY = RoomPolicy(
    places=("bathroom", "hall", "shop", "street_corner"), views_per_scene=1
)
"""Settings that they are made with."""


def packaged_scenes_dir() -> Path:
    """The session that holds them, as `make_rooms` writes it, but for exact depth and a preview."""
    return Path(__file__).parent / "packaged"


def packaged_scene_ids() -> tuple[str, ...]:
    """Ids of the packaged scenes, in order."""
    return Session.open(packaged_scenes_dir()).scenes()
