from __future__ import annotations

import numpy as np
import pytest

from mira.sim.rooms.places.hall import plan_hall
from mira.sim.rooms.places.placing import Arrangement, blocks, overlap
from mira.sim.rooms.plan import RoomPlan

SEEDS = range(20)
_HUNG = {"coat rail"}
"""Coats hang over its hooks."""


@pytest.fixture(scope="module")
def plans() -> list[RoomPlan]:
    return [plan_hall(np.random.default_rng(seed)) for seed in SEEDS]


def test_no_two_things_take_the_same_space(plans: list[RoomPlan]) -> None:
    for plan in plans:
        for number, one in enumerate(plan.items):
            for other in plan.items[number + 1 :]:
                if not _HUNG & {one.item.category, other.item.category}:
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
                abs(y - plan.walkable.low_m[1]), abs(y),
            )  # fmt: skip
            hangs = min(walls) < 0.03 or abs(float(space.high_m.max()) - 2.55) < 0.004
            assert stands or hangs, placed.item


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


def test_most_halls_have_two_mirrors_that_face_each_other(plans: list[RoomPlan]) -> None:
    facing = [plan.surfaces for plan in plans if len(plan.surfaces) == 2]
    assert len(plans) / 2 <= len(facing) < len(plans)
    for first, second in facing:
        np.testing.assert_allclose(first.normal, -second.normal, atol=1e-9)


def test_the_same_seed_gives_the_same_hall(plans: list[RoomPlan]) -> None:
    again = plan_hall(np.random.default_rng(3))
    assert [(p.item.description, p.at_m, p.yaw_deg) for p in again.items] == [
        (p.item.description, p.at_m, p.yaw_deg) for p in plans[3].items
    ]
