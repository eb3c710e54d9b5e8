from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.reflective import ReflectiveSurface, facing, reflect_across
from mira.sim.rooms.things.parts import Finish, Part, box
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.tracing.rays import RayScene
from mira.sim.rooms.tracing.scene_mesh import SceneMesh, build_mesh
from mira.sim.rooms.tracing.sight import Sights, SightTracer
from mira.sim.rooms.viewpoint import look_at

pytestmark = pytest.mark.usefixtures("embree")
MakePlan = Callable[..., RoomPlan]

_EYE = np.array((0.1, -1.5, 1.4), np.float32)
_WALL = box(Finish(), (8, 0.1, 8), (0, -4.05, 1))
"""Behind the eye; its front is at y = -4."""
_NUDGE_M = 1.1e-4
"""Reflected rays start a tenth of a millimetre off their mirror."""


def _mirror(
    name: str, centre_m: Vector, yaw_deg: float = 0.0, **given: object
) -> ReflectiveSurface:
    kind = {"surface_type": "planar_mirror", "width_m": 2.0, "height_m": 2.0} | given
    return ReflectiveSurface(name=name, centre_m=centre_m, turn=facing(yaw_deg), **kind)


def _pane(name: str, y_m: float, **given: object) -> ReflectiveSurface:
    optics = {"surface_type": "glass", "silver": (0.10, 0.11, 0.12), "see_through": 0.8}
    return _mirror(name, (0, y_m, 1.4), **(optics | given))


def _tracer(
    make_plan: MakePlan,
    *surfaces: ReflectiveSurface,
    structure: tuple[Part, ...] = (_WALL,),
    max_order: int = 4,
) -> tuple[SightTracer, SceneMesh]:
    plan = make_plan(structure=structure, surfaces=surfaces)
    mesh = build_mesh(plan)
    rays = RayScene(mesh, see_through=np.zeros(len(mesh.part), bool))
    return SightTracer(plan, mesh, rays, max_order=max_order), mesh


def _fan(count: int = 300, spread: float = 0.25, *, y: float = 1.0) -> NDArray[np.float32]:
    """Unit directions around +y, or around -y."""
    rng = np.random.default_rng(0)
    raw = np.column_stack(
        (
            rng.uniform(-spread, spread, count),
            np.full(count, y),
            rng.uniform(-spread, spread, count),
        )
    )
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


def _chains(tracer: SightTracer, sights: Sights) -> set[tuple[int, ...]]:
    return {tracer.chain_of(code) for code in np.unique(sights.chain).tolist()}


def test_without_mirrors_rays_end_at_what_they_meet(make_plan: MakePlan) -> None:
    tracer, _ = _tracer(make_plan)
    away, towards = _fan(), _fan(y=-1.0)

    sights, by_glass = tracer.follow(_EYE, np.concatenate((away, towards)))

    assert np.array_equal(sights.ray, np.arange(600))
    assert (sights.triangle[:300] == -1).all()
    assert (sights.length[:300] > 1e6).all()
    assert sights.length[300:] == pytest.approx(2.5 / -towards[:, 1], abs=1e-4)
    assert np.array_equal(sights.first_length, sights.length)
    assert np.array_equal(sights.virtual_length, sights.length)
    assert (sights.first_surface == -1).all()
    assert _chains(tracer, sights) == {()}
    assert len(by_glass) == 0


def test_the_given_directions_stay_as_they_were(make_plan: MakePlan) -> None:
    tracer, _ = _tracer(make_plan, _mirror("m", (0, 0, 1.4)))
    directions = _fan()

    tracer.follow(_EYE, directions)

    assert np.array_equal(directions, _fan())


def test_a_flat_mirror_shows_things_where_their_virtual_image_is(make_plan: MakePlan) -> None:
    mirror = _mirror("m", (0, 0, 1.4))
    tracer, mesh = _tracer(make_plan, mirror)
    directions = _fan()

    sights, _ = tracer.follow(_EYE, directions)

    assert _chains(tracer, sights) == {(0,)}
    assert (mesh.surface[sights.triangle] == -1).all()
    assert sights.point[:, 1] == pytest.approx(-4.0, abs=1e-4)
    image = reflect_across(mirror, sights.point.astype(np.float64))
    assert sights.length == pytest.approx(np.linalg.norm(image - _EYE, axis=1), abs=_NUDGE_M)
    assert image == pytest.approx(_EYE + directions * sights.length[:, None], abs=5e-4)
    assert np.array_equal(sights.virtual_length, sights.length)
    assert sights.first_length == pytest.approx(1.5 / directions[:, 1], abs=1e-4)
    assert (sights.first_surface == 0).all()
    assert sights.weight == pytest.approx(np.tile(mirror.silver, (300, 1)))


