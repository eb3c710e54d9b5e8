from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from mira.sim.rooms.crosscheck.agreement import (
    Agreement,
    compare,
    compare_truth,
    compare_views,
    disagreement_picture,
    worst_of,
)
from mira.sim.rooms.crosscheck.reflected_cameras import CrossRenderer, open_crosscheck
from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import PLACE_NAMES, InstancePolicy, LightPolicy, RoomPolicy
from mira.sim.rooms.scene import simulate_scene
from mira.sim.rooms.tracing.renderer import RoomRenderer, ViewTruth

pytestmark = pytest.mark.usefixtures("gl", "embree")

_LEAST_SHARE = 0.999
_MOST_DEPTH_M = 0.001
_ROUNDING_M = 2e-5
"""Neither reflections nor glass make a way longer or shorter, not even by a tenth of a mm."""
_SEED = 20
_ALL_PLACES = tuple(place for place in PLACE_NAMES if place in PLACES)
_OF_EACH_PLACE = 2
"""`benchmarks/renderers_agree.py` tries fifty scenes and more."""
_CONVEX = 3


@pytest.fixture(scope="module")
def second(hall_of_mirrors: RoomPlan, plain_policy: RoomPolicy) -> Iterator[CrossRenderer]:
    with open_crosscheck(hall_of_mirrors, plain_policy) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def truths(hall_of_mirrors: RoomPlan, plain_policy: RoomPolicy) -> tuple[ViewTruth, ...]:
    tracer = RoomRenderer(hall_of_mirrors, plain_policy)
    rng = np.random.default_rng(0)
    return tuple(tracer.view(viewpoint, rng) for viewpoint in hall_of_mirrors.viewpoints)


def _agreement(second: CrossRenderer, truth: ViewTruth, number: int) -> Agreement:
    return compare_truth(second, second.plan.viewpoints[number], truth, name=str(number))


@pytest.mark.parametrize("number", range(3))
def test_both_renderers_see_the_same_among_mirrors_that_face_each_other(
    second: CrossRenderer, truths: tuple[ViewTruth, ...], number: int
) -> None:
    agreement = _agreement(second, truths[number], number)

    assert agreement.share >= _LEAST_SHARE
    assert agreement.depth_p99_m <= _ROUNDING_M
    assert np.isfinite(agreement.depth_max_m)


def test_the_hall_of_mirrors_has_what_is_hard(
    hall_of_mirrors: RoomPlan, truths: tuple[ViewTruth, ...]
) -> None:
    chains = {chain for truth in truths for chain in truth.chains}

    assert max(len(chain) for chain in chains) == 4
    assert any(chain[-1:] == (_CONVEX,) and len(chain) > 1 for chain in chains)
    for truth in truths:
        straight, by_glass = truth.layers
        assert np.count_nonzero((straight.part < 0) & (straight.chain_id > 0)) > 50, "sky"
        assert np.count_nonzero(by_glass.chain_id >= 0) > 1000
    orders = {len(truth.chains[code]) for truth in truths for code in truth.layers[1].chain_id.flat}
    assert {1, 2} <= orders


def test_a_thing_that_moved_is_noticed(
    hall_of_mirrors: RoomPlan, plain_policy: RoomPolicy, truths: tuple[ViewTruth, ...]
) -> None:
    ball, *others = hall_of_mirrors.items
    x, y, z = ball.at_m
    moved = (dataclasses.replace(ball, at_m=(x + 0.02, y, z)), *others)

    with open_crosscheck(dataclasses.replace(hall_of_mirrors, items=moved), plain_policy) as other:
        assert _agreement(other, truths[0], 0).share < _LEAST_SHARE


def test_a_picture_that_is_half_a_pixel_off_is_noticed(
    second: CrossRenderer, truths: tuple[ViewTruth, ...], plain_policy: RoomPolicy
) -> None:
    """Pixels on edges alone would not show it; depth does."""
    viewpoint = second.plan.viewpoints[0]
    right, down, forward = viewpoint.axes
    angle = 0.5 / plain_policy.camera.focal_px
    axes = np.stack((right - angle * forward, down, forward + angle * right))
    turned = dataclasses.replace(viewpoint, axes=axes)

    agreement = compare_truth(second, turned, truths[0], name="turned")

    assert agreement.share < _LEAST_SHARE
    assert agreement.depth_p99_m > _MOST_DEPTH_M


def test_depth_that_is_wrong_is_noticed(
    second: CrossRenderer, truths: tuple[ViewTruth, ...]
) -> None:
    wrong = dataclasses.replace(truths[0], virtual_depth_m=truths[0].virtual_depth_m * 1.001)

    assert _agreement(second, wrong, 0).depth_p99_m > _MOST_DEPTH_M


def test_the_picture_of_differences_shows_both_and_marks_them(
    second: CrossRenderer, truths: tuple[ViewTruth, ...]
) -> None:
    surface = truths[0].first_surface.copy()
    surface[100:104, 200:204] = 7
    agreement = _agreement(second, dataclasses.replace(truths[0], first_surface=surface), 0)

    picture = cv2.imdecode(np.frombuffer(disagreement_picture(agreement), np.uint8), 1)

    left, middle, right = np.split(picture, 3, axis=1)
    assert left.shape == truths[0].colour.shape
    differs = (left != middle).any(axis=2)
    assert differs[100:104, 200:204].all()
    assert np.count_nonzero(differs) == agreement.n_pixels - agreement.n_same
    assert (right[differs] == (0, 0, 255)).all()


def _small_pictures(places: tuple[str, ...]) -> RoomPolicy:
    """Half the usual size, at which outlines, where renderers differ, count twice as much."""
    return RoomPolicy(
        camera=RoomPolicy().camera.reduced(2),
        instances=InstancePolicy(min_area_px=25, min_thickness_px=1.5),
        light=LightPolicy(scatter_samples=1),
        places=places,
        views_per_scene=1,
    )


@pytest.mark.parametrize("place", _ALL_PLACES[:3])
def test_one_view_of_a_place_is_the_same_in_both_renderers(place: str) -> None:
    policy = _small_pictures((place,))
    scene = simulate_scene(seed=_SEED, index=0, policy=policy)

    agreement = compare(scene, scene.views[0], policy)

    assert agreement.name == f"{place} 0.0"
    assert agreement.share >= _LEAST_SHARE
    assert agreement.depth_p99_m <= _MOST_DEPTH_M


@pytest.mark.slow
def test_scenes_of_all_places_are_the_same_in_both_renderers() -> None:
    policy = _small_pictures(_ALL_PLACES)
    found: list[Agreement] = []
    for index in range(_OF_EACH_PLACE * len(_ALL_PLACES)):
        scene = simulate_scene(seed=_SEED, index=index, policy=policy)
        found += compare_views(scene, policy)

    worst = worst_of(found)
    assert worst.share >= _LEAST_SHARE, worst.name
    assert max(agreement.depth_p99_m for agreement in found) <= _MOST_DEPTH_M
