from __future__ import annotations

import re

import numpy as np
import pytest

from mira.sim.rooms.places import home_styles
from mira.sim.rooms.places.home import plan_bathroom, plan_bedroom, plan_living_room
from mira.sim.rooms.places.registry import Planner
from mira.sim.rooms.plan import RoomPlan

_PLANNERS = {
    "bathroom": (plan_bathroom, home_styles.bathroom),
    "bedroom": (plan_bedroom, home_styles.bedroom),
    "living_room": (plan_living_room, home_styles.living_room),
}


@pytest.fixture(scope="module", params=_PLANNERS)
def plans(request: pytest.FixtureRequest) -> list[RoomPlan]:
    planner: Planner = _PLANNERS[request.param][0]
    found = [planner(np.random.default_rng(seed)) for seed in range(3)]
    assert {plan.place for plan in found} == {request.param}
    return found


def test_no_two_outlined_things_of_a_room_are_called_alike(plans: list[RoomPlan]) -> None:
    for plan in plans:
        names = [placed.item.description for placed in plan.items if placed.item.annotated]
        assert len(names) == len(set(names))


def test_names_tell_nothing_of_mirrors(plans: list[RoomPlan]) -> None:
    for plan in plans:
        for placed in plan.items:
            if placed.item.annotated:
                assert re.fullmatch(r"[a-z]+( [a-z]+)+", placed.item.description)
                assert not re.search("mirror|reflect|image|virtual", placed.item.description)


def test_rooms_and_cameras_stand_inside_their_walls(plans: list[RoomPlan]) -> None:
    for plan in plans:
        low, high = plan.walkable.low_m, plan.walkable.high_m
        for placed in plan.items:
            x, y, z = placed.at_m
            assert low[0] <= x <= high[0]
            assert low[1] <= y <= high[1]
            assert 0 <= z < 2.5
        for viewpoint in plan.viewpoints:
            assert low[0] < viewpoint.eye_m[0] < high[0]
            assert low[1] < viewpoint.eye_m[1] < high[1]


@pytest.mark.parametrize("place", _PLANNERS)
def test_a_seed_gives_the_same_room_every_time(place: str) -> None:
    planner = _PLANNERS[place][0]
    one, same, other = (planner(np.random.default_rng(seed)) for seed in (3, 3, 4))

    def where(plan: RoomPlan) -> list[object]:
        return [(placed.item.description, placed.at_m, placed.yaw_deg) for placed in plan.items]

    assert where(one) == where(same) != where(other)


@pytest.mark.parametrize("place", _PLANNERS)
def test_everything_a_style_may_put_out_has_a_plain_name(place: str) -> None:
    rng = np.random.default_rng(0)
    style = _PLANNERS[place][1](rng)

    for maker in (*style.small, *style.mounted, *style.standing):
        description = maker(rng).description
        assert re.fullmatch(r"[a-z]+( [a-z]+)+", description)
        assert not re.search("mirror|reflect|image|virtual", description)
