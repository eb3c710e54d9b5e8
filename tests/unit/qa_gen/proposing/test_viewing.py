from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.mirror_verdict import Refusal
from qa_gen.asking import Ask, spatial_asks
from qa_gen.proposing.surroundings import look_around
from qa_gen.proposing.viewing import propose_better_view
from qa_gen.proposing.writing import Outcome

SIZE = (0.36, 0.36, 0.36)


def _said(room, instance_id: int, **changed) -> Outcome | Refusal:
    picture = room.picture(**changed)
    asks = (ask for ask in spatial_asks(picture.facts) if isinstance(ask, Ask))
    ask = next(a for a in asks if (a.template_id, a.slots) == ("ac_003", (("X", instance_id),)))
    return propose_better_view(ask, picture, look_around(picture, np.random.default_rng(0)))


@pytest.mark.parametrize(
    ("where", "action"),
    [
        ((-0.35, 0.2, -1.2), "turn_around"),
        ((1.45, 0.2, 0.3), "rotate_right"),
        ((-1.45, 0.2, 0.3), "rotate_left"),
    ],
)
def test_turning_to_a_thing_that_a_mirror_alone_shows_is_the_better_view(
    box_room, where, action
) -> None:
    room = box_room(boxes={4: (where, SIZE)}, side_m=2.6, wall_m=2.2, mirror=(-1.3, 1.3, -0.9, 0.9))
    said = _said(room, 14)
    assert said.answer.value == action
    assert said.unit == "ratio"
    assert said.margin > 1.5


def test_a_thing_that_is_seen_directly_and_large_needs_no_better_view(box_room) -> None:
    room = box_room(boxes={1: ((-0.2, 0.5, 1.0), (0.5, 0.4, 0.2))}, tilt_deg=14)
    said = _said(room, 11)
    assert said.answer.value == "none"
    assert said.margin > 1


def test_every_answer_is_for_a_person_to_confirm(plain_room) -> None:
    room = plain_room
    for instance_id in (11, 12, 13, 14):
        said = _said(room, instance_id)
        assert said.close_call
        assert "unseen_space" in said.flags
        assert ("behind_camera" in said.flags) == (instance_id == 14)


def test_a_movement_that_is_not_free_is_not_taken(box_room) -> None:
    """A thing ahead would be larger from nearer by, but for a chest in the way."""
    far = ((0.8, 0.0, 2.6), (0.3, 0.3, 0.3))
    open_room = box_room(boxes={1: far}, wall_m=3.4, tilt_deg=5)
    assert _said(open_room, 11).answer.value == "move_forward"
    chest = ((-0.16, 0.8, 0.8), (0.48, 1.2, 0.3))
    blocked = box_room(boxes={1: far, 2: chest}, unlabelled=(2,), wall_m=3.4, tilt_deg=5)
    assert _said(blocked, 11).answer.value != "move_forward"


@pytest.mark.parametrize(
    "changed", [{"depth_kind": "normalised"}, {"depth_kind": None}, {"intrinsics": None}]
)
def test_without_metres_nothing_is_said(plain_room, changed) -> None:
    assert isinstance(_said(plain_room, 11, **changed), Refusal)


def test_a_reflection_in_a_bent_mirror_says_nothing(box_room) -> None:
    refused = _said(box_room(surface_type="convex_mirror"), 14)
    assert isinstance(refused, Refusal)
