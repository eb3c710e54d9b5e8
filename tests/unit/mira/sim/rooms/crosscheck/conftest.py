"""Plain rooms with what is hard to reflect rightly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mira.sim.rooms.plan import Lamp, RoomPlan
from mira.sim.rooms.policy import CameraPolicy, LightPolicy, RoomPolicy
from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.things.parts import Finish, Item, Placed, box, sphere
from mira.sim.rooms.viewpoint import look_at

_GREY, _RED = Finish((0.6, 0.6, 0.6)), Finish((0.8, 0.2, 0.1))


@pytest.fixture(scope="session")
def plain_policy() -> RoomPolicy:
    """Small pictures whose light is of no interest."""
    return RoomPolicy(
        camera=CameraPolicy(width_px=320, height_px=240, focal_px=260.0),
        light=LightPolicy(scatter_samples=1),
        views_per_scene=1,
    )


@pytest.fixture(scope="session")
def hall_of_mirrors(make_plan: Callable[..., RoomPlan]) -> RoomPlan:
    """Two mirrors that face each other, a pane askew between them, a convex mirror, a door ajar.

    The door and one ball reach through the planes of surfaces, and the sky is seen over the walls.
    """
    mirrors = (
        ReflectiveSurface("mirror_1", "planar_mirror", (0.0, -0.01, 1.2), facing(0), 1.6, 1.6),
        ReflectiveSurface("mirror_2", "planar_mirror", (0.0, -3.99, 1.2), facing(180), 2.6, 1.8),
        ReflectiveSurface(
            "pane", "glass", (0.5, -1.0, 1.0), facing(-35), 1.0, 1.6, silver=(0.3, 0.3, 0.3),
            see_through=0.7,
        ),
        ReflectiveSurface(
            "bulge", "convex_mirror", (-0.75, -0.5, 1.5), facing(20), 0.5, 0.5, round=True,
            bulge_radius_m=0.9,
        ),
    )  # fmt: skip
    things = (
        Placed(Item("ball", "ball", (sphere(_RED, 0.12, (0, 0, 0)),), 0.12), (-0.2, -0.5, 1.0)),
        Placed(Item("ball", "ball", (sphere(_GREY, 0.15, (0, 0, 0)),), 0.15), (0.5, -1.0, 0.5)),
        Placed(Item("door", "door", (box(_RED, (0.9, 0.04, 1.4), (0.45, 0, 0.7)),), 0.5),
               (-1.4, 0.1, 0.2), -50.0),
        Placed(Item("post", "post", (box(_RED, (0.08, 0.08, 1.7), (0, 0, 0.85)),), 0.1),
               (0.9, -2.9, 0.0), 20.0),
    )  # fmt: skip
    return make_plan(
        structure=(
            box(_GREY, (3.0, 4.2, 0.1), (0, -2.0, -0.05)),
            box(_GREY, (3.0, 0.1, 2.2), (0, 0.05, 1.1)),
            box(_GREY, (3.0, 0.1, 2.2), (0, -4.05, 1.1)),
            box(_GREY, (0.1, 4.2, 2.2), (-1.55, -2.0, 1.1)),
        ),
        surfaces=mirrors,
        items=things,
        lamps=(Lamp((0.0, -1.5, 3.4), (0.0, 0.4, 0.0), (0.4, 0.0, 0.0), (12.0, 12.0, 12.0)),),
        viewpoints=(
            look_at((0.0, -2.4, 1.4), (0.0, 0.0, 1.1)),
            look_at((1.2, -0.5, 1.4), (-0.2, -1.6, 0.9)),
            look_at((-0.9, -1.6, 1.2), (0.6, -3.9, 1.1)),
        ),
    )
