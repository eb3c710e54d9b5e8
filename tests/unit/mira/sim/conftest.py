from __future__ import annotations

import importlib.util

import pytest

from mira.errors import SimulationError
from mira.sim.engine import engine_info


@pytest.fixture(scope="session")
def gl() -> None:
    """Skips where no picture can be drawn; mujoco is not imported before its GL is chosen."""
    if importlib.util.find_spec("mujoco") is None:
        pytest.skip("mujoco is not installed (the extra `sim`)")
    try:
        engine_info()
    except SimulationError as error:
        pytest.skip(f"no GL here: {error}")
