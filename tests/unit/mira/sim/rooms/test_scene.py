from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from numpy.random import Generator

from mira.errors import SimulationError
from mira.sim.rooms.places.registry import PLACES, place_of_scene
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import InstancePolicy, RoomPolicy
from mira.sim.rooms.scene import SimulatedScene, choose_viewpoints, simulate_scene
from mira.sim.rooms.tracing.renderer import RoomRenderer
from mira.sim.rooms.viewpoint import Viewpoint

pytestmark = pytest.mark.usefixtures("embree")

DIGEST = """
import hashlib, sys
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import simulate_scene

def digest(scene):
    found = hashlib.sha256()
    for view in scene.views:
        truth = view.truth
        for picture in (truth.colour, truth.first_depth_m, truth.virtual_depth_m,
                        truth.first_surface, view.sensor_depth, view.viewpoint.eye_m):
            found.update(picture.tobytes())
        for layer in truth.layers:
            for picture in vars(layer).values():
                found.update(picture.tobytes())
        for seen in (*view.content.surfaces, *view.content.sightings):
            found.update(repr((seen.group_id, seen.region)).encode())
    return found.hexdigest()
"""
ASK = """
policy = RoomPolicy.model_validate_json(sys.argv[1])
print(digest(simulate_scene(seed=5, index=1, policy=policy)))
"""


def _digest(scene: SimulatedScene) -> str:
    names: dict[str, object] = {"hashlib": hashlib}
    exec(DIGEST, names)
    return names["digest"](scene)  # type: ignore[operator, no-any-return]


def test_a_scene_is_the_same_in_every_process_on_any_number_of_threads(
    quick_policy: RoomPolicy,
) -> None:
    found = [_digest(simulate_scene(seed=5, index=1, policy=quick_policy))]
    for threads in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", DIGEST + ASK, quick_policy.model_dump_json()],
            env=os.environ | {"OMP_NUM_THREADS": threads, "PYTHONHASHSEED": threads},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(done.stdout.strip())

    assert found[0] == found[1] == found[2]


