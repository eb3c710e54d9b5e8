from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mira.geometry.pixel_rings import polygons_of_mask


def _by_union(mask: np.ndarray) -> shapely.Geometry:
    rows, columns = np.nonzero(mask)
    return shapely.union_all(shapely.box(columns, rows, columns + 1, rows + 1))


@given(arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9))))
def test_polygons_cover_exactly_the_pixels(mask: np.ndarray) -> None:
    polygons = polygons_of_mask(mask)

    assert all(polygon.is_valid for polygon in polygons)
    assert sum(polygon.area for polygon in polygons) == mask.sum()
    assert shapely.equals(shapely.union_all(polygons), _by_union(mask))


def test_an_empty_mask_has_no_polygon() -> None:
    assert polygons_of_mask(np.zeros((4, 5), bool)) == []


def test_pixels_that_touch_at_a_corner_are_two_parts() -> None:
    polygons = polygons_of_mask(np.eye(2, dtype=bool))

    assert [polygon.bounds for polygon in polygons] == [(0, 0, 1, 1), (1, 1, 2, 2)]


def test_a_ring_has_a_hole_and_what_is_in_it_is_another_part() -> None:
    mask = np.ones((5, 5), bool)
    mask[1:4, 1:4] = False
    mask[2, 2] = True

    ring, island = polygons_of_mask(mask)

    assert [shapely.Polygon(hole).bounds for hole in ring.interiors] == [(1, 1, 4, 4)]
    assert island.bounds == (2, 2, 3, 3)


@pytest.mark.parametrize("shape", [(1, 1), (3, 7)])
def test_a_full_mask_is_one_rectangle_of_four_corners(shape: tuple[int, int]) -> None:
    (polygon,) = polygons_of_mask(np.ones(shape, bool))

    assert len(polygon.exterior.coords) == 5
    assert polygon.bounds == (0, 0, shape[1], shape[0])
