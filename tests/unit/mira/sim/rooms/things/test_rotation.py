from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mira.sim.rooms.things.rotation import UPRIGHT, about, along, compose, matrix, rotate, yaw

_coordinate = st.floats(-5, 5)
_point = st.tuples(_coordinate, _coordinate, _coordinate)


def test_composed_turns_apply_the_inner_one_first() -> None:
    inner, outer = about((1.0, 0.0, 0.0), 90), yaw(90)

    assert rotate(compose(outer, inner), (0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1))
    assert rotate(compose(inner, outer), (1.0, 0.0, 0.0)) == pytest.approx((0, 0, 1))


@given(_point.filter(lambda p: np.linalg.norm(p) > 0.1))
@example((0.0, 6.103515625e-05, -1.0))
@example((0.0, 0.0, -1.0))
def test_along_turns_up_into_the_direction(direction: tuple[float, float, float]) -> None:
    unit = np.array(direction) / np.linalg.norm(direction)

    assert rotate(along(np.array(direction)), (0.0, 0.0, 1.0)) == pytest.approx(unit, abs=1e-5)


@given(_point, st.floats(-180, 180))
def test_a_turn_and_its_matrix_do_the_same(
    point: tuple[float, float, float], angle_deg: float
) -> None:
    turn = compose(about((0.6, 0.0, 0.8), angle_deg), yaw(30))

    assert matrix(turn) @ np.array(point) == pytest.approx(np.array(rotate(turn, point)), abs=1e-9)
    assert matrix(turn) @ matrix(turn).T == pytest.approx(np.eye(3), abs=1e-9)


def test_an_upright_panel_faces_the_viewer_its_top_edge_up() -> None:
    assert rotate(UPRIGHT, (0.0, 0.0, 1.0)) == pytest.approx((0, -1, 0))
    assert rotate(UPRIGHT, (0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1))
