from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.things.meshes import ring
from mira.sim.rooms.things.parts import (
    Finish,
    Part,
    Texture,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.tracing.solids import Triangles, triangles_of

_PLAIN = Finish()
_FLAT = Texture(np.zeros((8, 8, 3), np.uint8))
_CUBE = Texture(np.zeros((48, 8, 3), np.uint8), cube=True)
_SOLIDS = {
    "box": (box(_PLAIN, (0.4, 0.6, 1.0), (1, 2, 3)), 0.24),
    "cylinder": (cylinder(_PLAIN, 0.3, 1.2, (1, 2, 3)), math.pi * 0.09 * 1.2),
    "sphere": (sphere(_PLAIN, 0.5, (1, 2, 3)), 4 / 3 * math.pi * 0.125),
    "small sphere": (sphere(_PLAIN, 0.015, (0, 0, 0)), 4 / 3 * math.pi * 0.015**3),
    "ellipsoid": (ellipsoid(_PLAIN, (0.2, 0.3, 0.4), (0, 0, 0)), 4 / 3 * math.pi * 0.024),
    "capsule": (
        rod(_PLAIN, (0, 0, 0), (0, 0, 0.8), 0.1),
        math.pi * 0.01 * 0.8 + 4 / 3 * math.pi * 0.001,
    ),
    "mesh": (solid(_PLAIN, ring(0.5, 0.1)), 2 * math.pi**2 * 0.5 * 0.01),
}


@pytest.fixture(params=_SOLIDS)
def solid_part(request: pytest.FixtureRequest) -> tuple[Part, float]:
    """A part and the volume it should have."""
    return _SOLIDS[request.param]


def _across(triangles: Triangles) -> NDArray[np.float64]:
    corners = triangles.corners
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _looking(triangles: Triangles, axis: int, sign: int) -> NDArray[np.bool_]:
    """Which triangles of a box look along an axis."""
    across = _across(triangles)
    return np.asarray(across[:, axis] * sign > 0.99 * np.linalg.norm(across, axis=1))


def _uv_at(triangles: Triangles, side: NDArray[np.bool_], point: tuple[float, ...]) -> list[float]:
    """Texture coordinates of a corner of a side."""
    near = np.linalg.norm(triangles.corners[side] - point, axis=-1) < 1e-9
    found = np.unique(np.round(triangles.uv[side][near], 9), axis=0)
    assert len(found) == 1
    return list(found[0])


def test_every_edge_joins_two_triangles_that_turn_the_same_way(
    solid_part: tuple[Part, float],
) -> None:
    corners = triangles_of(solid_part[0]).corners
    _, vertex = np.unique(np.round(corners.reshape(-1, 3), 7), axis=0, return_inverse=True)
    faces = vertex.reshape(-1, 3)
    faces = faces[np.all(faces != np.roll(faces, 1, axis=1), axis=1)]

    edges = [
        tuple(edge)
        for face in faces.tolist()
        for edge in zip(face, face[1:] + face[:1], strict=True)
    ]

    assert len(set(edges)) == len(edges)
    assert {(b, a) for a, b in edges} == set(edges)


def test_solids_have_their_volume_and_face_outwards(solid_part: tuple[Part, float]) -> None:
    part, volume = solid_part
    corners = triangles_of(part).corners

    signed = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6

    missing = 0.14 if part.size_m and max(part.size_m) < 0.02 else 0.06
    assert volume * (1 - missing) < signed < volume * (1 + 1e-9)


def test_shading_normals_have_length_1_and_look_outwards(solid_part: tuple[Part, float]) -> None:
    triangles = triangles_of(solid_part[0])
    across = _across(triangles)
    area = np.linalg.norm(across, axis=1)
    real = area > 1e-9 * area.max()

    assert np.linalg.norm(triangles.normals, axis=-1) == pytest.approx(1)
    facing = np.einsum("nci,ni->nc", triangles.normals, across)[real] / area[real, None]
    assert facing.min() > 0.7


def test_round_solids_are_shaded_as_what_they_stand_for() -> None:
    ball = triangles_of(sphere(_PLAIN, 0.5, (0, 0, 0)))
    egg = triangles_of(ellipsoid(_PLAIN, (0.2, 0.3, 0.4), (0, 0, 0)))
    steep = egg.corners / np.array((0.2, 0.3, 0.4)) ** 2

    assert ball.normals == pytest.approx(ball.corners / 0.5)
    assert egg.normals == pytest.approx(steep / np.linalg.norm(steep, axis=-1, keepdims=True))


def test_large_balls_are_rounder_than_small_ones() -> None:
    counts = [len(triangles_of(sphere(_PLAIN, r, (0, 0, 0))).corners) for r in (0.01, 0.05, 0.2, 2)]

    assert counts == sorted(counts)
    assert len(set(counts)) == 4


def test_creases_of_a_mesh_stay_sharp_and_curves_are_smooth() -> None:
    torus = triangles_of(solid(_PLAIN, ring(0.5, 0.1)))
    centre = torus.corners * (1, 1, 0)
    centre = 0.5 * centre / np.linalg.norm(centre, axis=-1, keepdims=True)

    assert np.einsum("nci,nci->nc", torus.normals, (torus.corners - centre) / 0.1).min() > 0.98


def test_a_part_without_texture_shows_none() -> None:
    triangles = triangles_of(box(_PLAIN, (1, 1, 1), (0, 0, 0)))

    assert (triangles.picture == -1).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_a_picture_is_stretched_over_the_broad_sides_of_a_box(sign: int) -> None:
    triangles = triangles_of(box(Finish(texture=_FLAT), (0.4, 0.6, 0.2), (0, 0, 0)))
    broad = _looking(triangles, 2, 1) | _looking(triangles, 2, -1)
    side = _looking(triangles, 2, sign)

    assert np.array_equal(triangles.picture == 0, broad)
    assert (triangles.picture[~broad] == -1).all()
    # Seen from outside: left is -x above and +x below, the top edge is +y.
    assert _uv_at(triangles, side, (-0.2 * sign, 0.3, 0.1 * sign)) == pytest.approx(
        [0, 0], abs=1e-9
    )
    assert _uv_at(triangles, side, (0.2 * sign, 0.3, 0.1 * sign)) == pytest.approx([1, 0], abs=1e-9)
    assert _uv_at(triangles, side, (-0.2 * sign, -0.3, 0.1 * sign)) == pytest.approx(
        [0, 1], abs=1e-9
    )


def test_a_picture_covers_the_lids_of_a_cylinder_and_not_its_side() -> None:
    triangles = triangles_of(cylinder(Finish(texture=_FLAT), 0.3, 0.2, (0, 0, 0)))
    lid = np.abs(_across(triangles)[:, 2]) > 1e-6

    assert np.array_equal(triangles.picture == 0, lid)
    middle = np.linalg.norm(triangles.corners[..., :2], axis=-1) < 1e-9
    assert triangles.uv[middle] == pytest.approx(0.5)
    assert triangles.uv[lid].min() == pytest.approx(0, abs=1e-6)
    assert triangles.uv[lid].max() == pytest.approx(1, abs=1e-6)


def test_tiles_repeat_by_the_metre_on_all_sides() -> None:
    finish = Finish(texture=_FLAT, tile_m=0.1)
    triangles = triangles_of(box(finish, (0.4, 0.6, 0.2), (0, 0, 0)))

    assert (triangles.picture == 0).all()
    for axis, spans in enumerate(((6, 2), (4, 2), (4, 6))):
        for sign in (1, -1):
            uv = triangles.uv[_looking(triangles, axis, sign)]
            assert np.ptp(uv, axis=(0, 1)) == pytest.approx(spans)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [1, -1])
