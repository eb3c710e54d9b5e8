"""Rooms so plain that what is true of them can be written down."""

from __future__ import annotations

import dataclasses
import importlib.util
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.places.shell import Shell
from mira.sim.rooms.plan import Lamp, RoomPlan, Walkable
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy
from mira.sim.rooms.reflective import facing, framed_mirror
from mira.sim.rooms.scene import SimulatedScene, simulate_scene
from mira.sim.rooms.things.parts import Finish, Item, Placed, box, sphere
from mira.sim.rooms.viewpoint import look_at

MakePlan = Callable[..., RoomPlan]


@pytest.fixture(scope="session")
def embree() -> None:
    """Skips where no ray can be sent."""
    if importlib.util.find_spec("embreex") is None:
        pytest.skip("embreex is not installed (the extra `sim`)")


@pytest.fixture(scope="session")
def make_plan() -> MakePlan:
    """Make a plan of what is given and nothing else."""

    def _make(**given: Any) -> RoomPlan:
        empty = RoomPlan(
            place="bathroom",
            environment="indoor",
            lighting="day",
            structure=(),
            walkable=Walkable((-2.0, -4.0), (2.0, 0.0)),
            surfaces=(),
            items=(),
            lamps=(),
            viewpoints=(),
        )
        return dataclasses.replace(empty, **given)

    return _make


@pytest.fixture(scope="session")
def quick_policy() -> RoomPolicy:
    """Small pictures, one view a scene."""
    return RoomPolicy(
        camera=CameraPolicy(width_px=212, height_px=120, focal_px=152.5),
        instances=InstancePolicy(min_area_px=25, min_thickness_px=1.5, min_surface_area_px=100),
        places=("bathroom",),
        views_per_scene=1,
        layout_tries=3,
    )


@pytest.fixture(scope="session")
def small_room(make_plan: MakePlan) -> RoomPlan:
    """Two mirrors that meet in a corner, a box, two balls and a ball behind the camera."""
    white, red = Finish((0.8, 0.8, 0.8)), Finish((0.8, 0.2, 0.1))
    shell = Shell(
        width_m=3.0,
        depth_m=4.0,
        height_m=2.5,
        walls=dict.fromkeys(("front", "right", "back", "left"), white),
        floor=Finish((0.5, 0.4, 0.3)),
        ceiling=white,
    )
    front = framed_mirror("mirror_1", (0.75, -0.004, 1.2), facing(0), 1.2, 1.0, frame=white)
    right = framed_mirror("mirror_2", (1.496, -0.75, 1.2), facing(-90), 1.2, 1.0, frame=white)
    crate = (
        box(red, (0.2, 0.2, 0.1), (0, 0, 0.05)),
        box(white, (0.2, 0.2, 0.1), (0, 0, 0.15), name="lid"),
    )
    items = (
        _ball("red ball", red, (0.85, -0.55, 1.2)),
        _ball("white ball", white, (0.45, -0.3, 1.45)),
        Placed(Item("crate", "red crate", crate, 0.15), (0.6, -0.5, 0.75), 30.0),
        _ball("grey ball", Finish((0.4, 0.4, 0.4)), (1.2, -2.6, 1.3), radius_m=0.12),
        Placed(
            Item("post", "post", (box(white, (0.1, 0.1, 1), (0, 0, 0.5)),), 0.1, False), (-1, -1, 0)
        ),
    )
    target = (0.95, -0.2, 1.15)
    return make_plan(
        structure=tuple(shell.parts()),
        walkable=Walkable((-1.5, -4.0), (1.5, 0.0)),
        surfaces=(front, right),
        items=items,
        lamps=(Lamp((0.0, -1.5, 2.4), (0.0, 0.4, 0.0), (0.4, 0.0, 0.0), (12.0, 12.0, 12.0)),),
        ambient=(0.05, 0.05, 0.05),
        viewpoints=(
            look_at((0.3, -2.1, 1.5), target),
            look_at((-0.4, -1.6, 1.5), target),
            look_at((-0.3, -2.0, 1.5), (-1.5, -4.0, 1.0)),
        ),
    )


@pytest.fixture
def only_small_rooms(embree: None, small_room: RoomPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bathroom is the small room; in this process alone."""
    monkeypatch.setitem(PLACES, "bathroom", lambda _: small_room)


@pytest.fixture(scope="session")
def small_scene(embree: None, small_room: RoomPlan, quick_policy: RoomPolicy) -> SimulatedScene:
    """Two views of the small room."""
    policy = quick_policy.model_copy(update={"views_per_scene": 2})
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PLACES, "bathroom", lambda _: small_room)
        return simulate_scene(seed=3, index=0, policy=policy)


@pytest.fixture(scope="session")
def made_rooms(
    embree: None,
    small_room: RoomPlan,
    quick_policy: RoomPolicy,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A session of rooms 0 and 1 of seed 4, both the small room; not to be written to."""
    root = tmp_path_factory.mktemp("made") / "rooms"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PLACES, "bathroom", lambda _: small_room)
        make_rooms(root, count=2, seed=4, policy=quick_policy)
    return root


@pytest.fixture
def small_room_file(small_room: RoomPlan, tmp_path: Path) -> Path:
    """The small room, for another process."""
    path = tmp_path / "small_room.pickle"
    path.write_bytes(pickle.dumps(small_room))
    return path


def _ball(
    name: str, finish: Finish, at_m: tuple[float, float, float], *, radius_m: float = 0.07
) -> Placed:
    part = sphere(finish, radius_m, (0, 0, 0))
    return Placed(Item("ball", name, (part,), radius_m), at_m)