def test_seed_and_number_decide_what_is_drawn(
    small_room: RoomPlan, quick_policy: RoomPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[float] = []

    def plan(rng: Generator) -> RoomPlan:
        drawn.append(float(rng.random()))
        return small_room

    monkeypatch.setitem(PLACES, "bathroom", plan)
    for seed, index in (*product((0, 1), (0, 1)), (1, 1)):
        scene = simulate_scene(seed=seed, index=index, policy=quick_policy)
        assert (scene.seed, scene.index) == (seed, index)
    assert len(set(drawn)) == 4
    assert drawn[-1] == drawn[-2]


@pytest.mark.usefixtures("only_small_rooms")
def test_equal_rooms_of_other_numbers_differ_in_noise_alone(quick_policy: RoomPolicy) -> None:
    one, same, other = (
        simulate_scene(seed=0, index=index, policy=quick_policy).views[0] for index in (0, 0, 1)
    )

    assert np.array_equal(one.truth.colour, same.truth.colour)
    assert np.array_equal(one.sensor_depth, same.sensor_depth)
    assert not np.array_equal(one.sensor_depth, other.sensor_depth)
    assert np.array_equal(one.truth.layers[0].item, other.truth.layers[0].item)


def test_places_take_turns() -> None:
    places = ("bathroom", "bedroom", "living_room")

    assert [place_of_scene(index, places) for index in range(5)] == [*places, *places[:2]]


def test_sensor_depth_on_a_mirror_reads_behind_its_plane(
    small_scene: SimulatedScene, quick_policy: RoomPolicy
) -> None:
    sensor = quick_policy.depth
    scale = quick_policy.camera.focal_px * sensor.baseline_m
    for view in small_scene.views:
        truth = view.truth
        mirror = truth.first_surface >= 0
        read = mirror & (view.sensor_depth > 0)
        measured_px = scale / (view.sensor_depth[read] / 1000)
        off_px = np.abs(measured_px - scale / truth.virtual_depth_m[read])
        assert np.median(off_px) < sensor.disparity_noise_px + sensor.disparity_step_px
        to_the_glass_px = scale / truth.first_depth_m[read] - scale / truth.virtual_depth_m[read]
        assert np.median(to_the_glass_px) > 5 * np.median(off_px)
        assert read.sum() / mirror.sum() > 0.5


def test_every_view_has_a_linked_pair(small_scene: SimulatedScene) -> None:
    for view in small_scene.views:
        assert any(sighting.reflection_of for sighting in view.content.sightings)


# Viewpoints


def _chosen(
    plan: RoomPlan, policy: RoomPolicy, viewpoints: list[Viewpoint], *, views: int
) -> list[int]:
    """Places of the chosen viewpoints in the list."""
    planned = dataclasses.replace(plan, viewpoints=tuple(viewpoints))
    wanted = policy.model_copy(update={"views_per_scene": views})
    found = choose_viewpoints(RoomRenderer(planned, wanted), planned, wanted)
    return [next(k for k, one in enumerate(viewpoints) if one is view) for view in found]


def _beside(viewpoint: Viewpoint, by_m: float) -> Viewpoint:
    return Viewpoint(viewpoint.eye_m + np.array((by_m, 0, 0)), viewpoint.axes)


def test_viewpoints_without_reflections_are_not_chosen(
    small_room: RoomPlan, quick_policy: RoomPolicy
) -> None:
    first, second, away = small_room.viewpoints

    assert _chosen(small_room, quick_policy, [away, first, second], views=3) == [1, 2]
    assert _chosen(small_room, quick_policy, [away], views=1) == []


def test_neighbours_are_chosen_only_where_nothing_else_is_left(
    small_room: RoomPlan, quick_policy: RoomPolicy
) -> None:
    first, second, away = small_room.viewpoints
    near = _beside(first, 0.02)

    found = _chosen(small_room, quick_policy, [first, near, away, second], views=2)
    assert found in ([0, 3], [1, 3])
    assert _chosen(small_room, quick_policy, [first, near, away], views=2) == [0, 1]


def test_the_best_viewpoint_comes_first_in_its_own_order(
    small_room: RoomPlan, quick_policy: RoomPolicy
) -> None:
    first, second, _ = small_room.viewpoints
    # Only the bare wall beside the mirrors, and one crate: fewer things are seen both ways.
    few = dataclasses.replace(small_room, items=small_room.items[:3])
    aside = Viewpoint(second.eye_m, small_room.viewpoints[2].axes)

    best = _chosen(few, quick_policy, [aside, first, second], views=1)
    assert best in ([1], [2])
    assert _chosen(few, quick_policy, [second, first], views=2) == [0, 1]


# Rooms that do not do


@pytest.mark.usefixtures("only_small_rooms")
@pytest.mark.parametrize(
    "change",
    [{"instances": InstancePolicy(min_area_px=20_000)}, {"views_per_scene": 3}],
    ids=["nothing is large enough", "too few viewpoints"],
)
def test_a_room_without_a_linked_pair_is_refused(
    quick_policy: RoomPolicy, change: dict[str, object]
) -> None:
    policy = quick_policy.model_copy(update={**change, "layout_tries": 2})

    with pytest.raises(SimulationError) as caught:
        simulate_scene(seed=4, index=7, policy=policy)
    assert str(caught.value).startswith("scene 7 of seed 4: expected a linked pair in every view")
    assert "2 layouts" in str(caught.value)


def test_a_layout_that_does_not_do_is_drawn_anew(
    small_room: RoomPlan, quick_policy: RoomPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[float] = []

    def plan(rng: Generator) -> RoomPlan:
        drawn.append(float(rng.random()))
        done = len(drawn) > 2
        return small_room if done else dataclasses.replace(small_room, items=())

    monkeypatch.setitem(PLACES, "bathroom", plan)
    scene = simulate_scene(seed=0, index=0, policy=quick_policy)

    assert scene.plan is small_room
    assert len(set(drawn)) == 3
