from __future__ import annotations

import numpy as np
import pytest

from mira.sim.rooms.places.placing import blocks
from mira.sim.rooms.places.safety_mirrors import clearance, convex_mirror, pole_behind
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things.parts import Finish, Placed


@pytest.fixture
def mirror() -> ReflectiveSurface:
    return convex_mirror(
        "mirror_1",
        (1.0, -0.5, 1.6),
        yaw_deg=-45.0,
        lean_deg=8.0,
        diameter_m=0.8,
        bulge_radius_m=2.0,
        rim=Finish(),
    )


def test_all_its_parts_lie_behind_its_middle(mirror: ReflectiveSurface) -> None:
    assert mirror.mesh().vertices_m[:, 2].max() == pytest.approx(0.0)
    assert all(part.at_m[2] < 0.0 for part in mirror.parts if part.at_m != (0.0, 0.0, 0.0))


def test_it_looks_down_at_the_pavement_before_the_left_wall(mirror: ReflectiveSurface) -> None:
    assert mirror.normal[0] < -0.6
    assert mirror.normal[1] < -0.6
    assert mirror.normal[2] < 0.0


def test_its_pole_stands_behind_it_and_reaches_its_bracket(mirror: ReflectiveSurface) -> None:
    pole, spot = pole_behind(mirror, top_m=2.1)
    behind = np.array(mirror.centre_m) - np.array(spot)
    assert behind[:2] @ mirror.normal[:2] > 0.15
    space = blocks(Placed(pole, spot))
    assert space.low_m.min() == pytest.approx(0.0)
    assert space.high_m.max() == pytest.approx(2.1)


def test_its_clearance_covers_it(mirror: ReflectiveSurface) -> None:
    space = blocks(clearance(mirror))
    assert space.low_m[0] < 1.2
    assert space.high_m[0] > 2.0
