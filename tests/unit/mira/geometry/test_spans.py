from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mira.geometry.outlines import outlines_of
from mira.geometry.polygon import Region, region_area
from mira.geometry.spans import intersections_px, mask_of, meeting_pairs, spans_of
from mira.schema.annotation import Ring

SIZE = (23, 17)


def _centres(size: tuple[int, int] = SIZE) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, y = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    return x, y


def _inside(ring: Ring, size: tuple[int, int] = SIZE) -> NDArray[np.bool_]:
    """Even-odd by rays to the right of every pixel's centre, edge by edge."""
    x, y = _centres(size)
    inside = np.zeros(x.shape, bool)
    for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if x0 == x1:
            continue
        crossed = (min(x0, x1) <= x) & (x < max(x0, x1))
        # A centre on the edge is below it, whatever rounding says.
        above = y0 + (x - x0) * (y1 - y0) / (x1 - x0) <= y + 1e-9
        inside ^= crossed & above
    return inside


def _mask(region: Region, size: tuple[int, int] = SIZE) -> NDArray[np.bool_]:
    covered = np.zeros(size[::-1], bool)
    for ring in region.parts:
        covered |= _inside(ring, size)
    for ring in region.holes:
        covered &= ~_inside(ring, size)
    return covered


def _found(regions: list[Region], size: tuple[int, int] = SIZE) -> list[NDArray[np.bool_]]:
    spans = spans_of(outlines_of(regions), size_px=size)
    masks = []
    for k in range(len(spans)):
        mask = np.zeros(size[::-1], bool)
        if spans.slot[k + 1] > spans.slot[k] and spans.lower[k] > spans.upper[k]:
            window = mask[spans.upper[k] : spans.lower[k], spans.left[k] : spans.right[k]]
            window[:] = mask_of(spans, k)
        masks.append(mask)
    return masks


# Coordinates off the pixels' centres: on them, the rule for ties is one of several.
numbers = st.integers(-60, 280).map(lambda n: n / 10 + 0.013)
rings = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=9).map(tuple)
regions = st.builds(
    lambda parts, holes: Region(tuple(parts), tuple(holes)),
    st.lists(rings, min_size=1, max_size=3),
    st.lists(rings, max_size=2),
)


@given(st.lists(regions, min_size=1, max_size=4))
@settings(deadline=None)
def test_runs_cover_the_pixels_whose_centres_are_inside(areas: list[Region]) -> None:
    for found, region in zip(_found(areas), areas, strict=True):
        np.testing.assert_array_equal(found, _mask(region))


@given(st.lists(rings, min_size=1, max_size=4))
@settings(deadline=None)
def test_simple_areas_need_no_union_and_give_the_same(outlines: list[Ring]) -> None:
    areas = [Region((ring,), ()) for ring in outlines]
    twice = [Region((ring, ring), ()) for ring in outlines]

    for one, other in zip(_found(areas), _found(twice), strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.lists(regions, min_size=2, max_size=6))
@settings(deadline=None)
def test_shared_pixels_are_those_of_both_masks(areas: list[Region]) -> None:
    spans = spans_of(outlines_of(areas), size_px=SIZE)
    masks = [_mask(region) for region in areas]
    every = np.arange(len(areas))
    a, b = (grid.ravel() for grid in np.meshgrid(every, every))

    shared = intersections_px(spans, a, b)

    np.testing.assert_array_equal(spans.areas_px(), [mask.sum() for mask in masks])
    np.testing.assert_array_equal(
        shared, [(masks[i] & masks[j]).sum() for i, j in zip(a, b, strict=True)]
    )
    meeting = set(
        zip(*(places.tolist() for places in meeting_pairs(spans, every, every)), strict=True)
    )
    assert {(i, j) for i, j, n in zip(a, b, shared, strict=True) if n} <= meeting


@pytest.mark.parametrize(
    ("ring", "area"),
    [
        (((0, 0), (4, 0), (4, 3), (0, 3)), 12),
        (((0.5, 0.5), (4.5, 0.5), (4.5, 3.5), (0.5, 3.5)), 12),
        (((-9, -9), (99, -9), (99, 99), (-9, 99)), 23 * 17),
        (((30, 1), (40, 1), (40, 9)), 0),
        (((2, 2), (2, 9), (2, 5)), 0),
        (((2.1, 2.1), (2.2, 2.1), (2.2, 2.2)), 0),
        (((0, 0), (10, 10), (10, 0), (0, 10)), 50),
    ],
)
def test_known_areas(ring: Ring, area: int) -> None:
    assert spans_of(outlines_of([Region((ring,), ())]), size_px=SIZE).areas_px().tolist() == [area]


def test_no_area_and_no_pixel_are_no_trouble() -> None:
    nothing = spans_of(outlines_of([]), size_px=SIZE)
    outside = spans_of(outlines_of([Region((((50, 1), (60, 1), (60, 9)),), ())]), size_px=SIZE)
    none = np.zeros(0, np.int64)

    assert len(nothing) == 0
    assert nothing.areas_px().tolist() == []
    assert intersections_px(nothing, none, none).tolist() == []
    assert intersections_px(outside, np.zeros(1, int), np.zeros(1, int)).tolist() == [0]


def test_large_areas_come_near_the_exact_ones() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        angles = np.sort(rng.uniform(0, 2 * np.pi, 40))
        radius = rng.uniform(60, 200, 40)
        ring = tuple(
            (float(640 + r * np.cos(t)), float(360 + r * np.sin(t)))
            for r, t in zip(radius, angles, strict=True)
        )
        exact = region_area((ring,))
        found = int(spans_of(outlines_of([Region((ring,), ())]), size_px=(1280, 720)).areas_px()[0])
        assert abs(found - exact.area) < 0.25 * shapely.length(exact)