def test_a_leaning_mirror_obeys_the_same_law(make_plan: MakePlan) -> None:
    mirror = ReflectiveSurface("m", "planar_mirror", (0, 0, 1.4), facing(15, lean_deg=10), 3.0, 3.0)
    tracer, _ = _tracer(make_plan, mirror)
    directions = _fan(spread=0.1)

    sights, _ = tracer.follow(_EYE, directions)

    assert _chains(tracer, sights) == {(0,)}
    image = reflect_across(mirror, sights.point.astype(np.float64))
    assert sights.length == pytest.approx(np.linalg.norm(image - _EYE, axis=1), abs=_NUDGE_M)


@pytest.mark.parametrize("max_order", [1, 2, 3, 4, 7])
def test_facing_mirrors_go_on_to_the_longest_chain_and_end_in_dark_glass(
    make_plan: MakePlan, max_order: int
) -> None:
    front, back = _mirror("front", (0, 0, 1.4)), _mirror("back", (0, -3, 1.4), 180.0)
    tracer, mesh = _tracer(make_plan, front, back, structure=(), max_order=max_order)

    sights, _ = tracer.follow(_EYE, _fan(20, 0.001))

    assert _chains(tracer, sights) == {tuple(k % 2 for k in range(max_order))}
    assert set(mesh.surface[sights.triangle].tolist()) == {max_order % 2}
    assert sights.length == pytest.approx(1.5 + 3 * max_order, abs=1e-3)
    assert sights.weight == pytest.approx(
        np.tile(np.array(front.silver) ** max_order, (20, 1)), rel=1e-5
    )


def test_mirrors_in_a_corner_give_every_chain_its_own_virtual_image(make_plan: MakePlan) -> None:
    front = _mirror("front", (0.0, 0.0, 1.4))
    right = _mirror("right", (1.0, -1.0, 1.4), -90.0)
    tracer, _ = _tracer(
        make_plan, front, right, structure=(_WALL, box(Finish(), (0.1, 9, 9), (-3, -2, 1)))
    )

    sights, _ = tracer.follow(_EYE, _fan(800, 1.5))

    assert _chains(tracer, sights) >= {(0,), (1,), (0, 1), (1, 0)}
    for code in np.unique(sights.chain).tolist():
        here = (sights.chain == code) & (sights.triangle >= 0)
        image = sights.point[here].astype(np.float64)
        for index in reversed(tracer.chain_of(code)):
            image = reflect_across((front, right)[index], image)
        order = max(len(tracer.chain_of(code)), 1)
        assert sights.length[here] == pytest.approx(
            np.linalg.norm(image - _EYE, axis=1), abs=_NUDGE_M * order
        )


def test_the_back_of_a_mirror_does_not_reflect(make_plan: MakePlan) -> None:
    tracer, mesh = _tracer(make_plan, _mirror("m", (0, 0, 1.4), 180.0))

    sights, by_glass = tracer.follow(_EYE, _fan())

    assert _chains(tracer, sights) == {()}
    assert (mesh.surface[sights.triangle] == 0).all()
    assert np.array_equal(sights.length, sights.first_length)
    assert sights.weight == pytest.approx(1)
    assert len(by_glass) == 0


