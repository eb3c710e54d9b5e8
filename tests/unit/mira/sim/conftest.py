from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from mira.errors import SimulationError
from mira.sim.engine import engine_info
from mira.sim.rooms.layout import plan_room
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy, ShadingPolicy

_CORNER_ROOM = 2


@pytest.fixture(scope="session")
def gl() -> None:
    """Skips where no picture can be drawn; mujoco is not imported before its GL is chosen."""
    if importlib.util.find_spec("mujoco") is None:
        pytest.skip("mujoco is not installed (the extra `sim`)")
    try:
        engine_info()
    except SimulationError as error:
        pytest.skip(f"no GL here: {error}")


@pytest.fixture(scope="session")
def quick_policy() -> RoomPolicy:
    """Small pictures, one sample a pixel, one view."""
    return RoomPolicy(
        camera=CameraPolicy(width_px=320, height_px=240, focal_px=280.0, supersample=1),
        instances=InstancePolicy(min_area_px=25, min_thickness_px=1.5, min_surface_area_px=100),
        shading=ShadingPolicy(shadow_map_px=1024),
        views_per_scene=1,
    )


@pytest.fixture
def corner_room() -> RoomPlan:
    """A room with two mirrors on adjacent walls."""
    return plan_room(np.random.default_rng(5), index=_CORNER_ROOM, view_count=2)
