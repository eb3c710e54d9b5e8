from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.rooms.places.placing import Arrangement, item_extent, overlap, side_by_side
from mira.sim.rooms.plan import Walkable
from mira.sim.rooms.things.parts import Finish, Item, Placed, box, rod

CUBE = Item("cube", "cube", (box(Finish(), (1.0, 1.0, 1.0), (0, 0, 0.5)),), 0.71)
ROOM = Walkable((-3.0, -3.0), (3.0, 3.0))


@given(st.floats(-180, 180), st.floats(-180, 180))
def test_things_farther_apart_than_their_corners_never_overlap(one: float, other: float) -> None:
    near, far = Placed(CUBE, (0, 0, 0), one), Placed(CUBE, (1.42, 0, 0), other)
    assert not overlap(near, far)
    assert overlap(near, Placed(CUBE, (0.98, 0, 0), other))


def test_a_turned_thing_needs_more_room() -> None:
    assert not overlap(Placed(CUBE, (0, 0, 0)), Placed(CUBE, (1.1, 0, 0)))
    assert overlap(Placed(CUBE, (0, 0, 0)), Placed(CUBE, (1.1, 0, 0), 45))


def test_things_on_top_of_each_other_touch_and_do_not_overlap() -> None:
    assert not overlap(Placed(CUBE, (0, 0, 0)), Placed(CUBE, (0, 0, 1.0)))
    assert overlap(Placed(CUBE, (0, 0, 0)), Placed(CUBE, (0, 0, 0.9)))


def test_the_extent_of_a_rod_includes_its_round_ends() -> None:
    stick = Item("stick", "stick", (rod(Finish(), (0, 0, 0.1), (0, 0, 0.9), 0.1),), 0.1)
    low, high = item_extent(stick)
    np.testing.assert_allclose((low, high), ((-0.1, -0.1, 0.0), (0.1, 0.1, 1.0)), atol=1e-9)


def test_nothing_is_put_into_another_thing_or_through_a_wall() -> None:
    room = Arrangement(ROOM)
    chest = Item("chest", "chest", CUBE.parts, 0.71)
    assert room.try_put(CUBE, (0, 0, 0))
    assert not room.try_put(chest, (0.5, 0, 0))
    assert not room.try_put(chest, (2.8, 0, 0))
    assert room.try_put(chest, (2.5, 0, 0))


def test_two_things_of_one_description_are_not_put() -> None:
    room = Arrangement(ROOM)
    assert room.try_put(CUBE, (0, 0, 0))
    assert not room.try_put(CUBE, (2, 2, 0))


def test_nobody_stands_too_near_to_a_thing_or_a_wall() -> None:
    room = Arrangement(ROOM)
    room.put(CUBE, (0, 0, 0))
    assert not room.room_to_stand(0.8, 0.0)
    assert not room.room_to_stand(2.9, 0.0)
    assert room.room_to_stand(1.0, 0.0)


@given(st.integers(0, 1000), st.floats(0.5, 6.0))
def test_a_row_stays_on_its_board_in_order(seed: int, length: float) -> None:
    row = side_by_side(np.random.default_rng(seed), [CUBE] * 4, 0.0, length, yaw_deg=0.0)
    spots = [x for _, x, _ in row]
    assert len(spots) == min(4, int(length / 1.02))
    assert all(0.5 <= x <= length - 0.5 for x in spots)
    assert all(b - a >= 1.0 for a, b in pairwise(spots))