@pytest.mark.parametrize("yaw_deg", [0.0, 180.0])
def test_glass_gives_two_sights_whose_light_follows_schlick(
    make_plan: MakePlan, yaw_deg: float
) -> None:
    far = box(Finish(), (80, 0.1, 80), (0, 3.05, 1))
    pane = _mirror(
        "p", (0, 0, 1.4), yaw_deg, surface_type="glass", width_m=20.0, height_m=20.0,
        silver=(0.10, 0.11, 0.12), see_through=0.8,
    )  # fmt: skip
    tracer, _ = _tracer(
        make_plan, pane, structure=(box(Finish(), (80, 0.1, 80), (0, -4.05, 1)), far)
    )
    directions = _fan(spread=4.0)
    fade = (1 - np.abs(directions[:, 1])) ** 5

    straight, by_glass = tracer.follow(_EYE, directions)

    assert _chains(tracer, straight) == {()}
    assert _chains(tracer, by_glass) == {(0,)}
    assert np.array_equal(by_glass.ray, straight.ray)
    assert straight.point[:, 1] == pytest.approx(3.0, abs=2e-3)
    assert by_glass.point[:, 1] == pytest.approx(-4.0, abs=2e-3)
    assert straight.weight == pytest.approx(
        np.repeat((0.8 * (1 - fade))[:, None], 3, axis=1), abs=1e-5
    )
    silver = np.array(pane.silver)
    assert by_glass.weight == pytest.approx(silver + (1 - silver) * fade[:, None], abs=1e-5)
    assert (straight.weight + by_glass.weight).max() <= 1 + 1e-6
    for sights in (straight, by_glass):
        assert (sights.first_surface == 0).all()
        assert sights.first_length == pytest.approx(1.5 / directions[:, 1], rel=1e-5)
    assert np.ptp(fade) > 0.2
    assert np.array_equal(by_glass.virtual_length, by_glass.length)


def test_only_the_first_pane_on_a_ray_splits_it(make_plan: MakePlan) -> None:
    panes = _pane("near", 0.0), _pane("far", 0.5)
    tracer, _ = _tracer(make_plan, *panes, structure=(_WALL, box(Finish(), (8, 0.1, 8), (0, 3, 1))))

    straight, by_glass = tracer.follow(_EYE, _fan(50, 0.01))

    assert _chains(tracer, straight) == {()}
    assert straight.weight == pytest.approx(0.64, abs=1e-4)
    assert _chains(tracer, by_glass) == {(0,)}
    assert np.array_equal(by_glass.ray, np.arange(50))


def test_a_pane_seen_in_a_mirror_splits_the_ray_there(make_plan: MakePlan) -> None:
    mirror, pane = _mirror("m", (0, 0, 1.4)), _pane("p", -3.0)
    tracer, _ = _tracer(make_plan, mirror, pane)

    straight, by_glass = tracer.follow(_EYE, _fan(50, 0.05))

    assert _chains(tracer, straight) == {(0,)}
    assert straight.point[:, 1] == pytest.approx(-4.0, abs=1e-3)
    assert (straight.first_surface == 0).all()
    # What the pane gives back goes to the mirror once more and through the pane to the wall.
    assert _chains(tracer, by_glass) == {(0, 1, 0)}
    assert by_glass.point[:, 1] == pytest.approx(-4.0, abs=1e-3)


def test_glass_reflects_what_the_longest_chain_allows_and_no_more(make_plan: MakePlan) -> None:
    mirror, pane = _mirror("m", (0, 0, 1.4)), _pane("p", -3.0)
    tracer, mesh = _tracer(make_plan, mirror, pane, max_order=1)

    straight, by_glass = tracer.follow(_EYE, _fan(50, 0.05))

    assert _chains(tracer, straight) == {(0,)}
    assert (mesh.surface[straight.triangle] == -1).all()
    assert len(by_glass) == 0


@pytest.mark.parametrize("bulge_radius_m", [0.8, 2.5])
def test_a_convex_mirror_obeys_the_law_of_reflection(
    make_plan: MakePlan, bulge_radius_m: float
) -> None:
    bent = _mirror(
        "m", (0, 0, 1.4), surface_type="convex_mirror", width_m=0.8, height_m=0.8, round=True,
        bulge_radius_m=bulge_radius_m,
    )  # fmt: skip
    inside = tuple(
        box(Finish(), size, at)
        for size, at in (
            ((20, 0.1, 20), (0, -4.05, 1)),
            ((0.1, 20, 20), (-5, 0, 1)),
            ((0.1, 20, 20), (5, 0, 1)),
            ((20, 20, 0.1), (0, 0, -5)),
            ((20, 20, 0.1), (0, 0, 5)),
        )
    )
    tracer, _ = _tracer(make_plan, bent, structure=inside)
    directions = _fan(spread=0.15)

    sights, _ = tracer.follow(_EYE, directions)

    assert _chains(tracer, sights) == {(0,)}
    met = _EYE + directions.astype(np.float64) * sights.first_length[:, None]
    centre = bent.ball_centre_m
    assert centre is not None
    assert np.linalg.norm(met - centre, axis=1) == pytest.approx(bulge_radius_m, abs=2e-4)
    normal = (met - centre) / np.linalg.norm(met - centre, axis=1, keepdims=True)
    cosine = -np.einsum("ij,ij->i", directions, normal)
    assert sights.direction == pytest.approx(directions + 2 * cosine[:, None] * normal, abs=1e-5)
    u = np.linalg.norm(sights.point - met, axis=1)
    assert sights.length == pytest.approx(sights.first_length + u, abs=1e-3)
    assert (sights.virtual_length < sights.length).all()


