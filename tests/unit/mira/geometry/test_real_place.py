from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.instance_points import InstanceExtent, quantiles, vector_of
from mira.geometry.light_path import SeenMirror, last_leg, mirror_in_the_way
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.mirror_verdict import MirrorPlane, Refusal
from mira.geometry.pair_evidence import MirrorPair
from mira.geometry.plane import Plane, plane_at, polar_of_plane, reflect_points
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.real_place import link_gap, place_direct, place_reflected
from mira.geometry.relations import Extents
from mira.schema.capture import CameraIntrinsics

POLICY = MirrorGeometryPolicy()
FRONT = plane_at((0.1, 0.0, -1.0), (0.0, 0.0, 2.0))
SIDE = plane_at((-1.0, 0.0, -0.1), (1.2, 0.0, 1.5))
THING = (0.3, 0.1, 1.2)
Ball = Callable[[tuple[float, ...], float], np.ndarray]


def _extent(points: np.ndarray) -> InstanceExtent:
    low, middle, high = quantiles(points, 2)
    extents = Extents(vector_of(low), vector_of(high))
    half = float((high - low)[:2].min() / 2)
    return InstanceExtent(points, vector_of(middle), extents, half, 0.05, len(points), 1.0, 1.0)


def _mirror(plane: Plane, *, sigma: float = 1e-3, trust: float = 1.0) -> MirrorPlane:
    belief = PlaneBelief(polar_of_plane(plane), np.eye(3) * sigma**2)
    return MirrorPlane(belief=belief, depth_shows="reflection", trust=trust, distance_error_m=0.01)


def _image(ball_at: Ball, *planes: Plane) -> InstanceExtent:
    """The virtual image of a ball that is reflected in planes, the last one first."""
    centre = np.array(THING)
    for plane in reversed(planes):
        centre = reflect_points(centre, plane)
    return _extent(ball_at(tuple(centre), 0.05))


def test_a_directly_seen_thing_is_where_it_is_measured(ball_at: Ball) -> None:
    seen = _extent(ball_at(THING, 0.05))
    place = place_direct(seen, policy=POLICY)
    assert place.centre_m == seen.centre_m
    assert place.extents_m == seen.extents_m
    assert 0 < place.doubt_m < 0.02


@pytest.mark.parametrize("chain", [(1,), (1, 2), (2, 1)])
def test_reflections_of_reflections_are_put_back(ball_at: Ball, chain: tuple[int, ...]) -> None:
    planes = {1: FRONT, 2: SIDE}
    mirrors = {which: _mirror(plane) for which, plane in planes.items()}
    seen = _image(ball_at, *(planes[which] for which in chain))
    place = place_reflected(seen, chain, mirrors, policy=POLICY)
    assert not isinstance(place, Refusal)
    assert np.linalg.norm(np.array(place.centre_m) - THING) < 0.06
    gap = link_gap(
        MirrorPair(2, 1, _extent(ball_at(THING, 0.05)), seen),
        [mirrors[which].belief for which in chain],
        policy=POLICY.pairs,
    )
    assert gap.agrees
    assert gap.gap_m < 0.03


def test_every_mirror_adds_to_the_doubt(ball_at: Ball) -> None:
    mirrors = {1: _mirror(FRONT, sigma=5e-3), 2: _mirror(SIDE, sigma=5e-3)}
    once = place_reflected(_image(ball_at, FRONT), (1,), mirrors, policy=POLICY)
    twice = place_reflected(_image(ball_at, FRONT, SIDE), (1, 2), mirrors, policy=POLICY)
    direct = place_direct(_extent(ball_at(THING, 0.05)), policy=POLICY)
    assert direct.doubt_m < once.doubt_m < twice.doubt_m


@pytest.mark.parametrize(
    ("mirror", "code"),
    [
        (MirrorPlane(refusal=Refusal("curved_surface", "bent")), "no_plane"),
        (_mirror(FRONT, trust=0.4), "uncertain_plane"),
        (_mirror(FRONT, sigma=0.1), "uncertain_place"),
        (_mirror(FRONT)._replace(depth_shows="unknown"), "depth_not_of_reflection"),
        (_mirror(plane_at((0, 0, -1), (0, 0, 9))), "before_surface"),
    ],
)
def test_what_cannot_be_put_back_says_why(ball_at: Ball, mirror: MirrorPlane, code: str) -> None:
    found = place_reflected(_image(ball_at, FRONT), (7,), {7: mirror}, policy=POLICY)
    assert isinstance(found, Refusal)
    assert found.code == code
    assert found.reason


