from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.things.meshes import arc, dome, plate, ring, smooth, tube, turned
from mira.sim.rooms.things.parts import Mesh


def _across(mesh: Mesh) -> NDArray[np.float64]:
    """Twice the area of each face along its normal, shape (m, 3)."""
    corners = mesh.vertices_m[mesh.faces]
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


@pytest.mark.parametrize(
    ("make", "volume"),
    [
        (lambda: turned([(0, 0), (1, 0), (1, 2), (0, 2)], around=200), 2 * np.pi),
        (lambda: tube(arc(1.0, 0, 90, count=60), 0.1, around=60), np.pi / 2 * np.pi * 0.01),
        (lambda: ring(1.0, 0.2, around=200), 2 * np.pi * np.pi * 0.04),
    ],
)
def test_surfaces_are_closed_and_face_outwards(make: Callable[[], Mesh], volume: float) -> None:
    mesh = make()
    corners = mesh.vertices_m[mesh.faces]

    signed = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6

    assert signed == pytest.approx(volume, rel=0.06)


@pytest.mark.parametrize(("round", "area"), [(False, 0.6 * 0.4), (True, np.pi * 0.3 * 0.2)])
def test_a_plate_is_flat_and_looks_up(round: bool, area: float) -> None:
    across = _across(plate(0.6, 0.4, round=round))

    assert across[:, :2] == pytest.approx(0)
    assert (across[:, 2] > 0).all()
    assert across[:, 2].sum() / 2 == pytest.approx(area, rel=0.002)


@pytest.mark.parametrize("round", [False, True])
def test_a_dome_lies_on_its_ball_and_looks_outwards(round: bool) -> None:
    radius_m = 0.9
    mesh = dome(0.6, 0.4, radius_m, round=round)
    centre = np.array((0.0, 0.0, -radius_m))

    assert np.linalg.norm(mesh.vertices_m - centre, axis=1) == pytest.approx(radius_m)
    assert mesh.vertices_m[:, 2].max() == pytest.approx(0, abs=1e-12)
    assert np.abs(mesh.vertices_m).max(axis=0)[:2] == pytest.approx((0.3, 0.2))
    middles = mesh.vertices_m[mesh.faces].mean(axis=1) - centre
    across = _across(mesh)
    solid = np.linalg.norm(across, axis=1) > 1e-12
    assert (np.einsum("ij,ij->i", across, middles)[solid] > 0).all()
    elliptic = ((mesh.vertices_m[:, :2] / (0.3, 0.2)) ** 2).sum(axis=1).max()
    assert (elliptic <= 1 + 1e-9) == round


def test_a_smoothed_profile_goes_through_its_points() -> None:
    given = [(0.1, 0.0), (0.3, 0.2), (0.2, 0.5)]

    dense = smooth(given, steps=6)

    assert len(dense) == 6 * 2 + 1
    assert np.array(dense[::6]) == pytest.approx(np.array(given))