@pytest.mark.parametrize(("bearing_deg", "rise_deg"), [(0, 0), (30, 0), (0, 30), (0, 45), (30, 30)])
def test_a_convex_mirror_shows_things_where_two_eyes_see_them(
    make_plan: MakePlan, bearing_deg: float, rise_deg: float
) -> None:
    radius_m, way_m = 1.5, 2.0
    bent = _mirror(
        "m", (0, 0, 1.5), surface_type="convex_mirror", width_m=0.3, height_m=0.3, round=True,
        bulge_radius_m=radius_m,
    )  # fmt: skip
    azimuth, rise = np.radians((bearing_deg, rise_deg))
    back = np.array((np.sin(azimuth), -np.cos(azimuth) * np.cos(rise), -np.sin(rise)))
    eye = np.array((0, 0, 1.5)) + way_m * back / np.linalg.norm(back)
    view = look_at(tuple(eye), (0.0, 0.0, 1.5))
    wall = tuple(box(Finish(), (30, 0.1, 30), (0, -6, 1.5)) for _ in range(1))
    tracer, _ = _tracer(make_plan, bent, structure=wall)

    sights, _ = tracer.follow(
        eye.astype(np.float32), view.axes[2:].astype(np.float32), view.axes[0]
    )

    apart_m = 0.001
    seen = [
        _towards_in_a_ball(eye + sign * apart_m * view.axes[0], sights.point[0], bent, view.axes)
        for sign in (-0.5, 0.5)
    ]
    distance_m = apart_m / (seen[0] - seen[1])
    assert sights.virtual_length[0] == pytest.approx(distance_m, rel=3e-3)


def _towards_in_a_ball(
    eye: np.ndarray, end: np.ndarray, ball: ReflectiveSurface, axes: np.ndarray
) -> float:
    """x / z of the direction in which an eye sees a point by a ball: the shortest way there."""
    centre, radius = ball.ball_centre_m, ball.bulge_radius_m
    assert centre is not None
    assert radius is not None
    first = (eye - centre) / np.linalg.norm(eye - centre)
    across = (end - centre) - ((end - centre) @ first) * first
    across /= np.linalg.norm(across)

    def spot(angle: float) -> np.ndarray:
        return centre + radius * (np.cos(angle) * first + np.sin(angle) * across)

    def way(angle: float) -> float:
        return float(np.linalg.norm(spot(angle) - eye) + np.linalg.norm(spot(angle) - end))

    low, high = 0.0, float(np.arctan2((end - centre) @ across, (end - centre) @ first))
    for _ in range(120):
        third = (high - low) / 3
        low, high = (
            (low, high - third)
            if way(low + third) < way(high - third)
            else (
                low + third,
                high,
            )
        )
    direction = axes @ (spot((low + high) / 2) - eye)
    return float(direction[0] / direction[2])


def test_a_flatter_ball_shows_things_as_a_flat_mirror_does(make_plan: MakePlan) -> None:
    found = []
    for bulge_radius_m in (None, 1e5):
        surface = _mirror("m", (0, 0, 1.4), bulge_radius_m=bulge_radius_m)
        tracer, _ = _tracer(make_plan, surface)
        found.append(tracer.follow(_EYE, _fan())[0])

    flat, bent = found
    assert bent.point == pytest.approx(flat.point, abs=2e-3)
    assert bent.virtual_length == pytest.approx(flat.virtual_length, abs=2e-3)


def test_chosen_sights_keep_their_fields_together(make_plan: MakePlan) -> None:
    tracer, _ = _tracer(make_plan, _mirror("m", (0, 0, 1.4)))
    sights, _ = tracer.follow(_EYE, _fan(30))

    some = sights.without(sights.ray % 3 == 0)

    assert np.array_equal(some.ray, [k for k in range(30) if k % 3])
    assert np.array_equal(some.point, sights.point[some.ray])
    assert sights.without(np.zeros(30, bool)) is sights
