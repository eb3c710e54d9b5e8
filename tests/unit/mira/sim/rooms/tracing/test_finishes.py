from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.things.parts import Finish, Part, Texture, box, sphere
from mira.sim.rooms.tracing.finishes import Finishes, Shades, to_linear
from mira.sim.rooms.tracing.rays import RayScene
from mira.sim.rooms.tracing.scene_mesh import SceneMesh, build_mesh
from mira.sim.rooms.tracing.sight import Sights, SightTracer

pytestmark = pytest.mark.usefixtures("embree")
Floats = NDArray[np.float32]
MakePlan = Callable[..., RoomPlan]
_COUNT = 16
_PIXELS = np.random.default_rng(0).integers(0, 256, (_COUNT, _COUNT, 3), dtype=np.uint8)


def _seen(
    make_plan: MakePlan, part: Part, points: list[tuple[float, float]]
) -> tuple[Sights, Finishes, SceneMesh]:
    """What vertical rays onto points of the plane z = 0 meet."""
    plan = make_plan(structure=(part,))
    mesh = build_mesh(plan)
    tracer = SightTracer(
        plan, mesh, RayScene(mesh, see_through=np.zeros(len(mesh.part), bool)), max_order=1
    )
    eye = np.array((0.0, 0.0, 5.0), np.float32)
    raw = np.column_stack((np.array(points, np.float64), np.zeros(len(points)))) - eye
    directions = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    return tracer.follow(eye, directions)[0], Finishes(mesh), mesh


def _shades(
    make_plan: MakePlan,
    finish: Finish,
    points: list[tuple[float, float]],
    footprint_m: float = 1e-6,
) -> Shades:
    """Shades on the top, at z = 0, of a box 1 m wide."""
    sights, finishes, _ = _seen(make_plan, box(finish, (1, 1, 0.2), (0, 0, -0.1)), points)
    return finishes.at(sights, np.full(len(points), footprint_m, np.float32))


def _centres() -> list[tuple[float, float]]:
    """Middles of the texels of a picture stretched over a box 1 m wide, row by row."""
    step = (np.arange(_COUNT) + 0.5) / _COUNT
    return [(float(x - 0.5), float(0.5 - y)) for y in step for x in step]


def test_display_colours_become_linear_light() -> None:
    assert to_linear(np.array((0.0, 0.5, 1.0, 2.0))) == pytest.approx((0, 0.5**2.2, 1, 1))


def test_a_plain_finish_has_its_colour(make_plan: MakePlan) -> None:
    shades = _shades(make_plan, Finish((0.9, 0.5, 0.1), specular=0.4, shininess=0.5), [(0.1, 0.2)])

    assert shades.albedo[0] == pytest.approx(to_linear(np.array((0.9, 0.5, 0.1))))
    assert shades.gloss[0] == pytest.approx(0.4)
    assert not shades.glow.any()
    assert shades.normal[0] == pytest.approx((0, 0, 1), abs=1e-6)
    assert shades.flat_normal[0] == pytest.approx((0, 0, 1), abs=1e-6)


def test_a_picture_is_looked_up_texel_by_texel(make_plan: MakePlan) -> None:
    shades = _shades(make_plan, Finish(texture=Texture(_PIXELS)), _centres())

    found = shades.albedo ** (1 / 2.2) * 255
    assert found == pytest.approx(_PIXELS.reshape(-1, 3).astype(float), abs=1.5)


def test_the_colour_of_a_finish_multiplies_its_picture(make_plan: MakePlan) -> None:
    texture = Texture(_PIXELS)
    plain = _shades(make_plan, Finish(texture=texture), _centres())
    tinted = _shades(make_plan, Finish((0.5, 1.0, 0.2), texture), _centres())

    assert tinted.albedo == pytest.approx(plain.albedo * to_linear(np.array((0.5, 1.0, 0.2))))


def test_tiles_repeat_the_picture(make_plan: MakePlan) -> None:
    finish = Finish(texture=Texture(_PIXELS), tile_m=0.25)

    first = _shades(make_plan, finish, [(0.03, 0.04), (0.11, 0.2)])
    next_tile = _shades(make_plan, finish, [(0.28, 0.04), (0.36, -0.05)])

    assert first.albedo == pytest.approx(next_tile.albedo, abs=1e-4)


