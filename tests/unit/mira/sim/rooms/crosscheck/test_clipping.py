from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.sim.rooms.crosscheck.clipping import cut_triangles

_UP = np.array((0.0, 0.0, 1.0))


def _vectors(corners: np.ndarray) -> np.ndarray:
    """Area vectors of triangles, shape (n, 3)."""
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2


@given(st.integers(0, 2**32 - 1), st.floats(-1, 1))
def test_pieces_of_both_sides_make_up_the_triangle_and_keep_its_winding(
    seed: int, height: float
) -> None:
    corners = np.random.default_rng(seed).uniform(-1, 1, (20, 3, 3))
    heights = corners @ _UP - height

    over, of_over = cut_triangles(corners, heights)
    under, of_under = cut_triangles(corners, -heights)

    assert (over @ _UP >= height - 1e-12).all()
    assert (under @ _UP <= height + 1e-12).all()
    total = np.zeros((20, 3))
    np.add.at(total, of_over, _vectors(over))
    np.add.at(total, of_under, _vectors(under))
    assert total == pytest.approx(_vectors(corners), abs=1e-12)
    wholes = _vectors(corners)
    for pieces, of in ((over, of_over), (under, of_under)):
        assert (np.einsum("ij,ij->i", _vectors(pieces), wholes[of]) >= -1e-12).all()


@pytest.mark.parametrize(
    ("heights", "pieces"), [((1, 1, 1), 1), ((1, 1, -1), 2), ((1, -1, -1), 1), ((0, 0, 0), 0)]
)
def test_a_triangle_leaves_as_many_pieces_as_its_corners_say(
    heights: tuple[int, ...], pieces: int
) -> None:
    corners = np.random.default_rng(0).uniform(-1, 1, (1, 3, 3))

    cut, of = cut_triangles(corners, np.array([heights], np.float64))

    assert len(cut) == pieces
    assert (of == 0).all()
