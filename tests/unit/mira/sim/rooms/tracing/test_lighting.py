from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.plan import Lamp, RoomPlan, Sky, Sun
from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.things.parts import Finish, box
from mira.sim.rooms.tracing.finishes import Finishes, to_linear
from mira.sim.rooms.tracing.lighting import Light, Strata
from mira.sim.rooms.tracing.rays import RayScene
from mira.sim.rooms.tracing.scene_mesh import build_mesh

pytestmark = pytest.mark.usefixtures("embree")
Floats = NDArray[np.float32]
MakePlan = Callable[..., RoomPlan]
_FLOOR = box(Finish((1.0, 1.0, 1.0)), (20, 20, 0.1), (0, 0, -0.05))
_UP = (0.0, 0.0, 1.0)
_SAMPLES = 20_000


def _light(make_plan: MakePlan, **given: Any) -> Light:
    plan = make_plan(**({"structure": (_FLOOR,)} | given))
    mesh = build_mesh(plan)
    see_through = np.array([surface.see_through > 0 for surface in plan.surfaces] + [False])
    return Light(plan, Finishes(mesh), RayScene(mesh, see_through=see_through[mesh.surface]))


def _lamp(height_m: float, *, half_m: float = 0.4, rgb: tuple[float, ...] = (3, 2, 1)) -> Lamp:
    return Lamp((0, 0, height_m), (0, half_m, 0), (half_m, 0, 0), (rgb[0], rgb[1], rgb[2]))


def _repeated(vector: tuple[float, ...], count: int = _SAMPLES) -> Floats:
    return np.tile(np.array(vector, np.float32), (count, 1))


def _strata(count: int = _SAMPLES, seed: int = 0) -> Strata:
    return Strata(np.random.default_rng(seed), count)


def _direct(light: Light, point: tuple[float, ...], normal: tuple[float, ...] = _UP) -> Floats:
    """Mean light at a point."""
    found = light.direct(_repeated(point), _repeated(normal), _strata())
    return np.asarray(found.mean(axis=0), np.float32)


def _share_of_rectangle(low: tuple[float, float], high: tuple[float, float], off_m: float) -> float:
    """Form factor from a point to a parallel rectangle, by its corners as seen from the point.

    Howell, A Catalog of Radiation Heat Transfer Configuration Factors, B-3, with signs for
    rectangles that do not start below the point.
    """

    def corner(x: float, y: float) -> float:
        a, b = x / off_m, y / off_m
        first, second = math.hypot(1, a), math.hypot(1, b)
        return (a / first * math.atan(b / first) + b / second * math.atan(a / second)) / (
            2 * math.pi
        )

    (x0, y0), (x1, y1) = low, high
    return corner(x1, y1) - corner(x0, y1) - corner(x1, y0) + corner(x0, y0)


@pytest.mark.parametrize(("x", "y", "height_m"), [(0, 0, 1), (0.9, -0.3, 1), (0, 0, 3), (2, 1, 2)])
def test_a_lamp_lights_a_floor_by_its_form_factor(
    make_plan: MakePlan, x: float, y: float, height_m: float
) -> None:
    lamp = _lamp(height_m)
    share = _share_of_rectangle((-0.4 - x, -0.4 - y), (0.4 - x, 0.4 - y), height_m - 1e-3)

    found = _direct(_light(make_plan, lamps=(lamp,)), (x, y, 1e-3))

    assert found == pytest.approx(np.array(lamp.rgb) * share, rel=0.03)


def test_a_wall_before_a_lamp_of_the_same_size_has_its_form_factor(make_plan: MakePlan) -> None:
    lamp = Lamp((0, -2, 1.5), (0.5, 0, 0), (0, 0, 0.5), (1, 1, 1))
    assert np.cross(lamp.half_u_m, lamp.half_v_m)[1] < 0
    share = _share_of_rectangle((-0.5, -0.5), (0.5, 0.5), 1.0)

    found = _direct(_light(make_plan, lamps=(lamp,)), (0, -3, 1.5), (0, 1, 0))

    assert found == pytest.approx(share, rel=0.03)


def test_lamps_add_up_and_shine_on_one_side(make_plan: MakePlan) -> None:
    below, both = (_light(make_plan, lamps=(_lamp(2),) * count) for count in (1, 2))
    above = Lamp((0, 0, 2), (0.4, 0, 0), (0, 0.4, 0), (3, 2, 1))

    assert _direct(both, (0.5, 0, 1e-3)) == pytest.approx(
        2 * _direct(below, (0.5, 0, 1e-3)), rel=0.02
    )
    assert not _direct(_light(make_plan, lamps=(above,)), (0.5, 0, 1e-3)).any()
    assert not _direct(below, (0.5, 0, 1e-3), (0, 0, -1)).any()


