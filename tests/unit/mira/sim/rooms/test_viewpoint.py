from __future__ import annotations

import numpy as np
import pytest

from mira.sim.rooms.reflective import facing, framed_mirror, reflect_across
from mira.sim.rooms.viewpoint import look_at

_FRONT = framed_mirror("m", (0.2, -0.004, 1.2), facing(0), 1.0, 0.8, frame=None)
_RIGHT = framed_mirror("m", (1.5, -0.6, 1.2), facing(-90), 0.8, 0.8, frame=None)


def test_a_virtual_camera_sees_a_point_where_the_camera_sees_its_image() -> None:
    camera = look_at((-0.5, -2.0, 1.5), (0.2, 0.0, 1.1))
    point = np.array((0.3, -1.1, 0.9))

    image = camera.to_camera(reflect_across(_FRONT, point))

    assert camera.reflected(_FRONT).to_camera(point) == pytest.approx(image, abs=1e-12)


def test_a_camera_is_right_handed_and_its_reflection_is_not() -> None:
    camera = look_at((-0.5, -2.0, 1.5), (0.2, 0.0, 1.1))

    assert np.linalg.det(camera.axes) == pytest.approx(1)
    assert not camera.mirrored
    assert camera.reflected(_FRONT).mirrored
    assert not camera.reflected(_FRONT).reflected(_RIGHT).mirrored


def test_a_level_camera_has_down_pointing_down() -> None:
    right, down, forward = look_at((0, -2, 1), (0, 0, 1)).axes

    assert right == pytest.approx((1, 0, 0))
    assert down == pytest.approx((0, 0, -1))
    assert forward == pytest.approx((0, 1, 0))


def test_points_survive_the_way_to_the_camera_and_back() -> None:
    camera = look_at((-0.5, -2.0, 1.5), (0.2, 0.0, 1.1)).reflected(_RIGHT)
    points = np.random.default_rng(0).normal(size=(20, 3))

    assert camera.to_room(camera.to_camera(points)) == pytest.approx(points, abs=1e-12)
