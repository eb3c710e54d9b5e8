from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mira.sim.rooms.places.placing import Arrangement, blocks, item_extent, overlap
from mira.sim.rooms.places.shop import plan_shop
from mira.sim.rooms.places.shop_case import case_shop
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things.parts import Item, Placed
from mira.sim.rooms.things.rotation import compose, rotate, yaw

SEEDS = range(20)
_PAIR = ["planar_mirror", "planar_mirror"]


@pytest.fixture(scope="module")
def plans() -> list[RoomPlan]:
    return [plan_shop(np.random.default_rng(seed)) for seed in SEEDS]


def stand_of(surface: ReflectiveSurface) -> Placed:
    """A mirror's frame and feet as a thing of the room."""
    yaw_deg = math.degrees(math.atan2(surface.normal[0], -surface.normal[1]))
    back = yaw(-yaw_deg)
    parts = []
    for part in surface.parts:
        at = np.add(rotate(surface.turn, part.at_m), surface.centre_m).tolist()
        turn = compose(back, compose(surface.turn, part.turn))
        parts.append(replace(part, turn=turn, at_m=rotate(back, tuple(at))))
    return Placed(Item("mirror", surface.name, tuple(parts), 1.0), (0.0, 0.0, 0.0), yaw_deg)


def reach_of(thing: Placed) -> float:
    """Radius of a circle around a thing's origin that holds all of it."""
    low, high = item_extent(thing.item)
    return math.hypot(max(-low[0], high[0]), max(-low[1], high[1]))


def test_no_two_things_take_the_same_space(plans: list[RoomPlan]) -> None:
    for plan in plans:
        stands = [stand_of(surface) for surface in plan.surfaces if surface.parts]
        things = [*plan.items, *stands]
        reach = [reach_of(thing) for thing in things]
        for number, one in enumerate(things):
            for place, other in enumerate(things[number + 1 :], start=number + 1):
                if math.dist(one.at_m[:2], other.at_m[:2]) > reach[number] + reach[place]:
                    continue
                assert not overlap(one, other, tolerance_m=0.003), (one.item, other.item)


def test_things_stand_on_something_or_hang(plans: list[RoomPlan]) -> None:
    for plan in plans:
        spaces = [blocks(placed) for placed in plan.items]
        tops = np.concatenate([space.high_m for space in spaces])
        ceiling = max(part.at_m[2] - part.size_m[2] for part in plan.structure)
        for placed, space in zip(plan.items, spaces, strict=True):
            low = float(space.low_m.min())
            stands = abs(low) < 0.004 or bool((np.abs(tops - low) < 0.004).any())
            x, y, _ = placed.at_m
            (left, back), (right, front) = plan.walkable.low_m, plan.walkable.high_m
            on_wall = min(x - left, right - x, y - back, front - y) < 0.035
            under_ceiling = abs(float(space.high_m.max()) - ceiling) < 0.004
            assert stands or on_wall or under_ceiling, placed.item


def test_no_two_things_are_described_alike(plans: list[RoomPlan]) -> None:
    for plan in plans:
        said = [placed.item.description for placed in plan.items if placed.item.annotated]
        assert max(Counter(said).values()) == 1
        assert len(said) >= 15


def test_cameras_stand_on_free_floor(plans: list[RoomPlan]) -> None:
    for plan in plans:
        room = Arrangement(plan.walkable)
        room.placed.extend(plan.items)
        room.placed.extend(stand_of(surface) for surface in plan.surfaces if surface.parts)
        assert 6 <= len(plan.viewpoints) <= 8
        for viewpoint in plan.viewpoints:
            x, y, z = viewpoint.eye_m.tolist()
            assert room.room_to_stand(x, y, reach_m=0.35)
            assert 0.9 <= z <= 1.7


def test_cameras_are_on_the_reflecting_side(plans: list[RoomPlan]) -> None:
    for plan in plans:
        first = plan.surfaces[0]
        for viewpoint in plan.viewpoints:
            assert viewpoint.eye_m @ first.normal + first.offset_m > 0.5


def test_a_case_shop_has_glass_and_a_bulging_mirror() -> None:
    plan = case_shop(np.random.default_rng(0))
    pane, dome = plan.surfaces
    assert (pane.surface_type, dome.surface_type) == ("glass", "convex_mirror")
    assert pane.see_through > 0.5
    assert dome.bulge_radius_m is not None
    assert 0.5 <= dome.width_m <= 0.6
    behind = [p for p in plan.items if p.item.annotated and p.at_m[1] > pane.centre_m[1]]
    assert len(behind) >= 3


def test_two_flat_mirrors_meet_at_an_angle(plans: list[RoomPlan]) -> None:
    pairs = [p.surfaces for p in plans if [s.surface_type for s in p.surfaces] == _PAIR]
    assert pairs
    for first, second in pairs:
        between = math.degrees(math.acos(float(first.normal @ second.normal)))
        assert 59 <= between <= 91


def test_shops_come_in_several_kinds(plans: list[RoomPlan]) -> None:
    kinds = {tuple(s.surface_type for s in plan.surfaces) for plan in plans}
    assert kinds == {("planar_mirror",), tuple(_PAIR), ("glass", "convex_mirror")}


def test_the_same_seed_gives_the_same_shop(plans: list[RoomPlan]) -> None:
    again = plan_shop(np.random.default_rng(3))
    assert [(p.item.description, p.at_m, p.yaw_deg) for p in again.items] == [
        (p.item.description, p.at_m, p.yaw_deg) for p in plans[3].items
    ]