def test_each_side_of_a_cube_shows_its_own_picture_whole(axis: int, sign: int) -> None:
    triangles = triangles_of(box(Finish(texture=_CUBE), (0.4, 0.6, 0.2), (0, 0, 0)))
    side = _looking(triangles, axis, sign)

    assert set(triangles.picture[side].tolist()) == {2 * axis + (sign < 0)}
    assert triangles.uv[side].min(axis=(0, 1)) == pytest.approx((0, 0), abs=1e-9)
    assert triangles.uv[side].max(axis=(0, 1)) == pytest.approx((1, 1))


def test_upright_sides_of_a_cube_are_not_mirrored_nor_upside_down() -> None:
    triangles = triangles_of(box(Finish(texture=_CUBE), (0.4, 0.6, 0.2), (0, 0, 0)))

    # Whoever looks at the front (-y) has +x on the right; at the right side (+x), +y.
    assert _uv_at(triangles, _looking(triangles, 1, -1), (-0.2, -0.3, 0.1)) == [0, 0]
    assert _uv_at(triangles, _looking(triangles, 0, 1), (0.2, -0.3, 0.1)) == [0, 0]


def test_a_picture_goes_once_around_a_ball() -> None:
    triangles = triangles_of(sphere(Finish(texture=_FLAT), 0.2, (0, 0, 0)))
    height = triangles.corners[..., 2] / 0.2

    assert (triangles.picture == 0).all()
    assert triangles.uv[..., 1] == pytest.approx(0.5 - np.arcsin(height) / np.pi)
    side = np.abs(height).max(axis=1) < 0.7
    assert np.ptp(triangles.uv[side][..., 0], axis=1).max() < 0.25
    turns = triangles.uv[side][..., 0] % 1
    assert (turns.min(), turns.max()) == pytest.approx((0, 1), abs=0.05)


def test_a_mesh_takes_tiles_but_no_stretched_picture() -> None:
    stretched = triangles_of(solid(Finish(texture=_FLAT), ring(0.5, 0.1)))
    tiled = triangles_of(solid(Finish(texture=_FLAT, tile_m=0.1), ring(0.5, 0.1)))

    assert (stretched.picture == -1).all()
    assert (tiled.picture == 0).all()
    assert np.ptp(tiled.uv[..., 0]) == pytest.approx(12, rel=0.05)