def test_a_box_throws_a_soft_shadow(make_plan: MakePlan) -> None:
    blocker = box(Finish(), (1.0, 1.0, 0.001), (0, 0, 1))
    lit = _light(make_plan, lamps=(_lamp(2),))
    shaded = _light(make_plan, lamps=(_lamp(2),), structure=(_FLOOR, blocker))
    # The umbra reaches to 0.6 m and the penumbra to 1.4 m.
    left = {
        x: float(_direct(shaded, (x, 0, 1e-3))[0] / _direct(lit, (x, 0, 1e-3))[0])
        for x in (0.0, 0.55, 0.8, 1.0, 1.2, 1.5)
    }

    assert left[0.0] == left[0.55] == 0
    assert 0 < left[0.8] < left[1.0] < left[1.2] < 1
    half = _share_of_rectangle((-1.0, -0.4), (-0.6, 0.4), 2.0)
    assert left[1.0] == pytest.approx(
        half / _share_of_rectangle((-1.4, -0.4), (-0.6, 0.4), 2.0), abs=0.02
    )
    assert left[1.5] == 1


def test_glass_throws_no_shadow(make_plan: MakePlan) -> None:
    pane = ReflectiveSurface("pane", "glass", (0, 0, 1), (1, 0, 0, 0), 4.0, 4.0, see_through=0.8)
    bare, glazed = (_light(make_plan, lamps=(_lamp(2),), surfaces=s) for s in ((), (pane,)))
    mirror = _light(
        make_plan,
        lamps=(_lamp(2),),
        surfaces=(ReflectiveSurface("m", "planar_mirror", (0, 0, 1), facing(0), 4.0, 4.0),),
    )

    assert np.array_equal(_direct(bare, (0.3, 0, 1e-3)), _direct(glazed, (0.3, 0, 1e-3)))
    assert _direct(mirror, (0.3, 1.0, 1e-3))[0] < _direct(bare, (0.3, 1.0, 1e-3))[0]


@pytest.mark.parametrize("slant_deg", [0, 40, 75])
def test_the_sun_lights_by_the_cosine(make_plan: MakePlan, slant_deg: float) -> None:
    slant = math.radians(slant_deg)
    sun = Sun((5 * math.sin(slant), 0, -5 * math.cos(slant)), (2, 1, 0.5))
    light = _light(make_plan, sun=sun)

    assert _direct(light, (0, 0, 1e-3)) == pytest.approx(
        np.array(sun.rgb) * math.cos(slant), rel=0.005
    )
    assert not _direct(light, (0, 0, 1e-3), (0, 0, -1)).any()


def test_a_box_hides_the_sun_from_where_its_shadow_falls(make_plan: MakePlan) -> None:
    post = box(Finish(), (0.4, 0.4, 1.0), (0, 0, 0.5))
    sun = Sun((1, 0, -1), (2, 2, 2), spread_deg=0.5)
    light = _light(make_plan, sun=sun, structure=(_FLOOR, post))

    # The sun stands at 45 degrees over -x: the shadow of a post of 1 m ends at 1.2 m.
    assert not _direct(light, (1.0, 0, 1e-3)).any()
    edge = _direct(light, (1.2, 0, 1e-3))[0] / (2 * math.cos(math.pi / 4))
    assert edge == pytest.approx(0.5, abs=0.1)
    assert _direct(light, (1.4, 0, 1e-3)) == pytest.approx(2 * math.cos(math.pi / 4), rel=0.01)
    assert _direct(light, (-0.5, 0, 1e-3)) == pytest.approx(2 * math.cos(math.pi / 4), rel=0.01)


def test_the_sky_runs_from_horizon_to_zenith_and_is_black_indoors(make_plan: MakePlan) -> None:
    sky = Sky(zenith=(0.2, 0.4, 1.0), horizon=(0.9, 0.9, 0.8))
    directions = np.array([(0, 0, 1), (1, 0, 0), (0.6, 0, 0.8), (0, 0.6, -0.8)], np.float32)

    outdoors = _light(make_plan, sky=sky).sky(directions)

    assert outdoors[0] == pytest.approx(sky.zenith)
    assert outdoors[1] == pytest.approx(sky.horizon)
    assert outdoors[3] == pytest.approx(sky.horizon)
    assert (outdoors[2] < outdoors[1]).tolist() == [True, True, False]
    assert not _light(make_plan).sky(directions).any()