def test_a_wide_footprint_sees_the_mean_and_a_narrow_one_the_texels(make_plan: MakePlan) -> None:
    board = np.zeros((64, 64, 3), np.uint8)
    board[::2, ::2] = board[1::2, 1::2] = 255
    finish, spots = Finish(texture=Texture(board)), [(0.5 / 64, 0.5 / 64), (1.5 / 64, 0.5 / 64)]

    sharp = _shades(make_plan, finish, spots).albedo
    blurred = _shades(make_plan, finish, spots, footprint_m=4 / 64).albedo

    assert sorted(sharp[:, 0].tolist()) == pytest.approx([0, 1], abs=0.01)
    assert blurred == pytest.approx(0.5, abs=0.01)


def test_texels_keep_their_colour_up_to_the_footprint_of_their_size(make_plan: MakePlan) -> None:
    finish = Finish(texture=Texture(_PIXELS))

    exact = _shades(make_plan, finish, _centres()).albedo
    at_size = _shades(make_plan, finish, _centres(), footprint_m=1 / _COUNT).albedo
    levels = [
        _shades(make_plan, finish, _centres(), footprint_m=2**level / _COUNT).albedo.std()
        for level in range(3)
    ]

    assert at_size == pytest.approx(exact)
    assert levels == sorted(levels, reverse=True)
    assert levels[2] < 0.5 * levels[0]


def test_scattered_light_takes_the_mean_of_a_picture(make_plan: MakePlan) -> None:
    mild = _PIXELS // 4 + np.uint8(96)
    finish = Finish((0.5, 0.5, 0.5), Texture(mild))
    _, finishes, mesh = _seen(make_plan, box(finish, (1, 1, 0.2), (0, 0, -0.1)), [(0, 0)])
    mean = to_linear(mild / 255).mean(axis=(0, 1)) * to_linear(np.array(0.5))

    assert finishes.mean_albedo.shape == (len(mesh.part), 3)
    assert finishes.mean_albedo == pytest.approx(np.tile(mean, (len(mesh.part), 1)), rel=0.03)


def test_what_glows_gives_off_light_of_its_colour(make_plan: MakePlan) -> None:
    faint, strong = (
        _shades(make_plan, Finish((1, 0.5, 0.2), glow=g), [(0, 0.1)]) for g in (0.3, 0.6)
    )
    _, finishes, _ = _seen(
        make_plan, box(Finish((1, 0.5, 0.2), glow=0.6), (1, 1, 0.2), (0, 0, -0.1)), [(0, 0)]
    )

    assert strong.glow == pytest.approx(2 * faint.glow)
    assert strong.glow / strong.glow[0, 0] == pytest.approx(strong.albedo / strong.albedo[0, 0])
    assert finishes.triangle_glow[0] == pytest.approx(strong.glow[0])


def test_sharper_finishes_have_sharper_highlights(make_plan: MakePlan) -> None:
    sharp = [
        float(_shades(make_plan, Finish(shininess=s), [(0, 0.1)]).sharpness[0]) for s in (0, 0.5, 1)
    ]

    assert sharp == sorted(sharp)
    assert sharp[0] < sharp[2] / 10


def test_normals_look_back_along_the_ray_even_inside_a_ball(make_plan: MakePlan) -> None:
    spots = [(0.2 * x, 0.1 * x) for x in range(-4, 5)]
    sights, finishes, _ = _seen(make_plan, sphere(Finish(), 8.0, (0, 0, 0)), spots)

    shades = finishes.at(sights, np.full(len(spots), 1e-3, np.float32))

    assert (sights.point[:, 2] < 0).all()
    for normals in (shades.normal, shades.flat_normal):
        assert (np.einsum("ij,ij->i", normals, sights.direction) < 0).all()
        assert np.linalg.norm(normals, axis=1) == pytest.approx(1, abs=1e-5)
    assert shades.normal == pytest.approx(-sights.point / 8, abs=0.01)
