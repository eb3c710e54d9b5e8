"""Proposals against what is true of the room of boxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.schema.proposal import Proposal
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.proposing import proposals_of


def _said(picture: MeasuredPicture) -> list[Proposal]:
    return [one for one in proposals_of(picture) if isinstance(one, Proposal)]


def _by_question(said: Iterable[Proposal]) -> dict[tuple[Any, ...], Proposal]:
    return {(one.template_id, *sorted(one.slots.items()), one.direction): one for one in said}


@pytest.mark.parametrize("tilt_deg", [10.0, 15.0, 20.0])
def test_sure_relations_are_the_true_ones(box_room, tilt_deg) -> None:
    right = 0
    for seed in range(3):
        room = box_room(tilt_deg=tilt_deg, seed=seed)
        for one in _said(room.picture()):
            if one.template_id in ("mr_001", "mr_003") and not one.close_call and not one.refusal:
                thing, reference = (k % 10 for k in one.slots.values())
                assert one.answer == room.relation(thing, reference).labels, one
                right += 1
    assert right >= 5


def test_counts_take_each_surface_and_each_thing_with_its_reflections_once(plain_room) -> None:
    things = {"object 1", "object 2", "object 3", "object 14", "surface 100"}
    counts = [one for one in _said(plain_room.picture()) if one.template_id == "ct_001"]
    assert len(counts) == 7 * 6
    for one in counts:
        listed = one.reason.split(": ")[1].split(", ")
        there = [] if listed == ["nothing"] else listed
        (number,) = one.slots.values()
        assert len(there) == one.answer.value == len(set(there))
        assert set(there) <= things - {f"object {number}", f"object {number - 10}"}
    said = _by_question(counts)
    # Box 4 is behind the camera: nothing is nearer, three boxes and the mirror are farther away.
    assert said["ct_001", ("X", 14), "front"].answer.value == 0
    assert said["ct_001", ("X", 14), "behind"].answer.value == 4
    # It is no neighbour of its own: what is nearest to a threshold is another thing.
    assert said["ct_001", ("X", 14), "behind"].margin > 1


def test_appearances_of_one_thing_have_the_same_counts_around_them(plain_room) -> None:
    said = _by_question(_said(plain_room.picture()))
    for direction in ("left", "right", "above", "below", "front", "behind"):
        for number in (1, 2, 3):
            one, other = (said["ct_001", ("X", k), direction] for k in (number, 10 + number))
            assert (one.answer, one.margin) == (other.answer, other.margin)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.floats(-1.12, -0.95), st.integers(0, 9))
def test_what_the_pictures_edge_cuts_off_is_right_where_it_is_sure(
    box_room, plain_room, x, seed
) -> None:
    """Box 1 counts as it is seen directly, although its reflection is whole."""
    boxes = {1: ((x, 0.45, 1.5), (0.24, 0.24, 0.24)), **{k: plain_room.boxes[k] for k in (2, 3)}}
    room = box_room(boxes=boxes, seed=seed)
    picture = room.picture()
    assert picture.facts.boxes[1][0] == 0
    asked = [one for one in _said(picture) if one.slots.get("Y") == 1 and one.answer]
    assert asked
    for one in asked:
        assert one.close_call or one.answer == room.relation(one.slots["X"] % 10, 1).labels


def test_a_cut_off_thing_that_may_go_on_past_another_is_not_called(box_room) -> None:
    """Of a post only the upper end is in the picture: by what is seen it would be above the box."""
    boxes = {1: ((-0.5, 1.0, 1.6), (0.2, 1.0, 0.2)), 2: ((0.3, 0.78, 2.2), (0.2, 0.2, 0.2))}
    room = box_room(boxes=boxes, tilt_deg=0, mirror=(-1.0, 1.0, -0.9, 0.55))
    picture = room.picture()
    assert picture.facts.boxes[1][3] == 240
    said = {k: one for k, one in _by_question(_said(picture)).items() if one.answer}
    true = room.relation(1, 2).labels
    asked = [one for one in said.values() if one.template_id in ("mr_001", "mr_003")]
    assert asked
    assert all(one.close_call for one in asked if one.answer.vertical != true.vertical)