def test_an_even_sky_lights_open_ground_fully_and_a_wall_by_half(make_plan: MakePlan) -> None:
    sky = Sky(zenith=(0.2, 0.4, 0.6), horizon=(0.2, 0.4, 0.6))
    black = box(Finish((0, 0, 0)), (1000, 1000, 0.1), (0, 0, -0.05))
    light = _light(make_plan, sky=sky, structure=(black,), ambient=(0.01, 0.02, 0.03))

    def scattered(normal: tuple[float, ...]) -> Floats:
        found = light.scattered(_repeated((0, 0, 1)), _repeated(normal), _strata())
        return np.asarray(found.mean(axis=0))

    assert scattered(_UP) == pytest.approx((0.21, 0.42, 0.63), rel=1e-3)
    assert scattered((0, -1, 0)) == pytest.approx((0.11, 0.22, 0.33), rel=0.03)


def test_light_is_scattered_once_with_the_colour_of_what_scatters_it(make_plan: MakePlan) -> None:
    colour = (0.9, 0.5, 0.2)
    shell = [
        box(Finish(colour), tuple(np.where(np.arange(3) == axis, 0.1, 4.4)), at)
        for axis, sign in product(range(3), (1, -1))
        for at in [tuple(np.where(np.arange(3) == axis, sign * 2.05, 0.0))]
    ]
    light = _light(make_plan, structure=tuple(shell), ambient=(0.1, 0.1, 0.1))

    found = light.scattered(_repeated((0, 0, 0), 500), _repeated(_UP, 500), _strata(500))

    albedo = to_linear(np.array(colour))
    assert found == pytest.approx(np.tile(albedo * 0.1 + 0.1, (500, 1)), rel=1e-5)


def test_lit_floors_and_glowing_things_are_seen_in_their_light(make_plan: MakePlan) -> None:
    sun = Sun((0, 0, -1), (2, 2, 2), spread_deg=0.1)
    lit = _light(
        make_plan, sun=sun, structure=(box(Finish((0.5, 0.5, 0.5)), (9, 9, 0.1), (0, 0, 0)),)
    )
    shining = box(Finish((1, 1, 1), glow=0.5), (9, 9, 0.1), (0, 0, 0))
    glows = _light(make_plan, structure=(shining,))
    downwards = (_repeated((0, 0, 1), 50), _repeated((0, 0, -1), 50), _strata(50))

    assert lit.seen(*downwards) == pytest.approx(2 * 0.5**2.2, rel=1e-3)
    assert np.ptp(glows.seen(*downwards)) == 0
    assert glows.seen(*downwards)[0, 0] > 0.5
    assert not _light(make_plan).seen(*downwards).any()


def test_highlights_are_brightest_where_the_surface_would_mirror_the_light(
    make_plan: MakePlan,
) -> None:
    light = _light(make_plan, sun=Sun((1, 0, -1), (1, 1, 1)))
    angles = np.radians(np.arange(0, 90, 5))
    eyes = np.column_stack((np.sin(angles), np.zeros_like(angles), np.cos(angles))).astype(
        np.float32
    )
    count = len(eyes)

    def shine(sharpness: float, normal: tuple[float, ...] = _UP) -> Floats:
        sharp = np.full(count, sharpness, np.float32)
        return light.highlights(_repeated((0, 0, 0), count), _repeated(normal, count), eyes, sharp)[
            :, 0
        ]

    assert np.argmax(shine(80)) == 9
    assert (shine(80) > 0.5 * shine(80).max()).sum() < (shine(10) > 0.5 * shine(10).max()).sum()
    assert shine(80).max() > shine(10).max()
    assert not shine(80, (0, 0, -1)).any()


def test_strata_cover_the_square_evenly() -> None:
    quarter = np.arange(4000) % 4
    place = Strata(np.random.default_rng(0), 4000, quarter).draw()

    assert place.shape == (4000, 2)
    assert place.min() >= 0
    assert place.max() <= 1
    column, row = (place >= 0.5).T
    assert np.array_equal(column + 2 * row, quarter)
    some = Strata(np.random.default_rng(0), 4000, quarter).of(np.array([3, 7, 11])).draw()
    assert (some >= 0.5).all()
    assert _strata(500).draw().std() > 0.25
