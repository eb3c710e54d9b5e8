from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.geometry.instance_points import InstanceExtent, quantiles, vector_of
from mira.geometry.mirror_policy import PairPolicy
from mira.geometry.pair_evidence import MirrorPair, body_centre, pair_doubt_m
from mira.geometry.pair_plane import fit_pair_plane
from mira.geometry.plane import (
    Plane,
    angle_between_deg,
    plane_at,
    polar_of_plane,
    reflect_points,
)
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.relations import Extents

POLICY = PairPolicy()
MIRROR = plane_at((0.2, 0.1, -1.0), (0.0, 0.0, 2.0))
PLACES = ((-0.5, 0.3, 1.3), (-0.1, 0.4, 1.1), (0.3, 0.1, 1.4), (0.6, 0.35, 1.2), (0.1, -0.4, 1.5))
Side = Callable[[tuple[float, float, float], float], np.ndarray]


def _extent(points: np.ndarray, *, spread_m: float | None = None) -> InstanceExtent:
    low, middle, high = quantiles(points, 2)
    near, _, far = quantiles(points[:, 2], 10)
    return InstanceExtent(
        points_cam_m=points,
        centre_m=vector_of(middle),
        extents_m=Extents(vector_of(low), vector_of(high)),
        half_width_m=float((high - low)[:2].min() / 2),
        spread_m=float(far - near) if spread_m is None else spread_m,
        pixels=len(points),
        valid_share=1.0,
        kept_share=1.0,
    )


def _pair(
    ball_at: Side,
    number: int,
    *,
    mirror: Plane = MIRROR,
    radius: float = 0.05,
    moved: tuple[float, float, float] = (0, 0, 0),
) -> MirrorPair:
    """A ball and its image; the image is that of another place where it was moved."""
    place = np.array(PLACES[number])
    image = reflect_points(place + np.array(moved), mirror)
    return MirrorPair(
        reflected_id=10 + number,
        real_id=number,
        real=_extent(ball_at(tuple(place), radius)),
        virtual=_extent(ball_at(tuple(image), radius)),
    )


def test_the_middle_of_a_ball_is_guessed_from_its_side(ball_at: Side) -> None:
    extent = _extent(ball_at((0.2, -0.1, 1.5), 0.1))
    side_off = np.linalg.norm(np.array(extent.centre_m) - (0.2, -0.1, 1.5))
    middle_off = np.linalg.norm(body_centre(extent, POLICY) - (0.2, -0.1, 1.5))
    assert middle_off < 0.03 < side_off


def test_balls_show_their_mirror(ball_at: Side) -> None:
    found = fit_pair_plane([_pair(ball_at, k) for k in range(5)], policy=POLICY)
    assert found is not None
    assert found.agrees.all()
    assert angle_between_deg(found.belief.plane, MIRROR) < 0.5
    assert found.belief.plane.offset_m == pytest.approx(MIRROR.offset_m, abs=0.01)
    assert found.residuals_m.max() < 0.02


@pytest.mark.parametrize("wrong", [(0,), (4,), (1, 3)])
def test_pairs_that_do_not_agree_are_left_out(ball_at: Side, wrong: tuple[int, ...]) -> None:
    pairs = [
        _pair(ball_at, k, moved=(0.3, -0.2 * k, 0.35 + 0.1 * k) if k in wrong else (0, 0, 0))
        for k in range(5)
    ]
    found = fit_pair_plane(pairs, policy=POLICY)
    assert found is not None
    assert set(np.flatnonzero(~found.agrees)) == set(wrong)
    assert angle_between_deg(found.belief.plane, MIRROR) < 1


@given(
    order=st.permutations(range(5)),
    shift=st.tuples(*[st.floats(-0.5, 0.5)] * 3),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_order_of_pairs_makes_no_difference(
    ball_at: Side, order: list[int], shift: tuple[float, float, float]
) -> None:
    pairs = [_pair(ball_at, k, moved=shift if k == 2 else (0, 0, 0)) for k in range(5)]
    first = fit_pair_plane(pairs, policy=POLICY)
    second = fit_pair_plane([pairs[k] for k in order], policy=POLICY)
    assert first is not None
    assert second is not None
    assert (first.belief.polar == second.belief.polar).all()
    assert (first.agrees[list(order)] == second.agrees).all()
    assert (first.sigmas[list(order)] == second.sigmas).all()


@given(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(1.7, 3.5), st.floats(0.02, 0.08))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_mirror_behind_the_things_is_found(
    ball_at: Side, tilt_x: float, tilt_y: float, distance_m: float, radius: float
) -> None:
    mirror = plane_at((tilt_x, tilt_y, -1.0), (0.0, 0.0, distance_m + 0.6))
    pairs = [_pair(ball_at, k, mirror=mirror, radius=radius) for k in range(5)]
    found = fit_pair_plane(pairs, policy=POLICY)
    assert found is not None
    assert angle_between_deg(found.belief.plane, mirror) < 2
    assert found.belief.plane.offset_m == pytest.approx(mirror.offset_m, abs=0.06)


def test_small_things_count_for_more_than_large_ones(ball_at: Side) -> None:
    small, large = (
        pair_doubt_m(pair.real, pair.virtual, POLICY)
        for pair in (_pair(ball_at, 0, radius=0.03), _pair(ball_at, 0, radius=0.3))
    )
    assert (small < large).all()


def test_looks_of_other_sizes_and_readings_behind_raise_the_doubt(ball_at: Side) -> None:
    pair = _pair(ball_at, 0)
    whole = pair_doubt_m(pair.real, pair.virtual, POLICY)
    points = pair.virtual.points_cam_m
    half = _extent(points[points[:, 0] > np.median(points[:, 0])])
    assert (pair_doubt_m(pair.real, half, POLICY) > whole).all()
    bleeding = _extent(points, spread_m=1.0)
    doubts = pair_doubt_m(pair.real, bleeding, POLICY)
    assert doubts[1, 1] > whole[1, 1] + 0.1
    assert doubts[0].tolist() == whole[0].tolist()


def test_what_is_known_before_holds_what_pairs_leave_open(ball_at: Side) -> None:
    """One pair alone says little of the tilt; with a firm prior its tilt stays."""
    pair = [_pair(ball_at, 0, radius=0.08)]
    polar = polar_of_plane(MIRROR)
    prior = PlaneBelief(polar, np.eye(3) * 1e-6)
    alone, held = (fit_pair_plane(pair, policy=POLICY, prior=given) for given in (None, prior))
    assert alone is not None
    assert held is not None
    assert alone.belief.normal_error_deg > 5 * held.belief.normal_error_deg
    assert angle_between_deg(held.belief.plane, MIRROR) < 0.3


def test_with_no_pair_what_is_known_stays() -> None:
    polar = polar_of_plane(MIRROR)
    found = fit_pair_plane([], policy=POLICY, prior=PlaneBelief(polar, np.eye(3) * 1e-4))
    assert found is not None
    np.testing.assert_allclose(found.belief.polar, polar)
    assert found.agrees.shape == (0,)


def test_from_nothing_comes_nothing() -> None:
    assert fit_pair_plane([], policy=POLICY) is None


def test_a_thing_that_is_its_own_image_gives_nothing(ball_at: Side) -> None:
    extent = _extent(ball_at((0.1, 0.1, 1.0), 0.05))
    assert fit_pair_plane([MirrorPair(2, 1, extent, extent)], policy=POLICY) is None
