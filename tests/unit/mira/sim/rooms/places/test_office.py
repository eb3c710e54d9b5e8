from __future__ import annotations

import numpy as np
import pytest

from mira.sim.rooms.places.office import plan_office
from mira.sim.rooms.places.placing import Arrangement, blocks, overlap
from mira.sim.rooms.plan import RoomPlan

SEEDS = range(20)


@pytest.fixture(scope="module")
def plans() -> list[RoomPlan]:
    return [plan_office(np.random.default_rng(seed)) for seed in SEEDS]


def test_no_two_things_take_the_same_space(plans: list[RoomPlan]) -> None:
    for plan in plans:
        for number, one in enumerate(plan.items):
            for other in plan.items[number + 1 :]:
                assert not overlap(one, other, tolerance_m=0.004), (one.item, other.item)


def test_things_stand_on_something_or_hang_on_a_wall(plans: list[RoomPlan]) -> None:
    for plan in plans:
        spaces = [blocks(placed) for placed in plan.items]
        tops = np.concatenate([space.high_m for space in spaces])
        for placed, space in zip(plan.items, spaces, strict=True):
            low = float(space.low_m.min())
            stands = abs(low) < 0.004 or bool((np.abs(tops - low) < 0.004).any())
            x, y, _ = placed.at_m
            walls = (
                abs(x - plan.walkable.low_m[0]), abs(x - plan.walkable.high_m[0]),
                abs(y - plan.walkable.low_m[1]), abs(y), abs(y - 3.2),
            )  # fmt: skip
            assert stands or min(walls) < 0.02, placed.item


def test_no_two_things_are_described_alike(plans: list[RoomPlan]) -> None:
    for plan in plans:
        said = [placed.item.description for placed in plan.items if placed.item.annotated]
        assert len(said) == len(set(said))
        assert len(said) >= 10


def test_cameras_stand_on_free_floor(plans: list[RoomPlan]) -> None:
    for plan in plans:
        room = Arrangement(plan.walkable)
        room.placed.extend(plan.items)
        assert 6 <= len(plan.viewpoints) <= 8
        for viewpoint in plan.viewpoints:
            x, y, z = viewpoint.eye_m.tolist()
            assert room.room_to_stand(x, y, reach_m=0.35)
            assert 0.9 <= z <= 1.7


def test_offices_have_mirrors_glass_and_dark_screens(plans: list[RoomPlan]) -> None:
    kinds = {surface.surface_type for plan in plans for surface in plan.surfaces}
    assert kinds == {"planar_mirror", "glass", "screen"}
    assert {plan.lighting for plan in plans} == {"day", "night"}


def test_the_same_seed_gives_the_same_office(plans: list[RoomPlan]) -> None:
    again = plan_office(np.random.default_rng(3))
    assert [(p.item.description, p.at_m, p.yaw_deg) for p in again.items] == [
        (p.item.description, p.at_m, p.yaw_deg) for p in plans[3].items
    ]
