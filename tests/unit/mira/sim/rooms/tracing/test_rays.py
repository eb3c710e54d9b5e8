from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from mira.errors import MissingExtraError
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.things.parts import Finish, box
from mira.sim.rooms.tracing import rays
from mira.sim.rooms.tracing.rays import RayScene, embree_version, lifted
from mira.sim.rooms.tracing.scene_mesh import SceneMesh, build_mesh

_UP = np.array([[0, 0, 1]], np.float32)


@pytest.fixture(scope="module")
def mesh(make_plan: Callable[..., RoomPlan], embree: None) -> SceneMesh:
    """A thin pane at a height of 1 m below a box at 2 to 3 m."""
    pane = box(Finish(), (2, 2, 0.001), (0, 0, 1))
    return build_mesh(make_plan(structure=(pane, box(Finish(), (2, 2, 1), (0, 0, 2.5)))))


@pytest.fixture(scope="module")
def solid(mesh: SceneMesh) -> RayScene:
    return RayScene(mesh, see_through=np.zeros(len(mesh.part), bool))


@pytest.fixture(scope="module")
def with_pane(mesh: SceneMesh) -> RayScene:
    return RayScene(mesh, see_through=mesh.part == 0)


def _points(*points: tuple[float, float, float]) -> np.ndarray:
    return np.array(points, np.float32)


def test_a_ray_ends_at_the_first_triangle(solid: RayScene, mesh: SceneMesh) -> None:
    origins = _points((0.3, 0.2, 0), (0.3, 0.2, 1.5), (0.3, 0.2, 5))
    directions = np.concatenate((_UP, _UP, -_UP))

    hits = solid.first(origins, directions)

    assert hits.distance == pytest.approx((0.9995, 0.5, 2.0), abs=1e-5)
    assert mesh.part[hits.triangle].tolist() == [0, 1, 1]
    corners = mesh.corners[hits.triangle]
    share = np.stack((1 - hits.u - hits.v, hits.u, hits.v), axis=-1)
    met = np.einsum("nc,nci->ni", share, corners)
    assert met == pytest.approx(origins + directions * hits.distance[:, None], abs=1e-5)


def test_distances_count_in_lengths_of_the_direction(solid: RayScene) -> None:
    hits = solid.first(_points((0, 0.1, 0)), 0.25 * _UP)

    assert hits.distance == pytest.approx(4 * 0.9995, abs=1e-5)


def test_a_ray_that_meets_nothing_says_so(solid: RayScene) -> None:
    hits = solid.first(_points((0, 0, 0), (3, 0, 0)), np.concatenate((-_UP, _UP)))

    assert hits.triangle.tolist() == [-1, -1]
    assert (hits.distance > 1e6).all()


def test_only_what_lies_before_the_reach_blocks(solid: RayScene) -> None:
    origins = _points(*[(0.3, 0.2, 1.5)] * 3)

    blocked = solid.blocked(origins, np.repeat(_UP, 3, axis=0), np.array([0.4, 0.6, 50]))

    assert blocked.tolist() == [False, True, True]


def test_panes_are_met_but_throw_no_shadow(with_pane: RayScene, solid: RayScene) -> None:
    below, reach = _points((0.3, 0.2, 0)), np.array([1.5])

    assert with_pane.first(below, _UP).distance == pytest.approx(0.9995, abs=1e-5)
    assert not with_pane.blocked(below, _UP, reach).any()
    assert solid.blocked(below, _UP, reach).all()
    assert with_pane.blocked(below, _UP, 2 * reach).all()


def test_no_rays_meet_nothing(solid: RayScene) -> None:
    none = np.zeros((0, 3), np.float32)

    assert solid.first(none, none).triangle.shape == (0,)
    assert solid.blocked(none, none, np.zeros(0, np.float32)).shape == (0,)


def test_rays_that_leave_a_surface_do_not_meet_it(solid: RayScene) -> None:
    spots = _points((0.3, 0.2, 3), (-0.9, 0.7, 3), (0.0, 0.0, 3))

    hits = solid.first(lifted(spots, np.repeat(_UP, 3, axis=0)), np.repeat(_UP, 3, axis=0))

    assert (hits.triangle == -1).all()


@pytest.fixture
def without_embree(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which Embree is not installed."""
    rays._embree.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    yield
    rays._embree.cache_clear()


def test_a_missing_embree_is_one_line_that_names_the_extra(
    without_embree: None, make_plan: Callable[..., RoomPlan]
) -> None:
    mesh = build_mesh(make_plan(structure=(box(Finish(), (1, 1, 1), (0, 0, 0)),)))
    line = f"embreex: is not installed ({MissingExtraError.how_to_add('sim')})"

    with pytest.raises(MissingExtraError) as tracing:
        RayScene(mesh, see_through=np.zeros(len(mesh.part), bool))
    with pytest.raises(MissingExtraError) as asking:
        embree_version()
    assert str(tracing.value) == str(asking.value) == line


def test_without_embree_no_folder_is_made(without_embree: None, tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError):
        make_rooms(tmp_path / "rooms", count=1, seed=0)
    assert not any(tmp_path.iterdir())


def test_importing_the_simulator_imports_no_engine() -> None:
    code = (
        "import sys, mira.sim.rooms.output.series\n"
        "print([name for name in ('embreex', 'mujoco') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
