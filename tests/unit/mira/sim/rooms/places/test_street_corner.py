from __future__ import annotations

import itertools

import numpy as np
import pytest

from mira.sim.rooms.places.placing import blocks, overlap
from mira.sim.rooms.places.street_corner import plan_street_corner
from mira.sim.rooms.places.street_shell import ROAD_Z_M, SHELF_M, WINDOW_M
from mira.sim.rooms.plan import RoomPlan

SEEDS = range(20)


@pytest.fixture(scope="module")
def plans() -> list[RoomPlan]:
    return [plan_street_corner(np.random.default_rng(seed)) for seed in SEEDS]


def test_the_same_seed_gives_the_same_corner() -> None:
    one, other = (plan_street_corner(np.random.default_rng(3)) for _ in range(2))
    assert [p.item.description for p in one.items] == [p.item.description for p in other.items]
    assert [p.at_m for p in one.items] == [p.at_m for p in other.items]


def test_no_two_outlined_things_are_called_the_same(plans: list[RoomPlan]) -> None:
    for plan in plans:
        names = [placed.item.description for placed in plan.items if placed.item.annotated]
        assert len(names) == len(set(names))
        assert len(names) >= 12


def test_nothing_stands_inside_another_thing(plans: list[RoomPlan]) -> None:
    for plan in plans:
        solid = [placed for placed in plan.items if placed.item.category != "wet patch"]
        for one, other in itertools.combinations(solid, 2):
            assert not overlap(one, other), (one.item, other.item)


def test_everything_stands_on_pavement_road_or_the_shop_windows_board(
    plans: list[RoomPlan],
) -> None:
    for plan in plans:
        for placed in plan.items:
            lowest = float(blocks(placed).low_m.min())
            grounds = np.array((0.0, ROAD_Z_M, SHELF_M))
            assert np.abs(grounds - lowest).min() < 0.004, placed.item.description


def test_the_goods_stay_behind_the_glass(plans: list[RoomPlan]) -> None:
    for plan in plans:
        goods = [placed for placed in plan.items if placed.at_m[2] == SHELF_M]
        assert goods
        for placed in goods:
            space = blocks(placed)
            assert (space.centre_m[:, 1] - space.half_m.max(axis=1) > 0.04).mean() > 0.5
            assert space.centre_m[:, 0].min() > WINDOW_M[0]
            assert space.centre_m[:, 0].max() < WINDOW_M[1]
            assert space.high_m.max() < WINDOW_M[3]


def test_nothing_stands_in_a_puddle(plans: list[RoomPlan]) -> None:
    for plan in plans:
        for puddle in (s for s in plan.surfaces if s.surface_type == "water"):
            x, y, z = puddle.centre_m
            assert 0 < z < 0.01
            for placed in plan.items:
                if placed.item.category != "wet patch":
                    low = blocks(placed).low_m < 0.02
                    assert (blocks(placed).distance_to(x, y)[low] > 0.4).all()


def test_cameras_stand_free_on_the_pavement(plans: list[RoomPlan]) -> None:
    for plan in plans:
        assert 6 <= len(plan.viewpoints) <= 8
        for viewpoint in plan.viewpoints:
            x, y, _ = viewpoint.eye_m
            assert plan.walkable.low_m[0] < x < plan.walkable.high_m[0]
            assert plan.walkable.low_m[1] < y < plan.walkable.high_m[1]
            for placed in plan.items:
                space = blocks(placed)
                bumps = (space.high_m > 0.03) & (space.low_m < 1.9)
                assert (space.distance_to(x, y)[bumps] > 0.35).all()


def test_day_has_sun_and_night_has_lamps(plans: list[RoomPlan]) -> None:
    assert {plan.lighting for plan in plans} == {"day", "night"}
    for plan in plans:
        assert (plan.sun is None) == (plan.lighting == "night")
        assert bool(plan.lamps) == (plan.lighting == "night")


def test_glass_comes_first_and_no_more_than_three_surfaces(plans: list[RoomPlan]) -> None:
    for plan in plans:
        assert plan.surfaces[0].surface_type == "glass"
        assert len(plan.surfaces) <= 3
    kinds = {surface.surface_type for plan in plans for surface in plan.surfaces}
    assert kinds == {"glass", "planar_mirror", "convex_mirror", "water"}
