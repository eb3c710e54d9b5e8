"""One simulated scene in memory: its plan, its pictures, their truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.errors import SimulationError
from mira.sim.rooms.places.registry import PLACES, place_of_scene
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.tracing.renderer import RoomRenderer, ViewTruth
from mira.sim.rooms.truth.depth_sensor import dropout_of, sense_depth
from mira.sim.rooms.truth.sightings import ViewContent, find_content
from mira.sim.rooms.viewpoint import Viewpoint

ROOMS_VERSION = 1
"""Raised whenever an equal seed and policy give another scene than before."""
_GLANCE = 6
"""A viewpoint is judged by every sixth pixel of every sixth row."""


@dataclass(frozen=True, eq=False)
class SceneView:
    """One picture of a scene.

    Attributes:
        viewpoint: Its camera.
        truth: Colour and exact truth.
        sensor_depth: What a depth camera reports, shape (height, width), uint16, 0 = no reading.
        content: What is outlined in it.
    """

    viewpoint: Viewpoint
    truth: ViewTruth
    sensor_depth: NDArray[np.uint16]
    content: ViewContent


@dataclass(frozen=True, eq=False)
class SimulatedScene:
    """A room and its pictures.

    Attributes:
        seed: Seed of the series.
        index: Number in the series.
        plan: The room.
        renderer: Sends rays into it; its mesh has the room's triangles.
        views: Its pictures.
    """

    seed: int
    index: int
    plan: RoomPlan
    renderer: RoomRenderer
    views: tuple[SceneView, ...]


def simulate_scene(*, seed: int, index: int, policy: RoomPolicy) -> SimulatedScene:
    """Scene number `index` of a seed, the same every time.

    A room in which some view shows no object together with its reflection is drawn anew, up to
    the policy's number of tries.

    Args:
        seed: Seed of the series, at least 0.
        index: Number in the series, at least 0.
        policy: All settings.

    Raises:
        SimulationError: No try gave a linked pair in every view.
        MissingExtraError: Embree is not installed.
    """
    place = place_of_scene(index, policy.places)
    for attempt in range(policy.layout_tries):
        sequence = np.random.SeedSequence(seed, spawn_key=(index, attempt))
        planning, looking = (np.random.default_rng(child) for child in sequence.spawn(2))
        plan = PLACES[place](planning)
        renderer = RoomRenderer(plan, policy)
        chosen = choose_viewpoints(renderer, plan, policy)
        if len(chosen) < policy.views_per_scene:
            continue
        views = tuple(_look(renderer, view, plan, policy, looking) for view in chosen)
        if all(_has_linked_pair(view.content) for view in views):
            return SimulatedScene(seed, index, plan, renderer, views)
    raise SimulationError(
        f"scene {index} of seed {seed}",
        f"expected a linked pair in every view, found none in {policy.layout_tries} layouts",
        "lower the policy's smallest area or choose another seed",
    )


def choose_viewpoints(
    renderer: RoomRenderer, plan: RoomPlan, policy: RoomPolicy
) -> tuple[Viewpoint, ...]:
    """The planned viewpoints that show most objects both ways, in the plan's order.

    Viewpoints that show none are left out; those nearer to a better one than the policy's
    distance are too, unless too few remain.
    """
    scores = _pairs_at_a_glance(renderer, plan, policy)
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    useful = [place for place in order if scores[place] > 0]
    chosen: list[int] = []
    for distance in (policy.view_distance_m, 0.0):
        for place in useful:
            eye = plan.viewpoints[place].eye_m
            gaps = [np.linalg.norm(eye - plan.viewpoints[other].eye_m) for other in chosen]
            wanted = len(chosen) < policy.views_per_scene and place not in chosen
            if wanted and all(gap >= distance for gap in gaps):
                chosen.append(place)
    return tuple(plan.viewpoints[place] for place in sorted(chosen))


def _pairs_at_a_glance(renderer: RoomRenderer, plan: RoomPlan, policy: RoomPolicy) -> list[float]:
    """Objects that each viewpoint shows both ways; a lone reflection beside them counts half."""
    camera = policy.camera.reduced(_GLANCE)
    annotated = np.array([placed.item.annotated for placed in plan.items], bool)
    if not annotated.any():
        return [0.0] * len(plan.viewpoints)
    pixels = np.zeros((len(plan.viewpoints), 2, len(plan.items)), np.int64)
    for sights in renderer.glances(plan.viewpoints, camera):
        item = np.where(sights.triangle >= 0, renderer.mesh.item[sights.triangle], -1)
        seen = np.flatnonzero(item >= 0)
        view = sights.ray[seen] // (camera.width_px * camera.height_px)
        place = (view, (sights.chain[seen] > 0).astype(int), item[seen])
        pixels += np.bincount(
            np.ravel_multi_index(place, pixels.shape), minlength=pixels.size
        ).reshape(pixels.shape)
    smallest = max(policy.instances.min_area_px // _GLANCE**2, 3)
    direct, reflected = ((pixels >= smallest) & annotated).transpose(1, 0, 2)
    both = (direct & reflected).sum(axis=1)
    lone = (reflected & ~direct).any(axis=1)
    return [float(score) for score in np.where(both > 0, both + 0.5 * lone, 0.0)]


def _look(
    renderer: RoomRenderer, viewpoint: Viewpoint, plan: RoomPlan, policy: RoomPolicy, rng: Generator
) -> SceneView:
    truth = renderer.view(viewpoint, rng)
    depth = sense_depth(
        truth.virtual_depth_m,
        dropout_of(truth.first_surface, plan, policy.depth),
        focal_px=policy.camera.focal_px,
        policy=policy.depth,
        rng=rng,
    )
    return SceneView(viewpoint, truth, depth, find_content(truth, plan, policy, rng))


def _has_linked_pair(content: ViewContent) -> bool:
    return any(sighting.reflection_of is not None for sighting in content.sightings)