def test_a_second_surface_without_a_plane_is_named(ball_at: Ball) -> None:
    mirrors = {1: _mirror(FRONT), 2: MirrorPlane(refusal=Refusal("thin_evidence", "none"))}
    found = place_reflected(_image(ball_at, FRONT, SIDE), (1, 2), mirrors, policy=POLICY)
    assert isinstance(found, Refusal)
    assert found == Refusal("no_plane", "surface 2 has no plane: none")


def test_a_link_to_another_thing_is_apart(ball_at: Ball) -> None:
    other = _extent(ball_at((-0.3, 0.1, 1.2), 0.05))
    gap = link_gap(
        MirrorPair(2, 1, other, _image(ball_at, FRONT)),
        [_mirror(FRONT).belief],
        policy=POLICY.pairs,
    )
    assert gap.agrees is False
    assert gap.gap_m == pytest.approx(0.6, abs=0.03)
    assert gap.refusal.code == "apart"
    assert "0.60 m" in gap.refusal.reason


def test_the_doubt_of_a_reflected_point_is_what_other_planes_give() -> None:
    rng = np.random.default_rng(0)
    spread = rng.standard_normal((3, 3)) * 0.004
    belief = PlaneBelief(polar_of_plane(FRONT), spread @ spread.T)
    point = np.array((0.4, 0.2, 3.0))
    polars = belief.polar + rng.standard_normal((4000, 3)) @ spread.T
    moved = [reflect_points(point, PlaneBelief(polar, spread).plane) for polar in polars]
    np.testing.assert_allclose(
        np.cov(np.array(moved).T), belief.reflected_spread(point), rtol=0.15, atol=2e-5
    )


def test_a_normal_and_a_distance_have_the_errors_of_their_plane() -> None:
    rng = np.random.default_rng(0)
    spread = rng.standard_normal((3, 3)) * 0.003
    belief = PlaneBelief(polar_of_plane(FRONT), spread @ spread.T)
    ray = np.array((0.1, -0.1, 1.0))
    polars = belief.polar + rng.standard_normal((4000, 3)) @ spread.T
    normals = polars / np.linalg.norm(polars, axis=1, keepdims=True)
    tilts = normals - belief.polar / np.linalg.norm(belief.polar)
    assert np.degrees(np.sqrt((tilts**2).sum(axis=1).mean())) == pytest.approx(
        belief.normal_error_deg, rel=0.1
    )
    along = 1 / (polars @ ray)
    across = np.std(along) * abs(ray @ np.array(FRONT.normal))
    assert across == pytest.approx(belief.distance_error_m(ray), rel=0.1)


CAMERA = CameraIntrinsics(
    width_px=400, height_px=200, fx_px=150, fy_px=150, cx_px=199.5, cy_px=99.5
)
WHOLE = CroppedMask(0, 0, np.ones((200, 400), dtype=bool))


def test_the_last_leg_runs_from_the_last_mirror_to_the_thing() -> None:
    image = reflect_points(reflect_points(np.array(THING), SIDE), FRONT)
    start, end = last_leg(image, [FRONT, SIDE])
    assert start @ np.array(SIDE.normal) + SIDE.offset_m == pytest.approx(0, abs=1e-9)
    assert end == pytest.approx(THING)
    assert last_leg(np.array(THING), [])[0].tolist() == [0, 0, 0]


def test_a_mirror_that_was_not_named_is_found_in_the_way() -> None:
    """Seen in the front mirror and the side mirror, but only the front one was named."""
    image = reflect_points(reflect_points(np.array((0.9, 0.1, 0.8)), SIDE), FRONT)
    mirrors = {1: SeenMirror(FRONT, WHOLE), 2: SeenMirror(SIDE, WHOLE)}
    assert mirror_in_the_way(image, (1,), mirrors, CAMERA, slack_m=0.1) == 2
    assert mirror_in_the_way(image, (1, 2), mirrors, CAMERA, slack_m=0.1) is None
    nowhere = CroppedMask(0, 0, np.zeros((200, 400), dtype=bool))
    beside = {1: SeenMirror(FRONT, WHOLE), 2: SeenMirror(SIDE, nowhere)}
    assert mirror_in_the_way(image, (1,), beside, CAMERA, slack_m=0.1) is None


def test_the_way_of_a_plain_reflection_is_free() -> None:
    image = reflect_points(np.array(THING), FRONT)
    mirrors = {1: SeenMirror(FRONT, WHOLE), 2: SeenMirror(SIDE, WHOLE)}
    assert mirror_in_the_way(image, (1,), mirrors, CAMERA, slack_m=0.0) is None
