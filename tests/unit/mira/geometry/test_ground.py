"""Floors among readings of rooms that are drawn here, and the frame that stands on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mira.geometry.ground import Ground, GroundPolicy, find_ground, level_ground
from mira.geometry.mirror_policy import DepthNoisePolicy
from mira.geometry.plane import angle_between_deg, plane_at
from mira.geometry.plane_fitting import depth_sigma_m

Array = NDArray[np.float64]
POLICY = GroundPolicy()
UP = np.array((0.0, -1.0, 0.0))


def _patch(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Array:
    """A grid of points over a rectangle; of the three ranges one is a single value."""
    axes = [
        np.array([low]) if low == high else np.arange(low, high, 0.07) for low, high in (x, y, z)
    ]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=1)


def _floor(height_m: float) -> Array:
    return _patch((-1.5, 1.5), (height_m, height_m), (0.8, 3.8))


def _walls(height_m: float) -> Array:
    ahead = _patch((-1.5, 1.5), (height_m - 2.4, height_m), (4.0, 4.0))
    aside = _patch((1.5, 1.5), (height_m - 2.4, height_m), (1.2, 4.0))
    return np.concatenate((ahead, aside))


def _table(height_m: float) -> Array:
    """A plate of 1.2 x 0.9 m, 0.7 m over the floor."""
    return _patch((-0.9, 0.3), (height_m - 0.7, height_m - 0.7), (1.6, 2.5))


def _turn(tilt_deg: float, roll_deg: float) -> Array:
    """From the level frame to that of a camera that looks down and leans to its right."""
    tilt, roll = np.radians(tilt_deg), np.radians(roll_deg)
    down = np.array(((1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))))
    lean = np.array(((np.cos(roll), np.sin(roll), 0), (-np.sin(roll), np.cos(roll), 0), (0, 0, 1)))
    return np.asarray(lean @ down)


def _seen(points: Array, turn: Array | None = None, *, noise: float = 1.0, seed: int = 0) -> Array:
    """What a stereo camera reports of points of the level frame."""
    points = points if turn is None else points @ turn.T
    sigma = depth_sigma_m(points[:, 2], DepthNoisePolicy())
    draws = np.random.default_rng(seed).standard_normal(len(points))
    return np.asarray(points * (1 + noise * sigma * draws / points[:, 2])[:, None])


def _found(points: Array, policy: GroundPolicy = POLICY) -> Ground | None:
    return find_ground(points, policy=policy, rng=np.random.default_rng(0))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.floats(0, 25), st.floats(-12, 12), st.floats(1.1, 1.9), st.integers(0, 9))
def test_the_floor_of_a_camera_that_leans_is_found(tilt_deg, roll_deg, height_m, seed) -> None:
    turn = _turn(tilt_deg, roll_deg)
    room = np.concatenate((_floor(height_m), _walls(height_m)))
    room = room[(room @ turn.T)[:, 2] > 0.3]

    ground = _found(_seen(room, turn, seed=seed))

    assert ground is not None
    true = plane_at(turn @ UP, turn @ (0, height_m, 2.5))
    assert ground.tilt_error_deg is not None
    assert 0 < ground.tilt_error_deg < 1
    assert angle_between_deg(ground.plane, true) < 0.2 + 3 * ground.tilt_error_deg
    assert ground.camera_height_m == pytest.approx(height_m, abs=0.05)


@settings(max_examples=20, deadline=None)
@given(st.floats(-20, 25), st.floats(-12, 12), st.floats(1.1, 1.9))
def test_its_frame_is_right_handed_and_stands_on_the_floor(tilt_deg, roll_deg, height_m) -> None:
    turn = _turn(tilt_deg, roll_deg)
    plane = plane_at(turn @ UP, turn @ (0, height_m, 2.5))
    found = _found(_seen(_floor(height_m), turn, noise=0.01))
    assert found is not None
    assert angle_between_deg(found.plane, plane) < 0.05

    assert found.axes @ found.axes.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(found.axes) == pytest.approx(1)
    assert found.from_camera((0, 0, 0)) == pytest.approx((0, 0, height_m), abs=2e-3)
    ahead = found.from_camera((0, 0, 1)) - found.from_camera((0, 0, 0))
    assert ahead[0] == pytest.approx(0, abs=1e-9)
    assert ahead[1] > 0.7
    spots = turn @ np.array(((0.4, height_m, 2.0), (-0.3, height_m - 0.5, 2.0))).T
    right, above = found.from_camera(spots.T)
    assert right[2] == pytest.approx(0, abs=5e-3)
    assert above[2] == pytest.approx(0.5, abs=5e-3)
    assert right[0] > above[0]


def test_a_table_is_no_floor_while_the_floor_shows_below_it() -> None:
    table, wall = np.repeat(_table(1.4), 9, axis=0), _walls(1.4)
    hidden = _floor(1.4)
    hidden = hidden[np.abs(hidden[:, 0] + 0.3) > 0.9]
    assert len(table) > 2 * len(hidden)

    ground = _found(_seen(np.concatenate((table, hidden, wall))))

    assert ground is not None
    assert ground.camera_height_m == pytest.approx(1.4, abs=0.03)


def test_a_table_with_too_little_below_it_to_fit_is_no_floor_either() -> None:
    below = _floor(1.4)
    below = below[np.linspace(0, len(below) - 1, 25).astype(int)]
    table = _table(1.4)
    assert len(below) > POLICY.below_share * (len(below) + len(table))

    ground = _found(_seen(np.concatenate((table, below))))

    assert ground is None or ground.camera_height_m > 1.3


def test_a_table_is_no_floor_where_one_reading_in_a_hundred_is_below_it() -> None:
    table, below = np.repeat(_table(1.4), 9, axis=0), _floor(1.4)
    below = below[np.linspace(0, len(below) - 1, len(table) // 100).astype(int)]
    assert _found(_seen(np.concatenate((table, below)))) is None


@pytest.mark.parametrize(
    "points",
    [
        _walls(1.4),
        _patch((-1.5, 1.5), (-1.0, -1.0), (1.2, 3.8)),
        _floor(0.2),
        _floor(3.0),
        _floor(1.4)[:2],
        np.empty((0, 3)),
    ],
    ids=["walls", "ceiling", "too near", "too far below", "two readings", "nothing"],
)
def test_where_nothing_looks_like_a_floor_there_is_none(points) -> None:
    assert _found(_seen(points)) is None


def test_a_slope_steeper_than_the_policy_allows_is_no_floor() -> None:
    slope = _seen(_floor(1.4), _turn(30, 0))
    assert _found(slope) is not None
    assert _found(slope, GroundPolicy(most_tilt_deg=20)) is None


def test_a_floor_whose_normal_is_not_known_well_is_none() -> None:
    floor = _seen(_floor(1.4))
    ground = _found(floor)
    assert ground is not None
    assert ground.tilt_error_deg is not None
    assert _found(floor, GroundPolicy(most_error_deg=ground.tilt_error_deg / 2)) is None


def test_the_same_readings_give_the_same_floor() -> None:
    points = _seen(np.concatenate((_floor(1.4), _walls(1.4))))
    first, second = _found(points), _found(points)
    assert first is not None
    assert first.plane == second.plane
    assert (first.axes == second.axes).all()


def test_a_level_camera_has_its_floor_straight_below() -> None:
    ground = level_ground(1.5)
    assert ground.tilt_error_deg is None
    assert ground.camera_height_m == 1.5
    points = ground.from_camera([(0, 0, 0), (0.5, 1.5, 2.0), (-0.5, -0.3, 1.0)])
    assert points == pytest.approx(np.array([(0, 0, 1.5), (0.5, 2.0, 0), (-0.5, 1.0, 1.8)]))
    assert np.linalg.det(ground.axes) == pytest.approx(1)
