from __future__ import annotations

import itertools

import numpy as np
import pytest

from mira.sim.rooms.places.parking import plan_parking
from mira.sim.rooms.places.placing import blocks, overlap
from mira.sim.rooms.plan import RoomPlan

SEEDS = range(20)


@pytest.fixture(scope="module")
def plans() -> list[RoomPlan]:
    return [plan_parking(np.random.default_rng(seed)) for seed in SEEDS]


def test_the_same_seed_gives_the_same_car_park() -> None:
    one, other = (plan_parking(np.random.default_rng(3)) for _ in range(2))
    assert [p.item.description for p in one.items] == [p.item.description for p in other.items]
    assert [p.at_m for p in one.items] == [p.at_m for p in other.items]


def test_no_two_outlined_things_are_called_the_same(plans: list[RoomPlan]) -> None:
    for plan in plans:
        names = [placed.item.description for placed in plan.items if placed.item.annotated]
        assert len(names) == len(set(names))
        assert len(names) >= 9


def test_nothing_stands_inside_another_thing(plans: list[RoomPlan]) -> None:
    for plan in plans:
        for one, other in itertools.combinations(plan.items, 2):
            assert not overlap(one, other, tolerance_m=0.006), (one.item, other.item)


def test_everything_stands_on_the_floor_or_hangs_on_a_wall_or_pillar(
    plans: list[RoomPlan],
) -> None:
    for plan in plans:
        for placed in plan.items:
            lowest = float(blocks(placed).low_m.min())
            if placed.item.category in ("fire extinguisher", "exit sign"):
                assert lowest > 0.3
            else:
                assert lowest == pytest.approx(0.0, abs=0.004), placed.item.description


def test_cameras_stand_free_inside_the_hall(plans: list[RoomPlan]) -> None:
    for plan in plans:
        assert len(plan.viewpoints) >= 5
        for viewpoint in plan.viewpoints:
            x, y, _ = viewpoint.eye_m
            assert plan.walkable.low_m[0] < x < plan.walkable.high_m[0]
            assert plan.walkable.low_m[1] < y < plan.walkable.high_m[1]
            assert all((blocks(p).distance_to(x, y) > 0.25).all() for p in plan.items)


def test_there_are_a_flat_a_convex_and_a_side_mirror(plans: list[RoomPlan]) -> None:
    for plan in plans:
        assert [surface.surface_type for surface in plan.surfaces] == [
            "planar_mirror", "convex_mirror", "vehicle_side_mirror",
        ]  # fmt: skip


def test_the_side_mirror_sits_on_the_car_and_looks_back_and_outwards(
    plans: list[RoomPlan],
) -> None:
    for plan in plans:
        glass = plan.surfaces[2]
        car = min(
            (p for p in plan.items if p.item.category in ("car", "van")),
            key=lambda p: np.hypot(p.at_m[0] - glass.centre_m[0], p.at_m[1] - glass.centre_m[1]),
        )
        away = np.sign(glass.centre_m[0] - car.at_m[0])
        assert glass.normal[1] < -0.9
        assert glass.normal[0] * away > 0.2
        assert blocks(car).distance_to(glass.centre_m[0], glass.centre_m[1]).min() < 0.02
