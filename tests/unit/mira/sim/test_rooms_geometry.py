from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.rooms.meshes import arc, ring, tube, turned
from mira.sim.rooms.mirror import Mirror, reflect_across
from mira.sim.rooms.parts import Finish, Mesh
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.rotation import about, along, compose, rotate, yaw
from mira.sim.rooms.viewpoint import look_at

_coordinate = st.floats(-5, 5)
_point = st.tuples(_coordinate, _coordinate, _coordinate)
_FRONT = Mirror("m", "front", (0.2, -0.004, 1.2), 1.0, 0.8, False, Finish())
_RIGHT = Mirror("m", "right", (1.5, -0.6, 1.2), 0.8, 0.8, False, Finish())


@given(_point)
def test_reflecting_twice_gives_the_point_back(point: tuple[float, float, float]) -> None:
    twice = reflect_across(_RIGHT, reflect_across(_RIGHT, np.array(point)))

    assert twice == pytest.approx(np.array(point), abs=1e-9)


@pytest.mark.parametrize(
    ("mirror", "normal", "offset_m"),
    [(_FRONT, (0, -1, 0), -0.004), (_RIGHT, (-1, 0, 0), 1.5)],
)
def test_a_mirror_plane_faces_the_room(
    mirror: Mirror, normal: tuple[float, ...], offset_m: float
) -> None:
    assert tuple(mirror.normal) == normal
    assert mirror.offset_m == pytest.approx(offset_m)
    assert mirror.normal @ np.array(mirror.centre_m) + mirror.offset_m == pytest.approx(0)


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


def test_composed_turns_apply_the_inner_one_first() -> None:
    inner, outer = about((1.0, 0.0, 0.0), 90), yaw(90)

    assert rotate(compose(outer, inner), (0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1))
    assert rotate(compose(inner, outer), (1.0, 0.0, 0.0)) == pytest.approx((0, 0, 1))


@given(st.tuples(_coordinate, _coordinate, _coordinate).filter(lambda p: np.linalg.norm(p) > 0.1))
def test_along_turns_up_into_the_direction(direction: tuple[float, float, float]) -> None:
    unit = np.array(direction) / np.linalg.norm(direction)

    assert rotate(along(np.array(direction)), (0.0, 0.0, 1.0)) == pytest.approx(unit, abs=1e-5)


@pytest.mark.parametrize(
    ("make", "volume"),
    [
        (lambda: turned([(0, 0), (1, 0), (1, 2), (0, 2)], around=200), 2 * np.pi),
        (lambda: tube(arc(1.0, 0, 90, count=60), 0.1, around=60), np.pi / 2 * np.pi * 0.01),
        (lambda: ring(1.0, 0.2, around=200), 2 * np.pi * np.pi * 0.04),
    ],
)
def test_surfaces_are_closed_and_face_outwards(make: Callable[[], Mesh], volume: float) -> None:
    mesh = make()
    corners = mesh.vertices_m[mesh.faces]

    signed = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6

    assert signed == pytest.approx(volume, rel=0.06)


def test_all_rooms_stand_inside_their_walls(corner_room: RoomPlan) -> None:
    shell = corner_room.shell
    for placed in corner_room.items:
        x, y, z = placed.at_m
        assert abs(x) <= shell.width_m / 2
        assert -shell.depth_m <= y <= 0
        assert 0 <= z < shell.height_m
    for viewpoint in corner_room.viewpoints:
        assert abs(viewpoint.eye_m[0]) < shell.width_m / 2
        assert -shell.depth_m < viewpoint.eye_m[1] < 0
