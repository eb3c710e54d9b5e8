from __future__ import annotations

import pytest
from small_painter import SmallPainter

from mira.sim.reach.scenes import ReachScene, reach_scenes


@pytest.fixture
def painter() -> SmallPainter:
    return SmallPainter()


@pytest.fixture(scope="session")
def scene() -> ReachScene:
    return reach_scenes()[0]
