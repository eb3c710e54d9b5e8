from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.things.parts import Finish, Item, Placed, box, sphere
from mira.sim.rooms.things.rotation import about
from mira.sim.rooms.tracing.scene_mesh import SIDES, SceneMesh, build_mesh

_WOOD, _GLASS = Finish((0.5, 0.3, 0.1)), Finish((0.1, 0.1, 0.1))
_ITEM = Item(
    "crate",
    "brown crate",
    (box(_WOOD, (0.2, 0.4, 0.6), (0, 0, 0.3)), sphere(_GLASS, 0.05, (0, -0.2, 0.3), name="knob")),
    0.3,
)


@pytest.fixture(scope="module")
def plan(make_plan: Callable[..., RoomPlan]) -> RoomPlan:
    rail = box(_WOOD, (1.1, 0.05, 0.05), (0, 0.5, 0))
    mirror = ReflectiveSurface(
        "mirror_1", "planar_mirror", (1.0, 0.0, 1.5), facing(0), 1.0, 0.8, parts=(rail,)
    )
    floor = box(_WOOD, (4, 4, 0.1), (0, -2, -0.05))
    turned = Placed(_ITEM, (0.5, -1.0, 0.2), 90.0)
    straight = Placed(_ITEM, (-0.5, -1.0, 0.0))
    return make_plan(structure=(floor,), surfaces=(mirror,), items=(straight, turned))


@pytest.fixture(scope="module")
def mesh(plan: RoomPlan) -> SceneMesh:
    return build_mesh(plan)


def test_every_triangle_knows_what_it_belongs_to(mesh: SceneMesh) -> None:
    # Floor; pane and rail of the mirror; box and ball of either crate.
    assert mesh.item_of_part.tolist() == [-1, -1, -1, 0, 0, 1, 1]
    assert mesh.surface_of_part.tolist() == [-1, 0, -1, -1, -1, -1, -1]
    assert mesh.part_names == ("", "", "", "", "knob", "", "knob")
    assert mesh.finishes[0] == mesh.finishes[2] == mesh.finishes[3] == _WOOD
    assert np.array_equal(np.unique(mesh.part), np.arange(7))
    assert np.array_equal(mesh.item, mesh.item_of_part[mesh.part])
    assert np.array_equal(mesh.surface >= 0, mesh.part == 1)
    sizes = {len(value) for value in (mesh.corners, mesh.normals, mesh.uv, mesh.picture)}
    assert sizes == {len(mesh.part)} == {len(mesh.side)}


def test_parts_stand_where_the_plan_puts_them(mesh: SceneMesh) -> None:
    box_of = [mesh.corners[mesh.part == part].reshape(-1, 3) for part in (3, 5)]

    assert box_of[0].min(axis=0) == pytest.approx((-0.6, -1.2, 0.0))
    assert box_of[0].max(axis=0) == pytest.approx((-0.4, -0.8, 0.6))
    assert box_of[1].min(axis=0) == pytest.approx((0.3, -1.1, 0.2))
    assert box_of[1].max(axis=0) == pytest.approx((0.7, -0.9, 0.8))


def test_the_front_of_a_turned_thing_turns_with_it(mesh: SceneMesh) -> None:
    front = mesh.side == SIDES.index("front")

    straight, turned = (mesh.normals[front & (mesh.part == part)] for part in (3, 5))

    assert straight.reshape(-1, 3) == pytest.approx(np.tile((0, -1, 0), (6, 1)), abs=1e-6)
    assert turned.reshape(-1, 3) == pytest.approx(np.tile((1, 0, 0), (6, 1)), abs=1e-6)


@pytest.mark.parametrize(
    ("side", "axis", "sign"),
    [
        ("right", 0, 1),
        ("left", 0, -1),
        ("back", 1, 1),
        ("front", 1, -1),
        ("top", 2, 1),
        ("bottom", 2, -1),
    ],
)
def test_sides_are_those_of_the_things_own_frame(
    mesh: SceneMesh, side: str, axis: int, sign: int
) -> None:
    here = (mesh.part == 3) & (mesh.side == SIDES.index(side))

    assert here.sum() == 2
    assert mesh.normals[here][..., axis] == pytest.approx(sign)


def test_a_turned_part_has_the_sides_of_its_thing(make_plan: Callable[..., RoomPlan]) -> None:
    lying = box(_WOOD, (0.2, 0.2, 1.0), (0, 0, 0), about((1.0, 0.0, 0.0), 90.0))
    mesh = build_mesh(make_plan(items=(Placed(Item("log", "log", (lying,), 0.5), (0, 0, 0)),)))

    ends = np.abs(mesh.corners[:, :, 1].mean(axis=1)) > 0.49

    assert sorted(SIDES[k] for k in np.unique(mesh.side[ends])) == ["back", "front"]


def test_shading_normals_keep_length_1(mesh: SceneMesh) -> None:
    assert mesh.normals.dtype == np.float32
    assert np.linalg.norm(mesh.normals, axis=-1) == pytest.approx(1, abs=1e-6)


def test_a_mirror_is_its_reflecting_side_alone(mesh: SceneMesh, plan: RoomPlan) -> None:
    corners = mesh.corners[mesh.surface == 0].reshape(-1, 3)
    mirror = plan.surfaces[0]

    assert corners @ mirror.normal + mirror.offset_m == pytest.approx(0)
    assert np.ptp(corners, axis=0) == pytest.approx((1.0, 0.0, 0.8), abs=1e-12)
    assert mesh.normals[mesh.surface == 0].reshape(-1, 3)[0] == pytest.approx(
        mirror.normal, abs=1e-6
    )
