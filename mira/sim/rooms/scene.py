"""One simulated scene in memory: its plan, its pictures, their truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.errors import SimulationError
from mira.sim.rooms.depth_sensor import sense_depth
from mira.sim.rooms.layout import plan_room
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.rendering import RoomRenderer, ViewTruth, open_room
from mira.sim.rooms.sightings import ViewContent, find_content
from mira.sim.rooms.viewpoint import Viewpoint


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
        views: Its pictures.
    """

    seed: int
    index: int
    plan: RoomPlan
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
        SimulationError: No try gave a linked pair in every view, or no GL is found.
        MissingExtraError: MuJoCo is not installed.
    """
    for attempt in range(policy.layout_tries):
        sequence = np.random.SeedSequence(seed, spawn_key=(index, attempt))
        rng = np.random.default_rng(sequence)
        plan = plan_room(rng, index=index, view_count=policy.views_per_scene)
        views = render_views(plan, policy, rng)
        if all(_has_linked_pair(view.content) for view in views):
            return SimulatedScene(seed, index, plan, views)
    raise SimulationError(
        f"scene {index} of seed {seed}",
        f"expected a linked pair in every view, found none in {policy.layout_tries} layouts",
        "lower the policy's smallest area or choose another seed",
    )


def render_views(plan: RoomPlan, policy: RoomPolicy, rng: Generator) -> tuple[SceneView, ...]:
    """A picture from each of a plan's viewpoints."""
    with open_room(plan, policy) as renderer:
        return tuple(
            _render_view(renderer, viewpoint, plan, policy, rng) for viewpoint in plan.viewpoints
        )


def _render_view(
    renderer: RoomRenderer, viewpoint: Viewpoint, plan: RoomPlan, policy: RoomPolicy, rng: Generator
) -> SceneView:
    truth = renderer.view(viewpoint)
    depth = sense_depth(
        truth.depth_m,
        truth.first_mirror >= 0,
        focal_px=policy.camera.focal_px,
        policy=policy.depth,
        rng=rng,
    )
    return SceneView(viewpoint, truth, depth, find_content(truth, plan, policy, rng))


def _has_linked_pair(content: ViewContent) -> bool:
    return any(sighting.reflection_of is not None for sighting in content.sightings)
