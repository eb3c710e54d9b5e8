from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mira.geometry.footprint import FloorGrid, covered_cells, grid_over
from mira.geometry.segments import blocked_segments
from mira.geometry.walking import (
    connected_to,
    free_distance,
    nearest_cell,
    room_around,
    spread_from,
)

GRID = FloorGrid(0.0, 0.0, 0.1, 20, 30)


def _one(*corners: tuple[float, float, float]) -> NDArray[np.float64]:
    return np.array([corners], np.float64)


def _wall(x: float, low: float, high: float) -> NDArray[np.float64]:
    """An upright plate along y at one x, as two triangles."""
    a, b, c, d = (x, low, 0.0), (x, high, 0.0), (x, high, 2.0), (x, low, 2.0)
    return np.array([(a, b, c), (a, c, d)])


def test_cells_follow_the_floor_and_grow_when_there_would_be_too_many() -> None:
    grid = grid_over((-1.0, 0.0), (1.0, 1.0), cell_m=0.1, most=40)
    assert (grid.rows, grid.columns) == (10, 20)
    assert grid.cell_of(-0.95, 0.0) == (0, 0)
    assert grid_over((0.0, 0.0), (10.0, 5.0), cell_m=0.1, most=40).cell_m == pytest.approx(0.25)


def test_a_large_triangle_fills_its_inside() -> None:
    mask = covered_cells(_one((0, 0, 1), (3, 0, 1), (0, 2, 1)), GRID, low_m=0.1, high_m=1.5)
    assert mask.sum() == pytest.approx(300, abs=35)
    assert mask[2, 2]
    assert not mask[19, 29]


def test_only_what_lies_between_the_heights_counts() -> None:
    plate = _one((0, 0, 1.0), (3, 0, 1.0), (0, 2, 1.0))
    assert not covered_cells(plate, GRID, low_m=1.1, high_m=2.0).any()
    assert not covered_cells(plate, GRID, low_m=0.1, high_m=0.9).any()


def test_a_slanted_triangle_is_cut_at_both_heights() -> None:
    ramp = _one((0, 1, 0), (3, 1, 3), (0, 1.05, 0))
    columns = np.flatnonzero(covered_cells(ramp, GRID, low_m=1.0, high_m=2.0).any(axis=0))
    assert columns.min() == pytest.approx(10, abs=1)
    assert columns.max() == pytest.approx(19, abs=1)


def test_an_upright_rod_counts_though_both_its_ends_do_not() -> None:
    rod = _one((1.0, 1.0, -0.5), (1.01, 1.0, -0.5), (1.0, 1.0, 2.5))
    mask = covered_cells(rod, GRID, low_m=0.5, high_m=1.0)
    assert mask.any()
    assert set(zip(*np.nonzero(mask), strict=True)) <= {(10, 10), (9, 10), (10, 9), (9, 9)}


def test_an_upright_wall_leaves_no_gap() -> None:
    mask = covered_cells(_wall(1.55, 0.0, 2.0), GRID, low_m=0.1, high_m=1.5)
    assert mask.any(axis=1).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.05, 1.9), min_size=9, max_size=9))
def test_no_point_of_a_triangle_is_far_from_a_marked_cell(values: list[float]) -> None:
    triangle = np.array(values).reshape(1, 3, 3)
    mask = covered_cells(triangle, GRID, low_m=0.0, high_m=2.0)
    shares = np.random.default_rng(0).dirichlet((1, 1, 1), 40)
    room = room_around(mask, cell_m=GRID.cell_m)
    for x, y, _ in shares @ triangle[0]:
        assert room[GRID.cell_of(x, y)] <= 1.5 * GRID.cell_m


def test_a_body_goes_through_a_gap_that_is_wide_enough_only() -> None:
    for width, through in ((0.4, False), (0.9, True)):
        walls = np.concatenate((_wall(1.5, 0, 0.6), _wall(1.5, 0.6 + width, 2.0)))
        room = room_around(covered_cells(walls, GRID, low_m=0.1, high_m=1.5), cell_m=0.1)
        free = room >= 0.25
        reached = connected_to((10, 4), free)
        assert reached[10, 4]
        assert reached[10, 26] == through


def test_nothing_is_connected_to_a_cell_without_room() -> None:
    free = np.ones((4, 4), bool)
    free[1, 1] = False
    assert not connected_to((1, 1), free).any()
    assert not connected_to(None, free).any()


def test_steps_grow_with_the_length_of_the_way_in_any_direction() -> None:
    free = np.ones((41, 41), bool)
    starts = np.zeros_like(free)
    starts[20, 20] = True
    steps = spread_from(starts, free).steps
    rows, columns = np.indices(free.shape) - 20
    length = np.hypot(rows, columns)
    far = length > 5
    assert np.abs(steps[far] / length[far] - 1).max() < 0.17


def test_a_walk_that_may_end_early_still_reaches_its_aim() -> None:
    free = np.ones((30, 30), bool)
    starts = np.zeros_like(free)
    starts[2, 2] = True
    whole = spread_from(starts, free).steps
    short = spread_from(starts, free, until=(10, 10)).steps
    assert short[10, 10] == whole[10, 10]
    assert short[29, 29] == -1


def test_the_nearest_wanted_cell_must_be_near_enough() -> None:
    wanted = np.zeros((10, 10), bool)
    wanted[2, 2] = wanted[9, 9] = True
    assert nearest_cell(wanted, (4, 2), within_cells=3) == (2, 2)
    assert nearest_cell(wanted, (5, 5), within_cells=2) is None
    assert nearest_cell(np.zeros((3, 3), bool), (1, 1), within_cells=9) is None


def test_a_disc_stops_where_it_touches() -> None:
    origin, ahead = np.zeros(2), np.array((1.0, 0.0))
    head_on = np.array([(1.0, 0.0)])
    assert free_distance(head_on, origin_m=origin, direction=ahead, radius_m=0.25) == 0.75
    aside = np.array([(1.0, 0.15)])
    assert free_distance(aside, origin_m=origin, direction=ahead, radius_m=0.25) == pytest.approx(
        0.8
    )
    for harmless in ((1.0, 0.26), (-1.0, 0.0)):
        points = np.array([harmless])
        found = free_distance(points, origin_m=origin, direction=ahead, radius_m=0.25)
        assert math.isinf(found)


def test_lines_are_blocked_by_triangles_between_their_ends_only() -> None:
    wall = _wall(1.0, 0.0, 2.0)
    start = np.array([(0.0, 1.0, 1.0)] * 4)
    ends = np.array([(2, 1, 1), (0.9, 1, 1), (2, 1, 5), (-1, 1, 1)], float)
    assert blocked_segments(start, ends, wall).tolist() == [True, False, False, False]


def test_no_line_is_blocked_where_there_is_nothing() -> None:
    ends = np.array([(2.0, 1.0, 1.0)])
    assert blocked_segments(np.zeros((1, 3)), ends, np.zeros((0, 3, 3))).tolist() == [False]
