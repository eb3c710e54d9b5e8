"""Every question has its record, with an answer or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.schema.annotation import ImageAnnotation
from mira.schema.proposal import Proposal
from mira.schema.qa import Drop
from qa_gen.asking import Ask, spatial_asks
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.proposing import RULE_OF, proposals_of


def _said(picture: MeasuredPicture) -> list[Proposal]:
    return [one for one in proposals_of(picture) if isinstance(one, Proposal)]


def _by_question(said: Iterable[Proposal]) -> dict[tuple[Any, ...], Proposal]:
    return {(one.template_id, *sorted(one.slots.items()), one.direction): one for one in said}


# Records


def _ruled(picture: MeasuredPicture) -> list[Ask | Drop]:
    """All that is asked of a picture and that a rule answers, and what cannot be asked."""
    asked = list(spatial_asks(picture.facts))
    return [one for one in asked if isinstance(one, Drop) or one.template_id != "mpac_001"]


def test_every_question_with_a_rule_is_proposed_or_dropped_once(box_room) -> None:
    picture = box_room(unlabelled=(2,)).picture()
    ruled, found = _ruled(picture), list(proposals_of(picture))

    assert len(found) > 50
    for ask, outcome in zip(ruled, found, strict=True):
        if isinstance(ask, Ask):
            assert isinstance(outcome, Proposal)
            assert (outcome.item_id, outcome.slots) == (ask.item_id, dict(ask.slots))
        else:
            assert outcome == ask


def test_what_nobody_has_decided_is_dropped_where_it_may_be_the_other_thing(plain_room) -> None:
    room = plain_room
    links = [link for link in room.annotation.links if link.reflected_id != 12]
    undecided = room.annotation.model_copy(update={"links": tuple(links)})

    dropped = [one for one in proposals_of(room.picture(annotation=undecided)) if _is_drop(one)]

    assert {one.instance_ids for one in dropped} == {
        (12, 1),
        (12, 2),
        (12, 3),
        (11, 12),
        (12, 13),
    }


def test_reflections_in_two_mirrors_of_what_is_not_in_the_picture_may_be_one_thing(
    box_room,
) -> None:
    room = box_room(boxes={4: ((-0.35, 0.20, -0.6), (0.36, 0.36, 0.36))})
    document = room.annotation.model_dump()
    other_mirror = document["surfaces"][0] | {"surface_id": 101}
    other_mirror["polygons_px"] = [[(390.0, 10.0), (420.0, 10.0), (420.0, 60.0), (390.0, 60.0)]]
    again = document["instances"][0] | {"instance_id": 15, "seen_in": [101]}
    again["polygons_px"] = [[(395.0, 20.0), (412.0, 20.0), (412.0, 40.0), (395.0, 40.0)]]
    document["surfaces"] = [*document["surfaces"], other_mirror]
    document["instances"] = [*document["instances"], again]
    document["links"] = [*document["links"], document["links"][0] | {"reflected_id": 15}]
    picture = room.picture(annotation=ImageAnnotation.model_validate(document))
    asked = [one for one in spatial_asks(picture.facts) if one.template_id == "mr_003"]
    assert [type(one) for one in asked] == [Drop]


def _is_drop(one: Proposal | Drop) -> bool:
    return isinstance(one, Drop) and one.reason == "may-be-one-object"


@pytest.mark.parametrize("depth_kind", ["metric", "normalised"])
def test_records_are_read_as_they_were_written(plain_room, depth_kind) -> None:
    for one in _said(plain_room.picture(depth_kind=depth_kind)):
        assert Proposal.from_json(one.to_json(), where="here") == one
        assert one.derivation.rule == RULE_OF[one.template_id]


def test_measured_instances_and_mirrors_are_named_as_what_an_answer_rests_on(plain_room) -> None:
    said = _by_question(_said(plain_room.picture()))
    # Box 2 is measured where it is seen directly, box 4 in the mirror alone.
    assert said["mr_001", ("X", 12), ("Y", 3), None].derivation.surface_ids == ()
    derivation = said["mr_001", ("X", 14), ("Y", 2), None].derivation
    assert derivation.surface_ids == (100,)
    assert set(derivation.instance_ids) == {14, 2, 12}
    assert derivation.links == ((12, 2),)


# What gives no answer


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"depth_kind": "normalised"}, "normalised-depth"),
        ({"depth_kind": None}, "no-depth"),
        ({"intrinsics": None}, "no-camera"),
    ],
)
def test_without_metres_everything_is_refused(plain_room, changed, refusal) -> None:
    said = _said(plain_room.picture(**changed))

    assert len(said) > 50
    assert all(one.answer is None for one in said)
    assert {one.refusal for one in said if one.template_id != "ac_004"} == {refusal}
    assert {one.refusal for one in said if one.template_id == "ac_004"} == {"no-depth"}


@pytest.mark.parametrize("surface_type", ["convex_mirror", "vehicle_side_mirror", None])
def test_nothing_rests_on_a_surface_that_is_bent_or_of_no_known_kind(
    box_room, surface_type
) -> None:
    said = _said(box_room(surface_type=surface_type).picture())

    assert all(one.derivation.surface_ids == () for one in said)
    of_reflections = [one for one in said if 14 in one.slots.values()]
    assert of_reflections
    assert all(one.refusal for one in of_reflections)
    assert all(one.refusal for one in said if one.template_id == "ct_001")
    # What is seen directly has its place all the same.
    assert any(one.answer for one in said if one.slots == {"X": 11, "Y": 2})


def test_a_link_that_depth_denies_leaves_no_sure_answer(plain_room) -> None:
    room = plain_room
    swapped = {11: 2, 12: 1}
    document = room.annotation.model_dump()
    for link in document["links"]:
        if link["reflected_id"] in swapped:
            link["real_id"] = link["reflection_of_id"] = swapped[link["reflected_id"]]
    said = _said(room.picture(annotation=ImageAnnotation.model_validate(document)))

    denied = [one for one in said if {1, 2, 11, 12} & set(one.slots.values()) and one.answer]
    assert denied
    assert all(one.close_call and "link_denied" in one.flags for one in denied)


def test_a_picture_without_instances_is_asked_of_movements_alone(plain_room) -> None:
    said = _said(replace(plain_room, boxes={}).picture())
    assert {one.template_id for one in said} == {"ac_004"}
    assert [one.direction for one in said] == [
        "left",
        "right",
        "forward",
        "backward",
        "above",
        "below",
    ]


def test_depth_without_a_reading_refuses_and_does_not_fail(plain_room) -> None:
    room = plain_room
    for hole in (0.0, np.nan, np.inf):
        said = _said(room.picture(depth_m=np.full_like(room.depth_m, hole)))
        assert all(one.refusal for one in said if one.template_id != "ac_004")
        assert all(one.close_call for one in said if one.template_id == "ac_004")


corners = st.tuples(st.floats(-60, 480), st.floats(-60, 300))
shapes = st.lists(corners, min_size=3, max_size=5, unique=True)


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(shapes, min_size=8, max_size=8), st.integers(0, 2**32 - 1))
def test_whatever_is_outlined_and_measured_every_question_has_its_record(
    plain_room, outlines, seed
) -> None:
    """Outlines beyond the picture, across each other and without a pixel; depth with holes."""
    room = plain_room
    document = room.annotation.model_dump()
    for shape, outline in zip(
        (*document["surfaces"], *document["instances"]), outlines, strict=True
    ):
        shape["polygons_px"], shape["holes_px"] = [outline], []
    rng = np.random.default_rng(seed)
    depth = rng.choice([0.0, np.nan, 0.4, 1.3, 2.0, 7.0], size=(6, 8)).repeat(40, 0).repeat(53, 1)
    picture = room.picture(annotation=ImageAnnotation.model_validate(document), depth_m=depth)

    found = list(proposals_of(picture))

    assert len(found) == len(_ruled(picture))
    for one in found:
        if isinstance(one, Proposal) and one.margin is not None:
            assert np.isfinite(one.margin)
