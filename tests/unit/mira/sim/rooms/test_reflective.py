from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.rooms.reflective import (
    ReflectiveSurface,
    facing,
    framed_mirror,
    reflect_across,
    reflect_direction,
)
from mira.sim.rooms.things.parts import Finish
from mira.sim.rooms.things.rotation import rotate

_coordinate = st.floats(-5, 5)
_point = st.tuples(_coordinate, _coordinate, _coordinate)
_FRONT = framed_mirror("m", (0.2, -0.004, 1.2), facing(0), 1.0, 0.8, frame=None)
_RIGHT = framed_mirror("m", (1.5, -0.6, 1.2), facing(-90), 0.8, 0.8, frame=None)
_LEANING = framed_mirror("m", (0.2, -1.0, 1.2), facing(25, lean_deg=12), 0.8, 0.8, frame=None)


@pytest.mark.parametrize("mirror", [_FRONT, _RIGHT, _LEANING])
@given(point=_point)
def test_reflecting_twice_gives_the_point_back(
    mirror: ReflectiveSurface, point: tuple[float, float, float]
) -> None:
    once = reflect_across(mirror, np.array(point))

    assert reflect_across(mirror, once) == pytest.approx(np.array(point), abs=1e-9)
    middle = (once + np.array(point)) / 2
    assert mirror.normal @ middle + mirror.offset_m == pytest.approx(0, abs=1e-9)


@given(_point, _point)
def test_directions_are_reflected_as_the_points_they_join(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> None:
    start, end = np.array(first), np.array(second)

    joined = reflect_across(_LEANING, end) - reflect_across(_LEANING, start)

    assert reflect_direction(_LEANING, end - start) == pytest.approx(joined, abs=1e-9)


@pytest.mark.parametrize(
    ("mirror", "normal", "offset_m"),
    [(_FRONT, (0, -1, 0), -0.004), (_RIGHT, (-1, 0, 0), 1.5)],
)
def test_a_mirror_plane_faces_the_room(
    mirror: ReflectiveSurface, normal: tuple[float, ...], offset_m: float
) -> None:
    assert tuple(mirror.normal) == normal
    assert mirror.offset_m == pytest.approx(offset_m)
    assert mirror.normal @ np.array(mirror.centre_m) + mirror.offset_m == pytest.approx(0)


@pytest.mark.parametrize(
    ("yaw_deg", "looks"), [(0, (0, -1, 0)), (90, (1, 0, 0)), (180, (0, 1, 0)), (-90, (-1, 0, 0))]
)
def test_facing_turns_a_panel_upright_out_of_its_wall(
    yaw_deg: float, looks: tuple[float, ...]
) -> None:
    turn = facing(yaw_deg)

    assert rotate(turn, (0.0, 0.0, 1.0)) == pytest.approx(looks, abs=1e-12)
    assert rotate(turn, (0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1), abs=1e-12)


def test_a_panel_that_leans_looks_down() -> None:
    assert rotate(facing(40, lean_deg=12), (0.0, 0.0, 1.0))[2] == pytest.approx(
        -np.sin(np.radians(12))
    )


def test_a_convex_surface_bulges_towards_the_viewer() -> None:
    bent = ReflectiveSurface(
        "m", "convex_mirror", (0.0, 0.0, 2.0), facing(0), 0.6, 0.6, True, bulge_radius_m=1.1
    )

    assert _FRONT.ball_centre_m is None
    assert bent.ball_centre_m == pytest.approx((0, 1.1, 2.0))
    from_centre = bent.mesh().vertices_m + np.array((0, 0, 1.1))
    assert np.linalg.norm(from_centre, axis=1) == pytest.approx(1.1)


def test_a_frame_hides_no_part_of_its_mirror_head_on() -> None:
    mirror = framed_mirror("m", (0, 0, 1), facing(0), 1.0, 0.8, frame=Finish())

    for part in mirror.parts:
        x, y, z = part.at_m
        half_x, half_y, _ = part.size_m
        behind = z < 0
        beside = abs(x) - half_x >= 0.5 - 1e-9 or abs(y) - half_y >= 0.4 - 1e-9
        assert behind or beside
