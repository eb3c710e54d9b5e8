from __future__ import annotations

import math

import numpy as np
import pytest

from mira.geometry.camera import project_points
from mira.geometry.plane import Plane, reflect_through, signed_distances_m
from qa_gen.space_page.cloud import cloud_points, pixel_owners
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.reading import SpacePicture
from qa_gen.space_page.records import SpaceModel

STEP_M = 1e-3
ROOMS = ("room_s28_0000", "room_s28_0001", "room_s28_0002")
"""Rooms with flat mirrors."""


def _planes(model: SpaceModel) -> dict[int, Plane]:
    return {
        one.surface_id: Plane(one.normal, one.offset_m)
        for one in model.surfaces
        if one.normal is not None and one.offset_m is not None
    }


@pytest.mark.parametrize("room", ROOMS)
def test_a_reflection_put_back_fits_its_thing(read, room) -> None:
    space = read(room)
    most = space.measured.policy.geometry.pairs.agreeing_sigmas
    links = space.model.links
    assert links
    for link in links:
        assert link.agrees
        assert link.sigmas <= most
        assert math.dist(link.put_back_m, link.thing_m) == pytest.approx(link.gap_m, abs=STEP_M)
    # A rail of clothes that is cut off by its mirror may be more than a metre off, and fits.
    assert np.median([link.gap_m for link in links]) < 0.1


@pytest.mark.parametrize("room", ROOMS)
def test_readings_of_a_reflection_fall_on_its_thing_when_put_back(read, room) -> None:
    """What the page's slider does, by the numbers that the page holds."""
    model = read(room).model
    cloud, planes = cloud_points(model.cloud), _planes(model)
    places = {one.instance_id: k for k, one in enumerate(model.instances, start=1)}
    things = {one.key: one for one in model.things}
    for link in model.links:
        reflected = model.instances[places[link.reflected_id] - 1]
        mine = cloud.owners == places[link.reflected_id]
        ways = {model.cloud.light_ways[k - 1].surface_ids for k in set(cloud.ways[mine]) if k}
        assert ways == {reflected.seen_in}
        back = reflect_through(cloud.points_m[mine], [planes[k] for k in reflected.seen_in])
        thing = things[reflected.thing]
        slack = 3 * np.array(thing.doubt_m) + reflected.real.doubt_m
        middle = np.median(back, axis=0)
        assert (middle > np.array(thing.box.low_m) - slack).all()
        assert (middle < np.array(thing.box.high_m) + slack).all()


def test_what_is_seen_in_a_mirror_lies_behind_it_and_before_it_when_put_back(bathroom) -> None:
    model = bathroom.model
    cloud, planes = cloud_points(model.cloud), _planes(model)
    for number, way in enumerate(model.cloud.light_ways, start=1):
        assert way.is_known
        points = cloud.points_m[cloud.ways == number]
        plane = planes[way.surface_ids[0]]
        assert len(points) > 100
        # Points are stored in steps, so one on the glass may come out on either side.
        assert signed_distances_m(points, plane).max() < STEP_M


def test_an_outline_on_its_plane_projects_back_to_what_was_drawn(bathroom) -> None:
    model, camera = bathroom.model, bathroom.measured.camera
    for surface in model.surfaces:
        plane = Plane(surface.normal, surface.offset_m)
        for ring, loop in zip(surface.rings_px, surface.loops_m, strict=True):
            assert np.abs(signed_distances_m(loop, plane)).max() < STEP_M
            assert np.abs(project_points(camera, loop) + 0.5 - ring).max() < 0.3


def test_readings_project_to_pixels_of_their_own_colour(bathroom) -> None:
    cloud, camera = cloud_points(bathroom.model.cloud), bathroom.measured.camera
    columns, rows = np.rint(project_points(camera, cloud.points_m)).astype(int).T
    assert (bathroom.color_rgb[rows, columns] == cloud.colours).all(axis=1).mean() > 0.999


@pytest.mark.parametrize("most", [1_000, 5_000, 60_000])
def test_no_more_readings_than_allowed_are_kept_and_outlined_ones_are_denser(read, most) -> None:
    cloud = read("room_s28_0000", policy=SpacePolicy(most_points=most)).model.cloud
    assert most / 8 < cloud.count <= most
    assert cloud.outlined_step_px <= cloud.step_px


def test_every_proposal_is_told_and_named(bathroom) -> None:
    model = bathroom.model
    known = {one.instance_id: one.name for one in model.instances}
    assert {one.standing for one in model.proposals} == {"sure", "close", "refused"}
    for one in model.proposals:
        assert (one.answer == "no answer") == (one.standing == "refused")
        assert one.reason
        assert all(f"{known[which]} {which}" in one.question for which in one.slots)


def test_what_is_seen_directly_lies_over_what_its_mirror_shows(bathroom) -> None:
    measured = bathroom.measured
    owners = pixel_owners(measured)
    for instance in measured.facts.annotation.instances:
        if instance.visibility == "direct":
            area = measured.areas.instances[instance.instance_id]
            assert not area.of(owners.ways)[area.mask].any()


def test_refused_surfaces_have_words_and_no_outline_in_metres(read) -> None:
    street = read("room_s28_0003").model
    refused = [one for one in street.surfaces if one.refusal is not None]
    for one in refused:
        assert one.normal is None
        assert one.loops_m == ()
        assert one.refusal.reason
    untold = [link for link in street.links if link.agrees is None]
    assert untold
    assert all(link.put_back_m is None and link.refusal for link in untold)


def test_lengths_hold_no_more_digits_than_the_policy_says(bathroom: SpacePicture) -> None:
    for one in bathroom.model.instances:
        if one.real is not None:
            assert all(round(value, 4) == value for value in one.real.centre_m)
