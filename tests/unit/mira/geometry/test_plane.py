from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from mira.errors import GeometryError
from mira.geometry.plane import (
    Plane,
    angle_between_deg,
    bisector_plane,
    intersect_rays,
    plane_at,
    plane_of_polar,
    plane_through,
    polar_of_plane,
    reflect_points,
    reflect_through,
    signed_distances_m,
)

_COORDINATE = st.floats(-5, 5, allow_nan=False)
_POINT = st.tuples(_COORDINATE, _COORDINATE, _COORDINATE)


@st.composite
def _planes(draw: st.DrawFn) -> Plane:
    direction = np.array(draw(_POINT))
    assume(np.linalg.norm(direction) > 0.1)
    return plane_at(direction, draw(_POINT))


@st.composite
def _clouds(draw: st.DrawFn) -> np.ndarray:
    return np.array(draw(st.lists(_POINT, min_size=1, max_size=8)))


@given(_planes())
def test_the_normal_is_a_unit_towards_the_camera(plane: Plane) -> None:
    assert np.linalg.norm(plane.normal) == pytest.approx(1)
    assert plane.offset_m >= 0
    assert float(signed_distances_m((0, 0, 0), plane)) == plane.offset_m


@given(_planes(), _clouds())
def test_reflecting_twice_changes_nothing(plane: Plane, points: np.ndarray) -> None:
    twice = reflect_points(reflect_points(points, plane), plane)
    np.testing.assert_allclose(twice, points, atol=1e-9)


@given(_planes(), _clouds())
def test_reflecting_keeps_all_distances(plane: Plane, points: np.ndarray) -> None:
    moved = reflect_points(points, plane)
    for a, b in itertools.combinations(range(len(points)), 2):
        before, after = (np.linalg.norm(one[a] - one[b]) for one in (points, moved))
        assert after == pytest.approx(before, abs=1e-9)


@given(_planes(), _clouds())
def test_images_are_as_far_behind_as_points_are_before(plane: Plane, points: np.ndarray) -> None:
    behind = signed_distances_m(reflect_points(points, plane), plane)
    np.testing.assert_allclose(behind, -signed_distances_m(points, plane), atol=1e-9)


@given(st.lists(_planes(), max_size=4), _clouds())
def test_a_chain_is_undone_from_the_camera_on(planes: list[Plane], points: np.ndarray) -> None:
    """The last mirror on the list is the first that light meets after it leaves the thing."""
    image = points
    for plane in reversed(planes):
        image = reflect_points(image, plane)
    np.testing.assert_allclose(reflect_through(image, planes), points, atol=1e-8)


def test_no_mirror_changes_nothing() -> None:
    points = np.array([(1.0, 2.0, 3.0)])
    moved = reflect_through(points, ())
    assert moved.tolist() == points.tolist()
    assert moved is not points


def test_rows_without_a_number_stay_so() -> None:
    points = np.array([(np.nan, 0.0, 1.0), (0.0, 0.0, 1.0)])
    moved = reflect_points(points, Plane((0.0, 0.0, -1.0), 2.0))
    assert np.isnan(moved[0, 0])
    assert moved[1].tolist() == [0, 0, 3]


def test_nothing_reflected_is_nothing() -> None:
    assert reflect_points(np.zeros((0, 3)), Plane((0.0, 0.0, -1.0), 2.0)).shape == (0, 3)


@given(_planes(), _POINT)
def test_the_bisector_of_a_point_and_its_image_is_the_mirror(
    plane: Plane, point: tuple[float, float, float]
) -> None:
    assume(abs(float(signed_distances_m(point, plane))) > 0.05)
    assume(plane.offset_m > 1e-6)
    found = bisector_plane(point, reflect_points(point, plane))
    assert angle_between_deg(found, plane) < 1e-4
    assert found.offset_m == pytest.approx(plane.offset_m, abs=1e-6)


@given(_planes())
@example(Plane((0.0, -1.0, -5e-324), 2.0))
def test_a_plane_comes_back_from_its_polar_vector(plane: Plane) -> None:
    assume(plane.offset_m > 1e-3)
    back = plane_of_polar(polar_of_plane(plane))
    # A part of a unit vector is exact beside 1, not beside itself: it may be a denormal number.
    np.testing.assert_allclose(back.normal, plane.normal, rtol=0, atol=1e-12)
    assert back.offset_m == pytest.approx(plane.offset_m, rel=1e-12, abs=0)


@given(_planes(), _POINT)
@example(Plane((0.0, -1.0, 0.0), 1.0), (0.0, 5e-324, 1.0))
def test_rays_meet_a_plane_on_it_and_ahead(plane: Plane, ray: tuple[float, float, float]) -> None:
    length = float(np.linalg.norm(ray))
    assume(length > 1e-3)
    point = intersect_rays(ray, plane)
    approaches = -np.array(plane.normal) @ ray
    assume(abs(approaches) > 1e-6 * length)
    if approaches > 0:
        assert float(signed_distances_m(point, plane)) == pytest.approx(0, abs=1e-6)
        assert point @ np.array(ray) >= 0
    else:
        assert np.isnan(point).all()


def test_three_points_span_a_plane_seen_from_the_camera() -> None:
    plane = plane_through([(0, 0, 2), (1, 0, 2), (0, 1, 2)])
    assert plane == Plane((0.0, 0.0, -1.0), 2.0)
    assert plane_through([(0, 1, 2), (1, 0, 2), (0, 0, 2)]) == plane


def test_angles_are_those_of_the_normals() -> None:
    straight = plane_at((0, 0, 1), (0, 0, 2))
    assert angle_between_deg(straight, straight) == 0
    assert angle_between_deg(straight, plane_at((0, 1, 0), (0, 1, 0))) == pytest.approx(90)
    slight = plane_at((np.sin(1e-8), 0, np.cos(1e-8)), (0, 0, 2))
    assert angle_between_deg(straight, slight) == pytest.approx(np.degrees(1e-8), rel=1e-6)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: plane_at((0, 0, 0), (1, 1, 1)), "a direction and a point"),
        (lambda: plane_at((0, 0, 1), (np.nan, 1, 1)), "a direction and a point"),
        (lambda: plane_at((np.inf, 0, 1), (0, 1, 1)), "a direction and a point"),
        (lambda: plane_through([(0, 0, 1), (1, 1, 2), (2, 2, 3)]), "on a line"),
        (lambda: plane_through([(1, 1, 1)] * 3), "on a line"),
        (lambda: plane_through([(0, 0, 1), (np.nan, 1, 2), (2, 0, 3)]), "on a line"),
        (lambda: bisector_plane((1, 2, 3), (1, 2, 3)), "a direction and a point"),
        (lambda: plane_of_polar((0, 0, 0)), "a polar vector"),
        (lambda: polar_of_plane(Plane((0.0, 0.0, -1.0), 0.0)), "going through"),
    ],
)
def test_what_spans_no_plane_is_refused(make, told: str) -> None:
    with pytest.raises(GeometryError, match=told):
        make()
