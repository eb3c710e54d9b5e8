from __future__ import annotations

import numpy as np
import pytest

from qa_gen.proposing.surroundings import Surroundings, look_around

WAYS = {"left": (-1, 0), "right": (1, 0), "forward": (0, 1), "backward": (0, -1)}


def _around(room, **changed) -> Surroundings:
    found = look_around(room.picture(**changed), np.random.default_rng(0))
    assert found is not None
    return found


def _free_m(around: Surroundings) -> dict[str, float]:
    return {name: around.free_m(way) for name, way in WAYS.items()}


def test_free_ways_end_a_bodys_radius_before_walls_and_mirrors(box_room) -> None:
    around = _around(box_room(boxes={}, noise=0.3))
    radius = around.picture.policy.spatial.walker.radius_m
    free = _free_m(around)
    assert around.is_floor_seen
    assert around.ground.camera_height_m == pytest.approx(1.4, abs=0.03)
    assert free["left"] == pytest.approx(1.8 - radius, abs=0.12)
    assert free["right"] == pytest.approx(1.8 - radius, abs=0.12)
    assert free["forward"] == pytest.approx(2.6 - radius, abs=0.12)


def test_what_a_flat_mirror_shows_behind_the_camera_stands_there(box_room) -> None:
    """The wall behind, put back; a bent mirror says nothing of it."""
    radius = 0.25
    flat = _around(box_room(boxes={}, noise=0.3))
    bent = _around(box_room(boxes={}, noise=0.3, surface_type="convex_mirror"))
    assert _free_m(flat)["backward"] == pytest.approx(1.6 - radius, abs=0.15)
    assert _free_m(bent)["backward"] == np.inf
    assert flat.points_m[:, 1].min() < -1
    assert bent.points_m[:, 1].min() > 0


def test_a_thing_in_the_way_shortens_it(box_room) -> None:
    pillar = {1: ((0.0, 0.7, 1.4), (0.3, 1.4, 0.3))}
    assert _free_m(_around(box_room(boxes=pillar)))["forward"] == pytest.approx(1.0, abs=0.1)
    aside = {1: ((0.6, 0.7, 1.4), (0.3, 1.4, 0.3))}
    assert _free_m(_around(box_room(boxes=aside)))["forward"] > 2


def test_what_ends_low_is_stepped_over_and_what_hangs_high_walked_under(box_room) -> None:
    rug = {1: ((0.0, 1.38, 1.6), (0.6, 0.04, 0.5))}
    lamp = {1: ((0.0, -0.6, 1.8), (0.5, 0.3, 0.3))}
    for boxes in (rug, lamp):
        around = _around(box_room(boxes=boxes, tilt_deg=0 if boxes is lamp else 20, noise=0.2))
        assert around.free_m((0.0, 1.0)) > 2


def test_readings_in_the_way_are_counted_up_to_a_distance(box_room) -> None:
    around = _around(box_room(boxes={1: ((0.0, 0.7, 1.4), (0.3, 1.4, 0.3))}))
    ahead = (0.0, 1.0)
    assert around.readings_ahead(ahead, within_m=0.5) == 0
    assert around.readings_ahead(ahead, within_m=1.5) > 100


def test_floor_that_something_hides_is_not_seen(box_room) -> None:
    spot = np.array((0.0, 2.3))
    bare = _around(box_room(boxes={}, tilt_deg=20))
    assert bare.seen_share(spot, until_m=0.5) == 1
    # A chest across the whole way: only what is before it is floor that is seen.
    chest = {1: ((0.0, 1.0, 1.7), (1.6, 0.8, 0.6))}
    hidden = _around(box_room(boxes=chest, tilt_deg=20))
    assert hidden.seen_share(spot, until_m=0.5) < 0.8
    # The first part of every way is below the picture and taken to be free.
    assert hidden.seen_share(np.array((0.0, 0.9)), until_m=0.0) == 1


def test_a_camera_that_sees_no_floor_is_taken_to_be_level_at_a_usual_height(box_room) -> None:
    around = _around(box_room(boxes={}, height_m=3.4, tilt_deg=0))
    assert not around.is_floor_seen
    assert around.ground.camera_height_m == around.picture.policy.usual_height_m
    assert around.seen_share(np.array((0.0, 2.3)), until_m=0.5) == 0


def test_readings_that_hang_alone_are_nothing(box_room) -> None:
    room = box_room(boxes={}, noise=0.3)
    depth = room.depth_m.copy()
    depth[118:122, 210:214] = 0.8
    assert _free_m(_around(room, depth_m=depth))["forward"] > 2


@pytest.mark.parametrize(
    "changed", [{"depth_kind": "normalised"}, {"depth_kind": None}, {"intrinsics": None}]
)
def test_without_metres_nothing_is_known(plain_room, changed) -> None:
    assert look_around(plain_room.picture(**changed), np.random.default_rng(0)) is None


def test_holes_in_depth_are_no_readings(box_room) -> None:
    room = box_room(boxes={})
    for hole in (0.0, np.nan, np.inf, 99.0):
        depth = room.depth_m.copy()
        depth[:, :212] = hole
        around = _around(room, depth_m=depth)
        assert np.isfinite(around.points_m).all()
        assert around.points_m[:, 1].max() < 9
