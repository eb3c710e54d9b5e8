from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.mirror_verdict import Refusal
from qa_gen.asking import Ask
from qa_gen.proposing.colliding import propose_collision
from qa_gen.proposing.surroundings import look_around
from qa_gen.proposing.writing import Outcome

WAYS = ("left", "right", "forward", "backward", "above", "below")


def _said(room, direction: str, **changed) -> Outcome | Refusal:
    picture = room.picture(**changed)
    around = look_around(picture, np.random.default_rng(0))
    return propose_collision(Ask("ac_004", "room", direction=direction), picture, around)


def test_a_wall_well_within_the_movement_is_run_into_for_certain(box_room) -> None:
    pillar = {1: ((0.0, 0.55, 0.85), (0.5, 1.6, 0.3))}
    said = _said(box_room(boxes=pillar, unlabelled=(1,), tilt_deg=25, side_m=2.5), "forward")
    assert said.answer.value == "yes"
    assert said.margin == pytest.approx(1 - (0.7 - 0.25), abs=0.08)
    assert not said.close_call
    assert said.flags == ()


@pytest.mark.parametrize("direction", WAYS)
def test_a_free_way_is_for_a_person_to_confirm(box_room, direction) -> None:
    said = _said(box_room(boxes={}, noise=0.2, height_m=1.5, wall_m=2.8), direction)
    assert said.answer.value == "no"
    assert said.close_call
    assert said.flags == ("unseen_space",)


def test_a_way_of_which_nothing_is_seen_has_no_margin(box_room) -> None:
    said = _said(box_room(boxes={}, surface_type="convex_mirror"), "backward")
    assert said.answer.value == "no"
    assert (said.margin, said.unit) == (None, None)
    assert said.close_call


def test_what_a_mirror_shows_behind_the_camera_is_run_into_backwards(box_room) -> None:
    near = _said(box_room(boxes={}, behind_m=0.7, noise=0.2), "backward")
    assert near.answer.value == "yes"
    assert near.margin == pytest.approx(1 - (0.7 - 0.25), abs=0.15)
    far = _said(box_room(boxes={}, behind_m=1.9, noise=0.2), "backward")
    assert far.answer.value == "no"


def test_a_few_readings_are_not_sure_to_be_something(box_room) -> None:
    """A pole of a few pixels' width, near and well within the way."""
    pole = {1: ((0.2, 0.5, 0.9), (0.016, 0.2, 0.02))}
    room = box_room(boxes=pole, unlabelled=(1,), tilt_deg=25, noise=0.1)
    said = _said(room, "forward")
    assert said.close_call


def test_a_few_readings_below_the_camera_are_not_sure_to_be_something(box_room) -> None:
    knob = {1: ((0.0, 0.6, 0.0), (0.08, 0.08, 0.08))}
    room = box_room(boxes=knob, unlabelled=(1,), tilt_deg=10, noise=0.1, wall_m=1.6)
    said = _said(room, "below")
    assert said.answer.value == "no" or said.close_call


@pytest.mark.parametrize("direction", ["left", "right", "backward"])
def test_who_holds_the_camera_before_a_mirror_is_not_in_its_way(box_room, direction) -> None:
    holder = {1: ((0.0, 0.5, -0.25), (0.5, 1.6, 0.3))}
    room = box_room(boxes=holder, unlabelled=(1,), tilt_deg=10, wall_m=1.8)
    said = _said(room, direction)
    assert said.answer.value == "no" or said.close_call


@pytest.mark.parametrize(("side", "x"), [("left", -0.9), ("right", 0.9)])
def test_what_stands_beside_the_camera_is_run_into_on_its_side_alone(box_room, side, x) -> None:
    cupboard = {1: ((x, 0.6, 0.4), (0.4, 1.6, 0.5))}
    room = box_room(boxes=cupboard, unlabelled=(1,), tilt_deg=10, noise=0.2, wall_m=1.8)
    said = {way: _said(room, way) for way in ("left", "right")}
    there = said.pop(side)
    assert there.answer.value == "yes"
    assert there.margin == pytest.approx(1 - (0.7 - 0.25), abs=0.15)
    assert [one.answer.value for one in said.values()] == ["no"]


def test_the_floor_stops_a_camera_that_is_low_over_it(box_room) -> None:
    assert _said(box_room(boxes={}, height_m=0.9, tilt_deg=15), "below").answer.value == "yes"
    assert _said(box_room(boxes={}, height_m=1.5, tilt_deg=15), "below").answer.value == "no"


def test_without_a_floor_nothing_is_certain(box_room) -> None:
    pillar = {1: ((0.0, 0.0, 0.85), (0.5, 2.0, 0.3))}
    room = box_room(boxes=pillar, unlabelled=(1,), tilt_deg=0, height_m=3.4)
    said = _said(room, "forward")
    assert said.answer.value == "yes"
    assert said.close_call


@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize(
    "changed", [{"depth_kind": "normalised"}, {"depth_kind": None}, {"intrinsics": None}]
)
def test_without_metres_nothing_is_said(plain_room, direction, changed) -> None:
    assert isinstance(_said(plain_room, direction, **changed), Refusal)
