"""Reach, and the next action on the way, of one thing in an empty room."""

from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.mirror_verdict import Refusal
from qa_gen.asking import Ask, spatial_asks
from qa_gen.proposing.approaching import propose_next_action
from qa_gen.proposing.reaching import propose_reach, target_of
from qa_gen.proposing.surroundings import look_around
from qa_gen.proposing.writing import Outcome

SIZE = (0.24, 0.24, 0.24)


def _asked(room, instance_id: int, rule=propose_reach, **changed) -> Outcome | Refusal:
    picture = room.picture(**changed)
    asks = (ask for ask in spatial_asks(picture.facts) if isinstance(ask, Ask))
    ask = next(a for a in asks if a.template_id == "ac_001" and a.slots == (("X", instance_id),))
    return rule(ask, picture, look_around(picture, np.random.default_rng(0)))


def _room(box_room, x: float, y: float, z: float, **changed):
    return box_room(boxes={1: ((x, y, z), SIZE)}, **{"tilt_deg": 18, **changed})


def test_a_thing_over_floor_that_is_seen_can_be_got_at_for_certain(box_room) -> None:
    reach = _asked(_room(box_room, 0.2, 0.9, 1.8), 1)
    assert reach.answer.value == "yes"
    assert not reach.close_call
    assert reach.flags == ()
    assert "all of it before the feet" in reach.reason


def test_a_thing_beside_the_camera_is_within_an_arms_reach(box_room) -> None:
    reach = _asked(_room(box_room, 0.0, 0.2, 0.6), 1)
    assert reach.answer.value == "yes"
    assert not reach.close_call
    assert reach.margin == pytest.approx(0.8 - 0.48, abs=0.1)
    assert _asked(_room(box_room, 0.0, 0.2, 0.6), 1, propose_next_action).answer.value == "stop"


def test_what_hangs_too_high_is_out_of_reach_and_calls_for_no_action(box_room) -> None:
    room = _room(box_room, 0.2, -1.3, 3.4, tilt_deg=-5, wall_m=4.0, height_m=1.2)
    reach = _asked(room, 1)
    assert reach.answer.value == "no"
    assert reach.margin == pytest.approx(1.2 + 1.3 - 0.12 - 2.0, abs=0.12)
    assert _asked(room, 1, propose_next_action).answer.value == "none"


def test_too_high_is_a_close_call_where_no_floor_is_seen(box_room) -> None:
    room = _room(box_room, 0.2, -0.95, 3.0, tilt_deg=0, wall_m=4.0, height_m=3.4)
    reach = _asked(room, 1)
    assert reach.answer.value == "no"
    assert reach.margin == pytest.approx(1.5 + 0.95 - 0.12 - 2.0, abs=0.12)
    assert reach.close_call


def test_with_something_in_the_way_a_person_has_to_look(box_room) -> None:
    boxes = {1: ((0.0, 0.5, 2.3), SIZE), 2: ((0.0, 1.1, 1.2), (0.8, 0.6, 0.2))}
    room = box_room(boxes=boxes, tilt_deg=14)
    reach = _asked(room, 1)
    assert reach.close_call
    assert "something stands" in reach.reason
    assert "unseen_space" in reach.flags
    ahead = _asked(room, 1, propose_next_action)
    assert ahead.close_call


def test_floor_that_is_not_seen_on_the_way_leaves_doubt(box_room) -> None:
    # A flat mirror would show the floor that is not seen directly.
    bent = {"surface_type": "convex_mirror"}
    room = _room(box_room, 0.1, 1.0, 2.4, tilt_deg=30, wall_m=3.2, **bent)
    assert not _asked(room, 1).close_call
    depth = room.depth_m.copy()
    depth[165:] = 0
    reach = _asked(room, 1, depth_m=depth)
    assert reach.answer.value == "yes"
    assert reach.close_call
    assert reach.flags == ("unseen_space",)


def test_a_thing_behind_the_camera_is_marked_as_such(plain_room) -> None:
    reach = _asked(plain_room, 14)
    assert "behind_camera" in reach.flags


@pytest.mark.parametrize(
    ("where", "action"),
    [
        ((0.1, 0.7, 1.8), "move_forward"),
        ((1.25, 0.6, 1.9), "rotate_right"),
        ((-1.25, 0.6, 1.9), "rotate_left"),
    ],
)
def test_the_next_action_turns_to_a_thing_or_walks_to_it(box_room, where, action) -> None:
    room = _room(box_room, *where, side_m=3.0)
    outcome = _asked(room, 1, propose_next_action)
    assert outcome.answer.value == action
    assert outcome.unit == "deg"
    bearing = np.degrees(np.arctan2(where[0], where[2]))
    assert outcome.margin == pytest.approx(abs(abs(bearing) - 25), abs=3)


def test_a_thing_far_behind_calls_for_turning_around(box_room) -> None:
    room = box_room(boxes={4: ((-0.3, 0.2, -1.6), (0.36, 0.36, 0.36))}, behind_m=2.4)
    outcome = _asked(room, 14, propose_next_action)
    assert outcome.answer.value == "turn_around"
    assert "behind_camera" in outcome.flags
    assert outcome.margin == pytest.approx(169.4 - 135, abs=4)


def test_a_bearing_at_a_limit_is_a_close_call(box_room) -> None:
    x = 1.8 * np.tan(np.radians(26))
    outcome = _asked(_room(box_room, x, 0.7, 1.8, side_m=3.0), 1, propose_next_action)
    assert outcome.close_call
    assert outcome.margin < 4


def test_what_is_hardly_out_of_reach_may_be_within(box_room) -> None:
    near = _asked(_room(box_room, 0.0, 0.5, 1.0), 1, propose_next_action)
    far = _asked(_room(box_room, 0.0, 0.2, 1.2), 1, propose_next_action)
    assert (near.answer.value, near.close_call) == ("move_forward", True)
    assert (far.answer.value, far.close_call) == ("move_forward", False)


def test_a_target_is_placed_on_the_ground(box_room) -> None:
    room = _room(box_room, 0.5, 0.9, 1.8)
    picture = room.picture()
    around = look_around(picture, np.random.default_rng(0))
    target = target_of(picture.place_of(picture.facts.object_of(1)), around)
    assert target.spot_m == pytest.approx((0.5, 1.8), abs=0.08)
    assert target.distance_m == pytest.approx(np.hypot(0.5, 1.8), abs=0.08)
    assert target.nearest_m == pytest.approx(np.hypot(0.38, 1.68), abs=0.12)
    assert target.low_m == pytest.approx(1.4 - 0.9 - 0.12, abs=0.1)
    assert target.bearing_deg == pytest.approx(np.degrees(np.arctan2(0.5, 1.8)), abs=2)


@pytest.mark.parametrize("rule", [propose_reach, propose_next_action])
@pytest.mark.parametrize("depth_kind", ["normalised", None])
def test_without_metres_nothing_is_said(plain_room, rule, depth_kind) -> None:
    assert isinstance(_asked(plain_room, 1, rule, depth_kind=depth_kind), Refusal)
