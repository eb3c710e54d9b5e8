from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.mirror_verdict import Refusal
from mira.schema.annotation import ImageAnnotation
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.placing import Placed

BIG = (0.26, 0.26, 0.26)


def _place(picture: MeasuredPicture, instance_id: int) -> Placed | Refusal:
    return picture.place_of(picture.facts.object_of(instance_id))


def _off(room, placed: Placed, box: int) -> np.ndarray:
    """Distance of middles along each axis, metres."""
    return np.abs(np.array(placed.extents_m.centre_m) - room.extents(box).centre_m)


@pytest.mark.parametrize("seed", range(4))
def test_whole_things_are_where_they_are_within_their_doubt(box_room, seed) -> None:
    room = box_room(seed=seed, tilt_deg=14)
    picture = room.picture()
    for box, instance_id in ((1, 1), (2, 2), (3, 3), (4, 14)):
        placed = _place(picture, instance_id)
        assert isinstance(placed, Placed)
        assert (_off(room, placed, box) < 3 * np.array(placed.doubt_m)).all()
        assert max(placed.doubt_m) < 0.25
        true = np.subtract(*room.extents(box)[::-1])
        found = np.subtract(*placed.extents_m[::-1])
        assert (found[:2] > 0.8 * true[:2]).all()
        # What is seen from aside looks wider, by as much as is seen of its side.
        assert (found[:2] < 1.8 * true[:2]).all()


def test_the_direct_appearance_goes_before_reflections(plain_room) -> None:
    picture = plain_room.picture()
    for instance_id in (1, 11):
        placed = _place(picture, instance_id)
        assert (placed.rests_on, placed.surface_ids) == ((1,), ())


def test_a_reflection_stands_in_where_the_thing_itself_has_no_depth(box_room) -> None:
    room = box_room(tilt_deg=14)
    depth, direct = room.depth_m.copy(), room.picture().areas.instances[1]
    direct.of(depth)[direct.mask] = 0
    placed = _place(room.picture(depth_m=depth), 1)
    assert isinstance(placed, Placed)
    assert (placed.rests_on, placed.surface_ids) == ((11,), (100,))
    assert (_off(room, placed, 1) < 3 * np.array(placed.doubt_m)).all()
    assert max(placed.doubt_m) > max(_place(room.picture(), 1).doubt_m)


def test_what_is_cut_off_is_doubted_along_the_side_that_is_hidden(box_room) -> None:
    """Of two equal boxes one reaches over the picture's left edge."""
    boxes = {1: ((-1.06, 0.3, 1.5), BIG), 2: ((0.2, 0.3, 1.5), BIG)}
    picture = box_room(boxes=boxes).picture()
    cut, whole = _place(picture, 1), _place(picture, 2)
    assert picture.facts.boxes[1][0] == 0
    assert cut.doubt_m[0] > 2 * whole.doubt_m[0]
    assert cut.span_doubt_m[0] > 2 * whole.span_doubt_m[0]
    # Of what shows a part alone, the other sides are doubted too, and less.
    assert whole.doubt_m[1] < cut.doubt_m[1] < 0.6 * cut.doubt_m[0]
    assert whole.span_doubt_m[1] < cut.span_doubt_m[1] < cut.span_doubt_m[0]


def test_a_thing_with_no_measured_appearance_says_why(box_room, plain_room) -> None:
    room = plain_room
    nothing = _place(room.picture(depth_m=np.zeros_like(room.depth_m)), 1)
    assert isinstance(nothing, Refusal)
    assert nothing.code == "too_few_readings"
    bent = _place(box_room(surface_type="convex_mirror").picture(), 14)
    assert isinstance(bent, Refusal)


def test_surfaces_are_placed_where_their_glass_is_seen(box_room) -> None:
    room = box_room(tilt_deg=0)
    mirror = room.picture().surfaces[100]
    assert isinstance(mirror, Placed)
    assert mirror.surface_ids == (100,)
    assert mirror.extents_m.low_m[0] == pytest.approx(-1.0, abs=0.05)
    assert mirror.extents_m.high_m == pytest.approx((1.0, 0.9, 2.6), abs=0.05)
    bent = box_room(surface_type="convex_mirror").picture().surfaces[100]
    assert isinstance(bent, Refusal)
    assert bent.code == "curved_surface"


def test_an_object_whose_outlines_hold_no_pixel_is_refused(plain_room) -> None:
    room = plain_room
    document = room.annotation.model_dump()
    speck = (((50.1, 50.1), (50.2, 50.1), (50.2, 50.2)),)
    document["instances"][0]["polygons_px"] = speck
    picture = room.picture(annotation=ImageAnnotation.model_validate(document))
    first = picture.facts.object_of(1)
    # Its reflection has a place of its own.
    assert picture.place_of(first).rests_on == (11,)


def test_a_sliver_is_doubted_by_what_its_reflection_shows_of_the_thing(box_room) -> None:
    """Of a tall box only the upper end is in the picture; the mirror shows half of it."""
    boxes = {1: ((-0.45, 1.0, 1.3), (0.2, 1.02, 0.2)), 2: ((0.5, 0.2, 1.6), BIG)}
    room = box_room(boxes=boxes, tilt_deg=0, mirror=(-1.0, 1.0, -0.9, 0.9))
    picture = room.picture()
    seen_px = {k: picture.facts.boxes[k][3] - picture.facts.boxes[k][1] for k in (1, 11)}
    assert seen_px[1] < seen_px[11] / 2
    placed = _place(picture, 1)
    assert placed.rests_on == (1,)
    assert _off(room, placed, 1)[1] < 2.5 * placed.doubt_m[1]
