"""Areas as runs of pixels down the columns of a picture: masks without a picture's worth of memory.

A pixel belongs to an area when its centre is inside; a centre on the outline belongs to the area
to its right or below it. Each ring is taken even-odd; an area is the union of its parts less its
holes. Runs are found from the outlines' edges, column by column, for many areas in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.geometry.polygon import Region
from mira.schema.annotation import Ring

Ints = NDArray[Any]
"""Whole numbers."""
_ON_OUTLINE_PX = 1e-9
"""Centres that are nearer to an outline lie on it."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Runs of pixels of k areas, area after area, column after column, downwards.

    Attributes:
        top: Row of each run's first pixel, shape (n,).
        bottom: Row after its last, shape (n,); runs of a column are apart.
        run: First run of each column that an area reaches, and n at the end, shape (c + 1,).
        left: First column that each area reaches, shape (k,).
        slot: Place in `run` of that column, and c at the end, shape (k + 1,).
        upper: First row that each area may reach, shape (k,).
        lower: Row after the last that it may reach, shape (k,).
        size_px: Width and height of the pictures.
    """

    top: Ints
    bottom: Ints
    run: Ints
    left: Ints
    slot: Ints
    upper: Ints
    lower: Ints
    size_px: tuple[int, int]

    def __len__(self) -> int:
        return len(self.left)

    @property
    def right(self) -> Ints:
        """Column after the last that each area reaches, shape (k,)."""
        return np.asarray(self.left + np.diff(self.slot))

    def areas_px(self) -> Ints:
        """Pixels of each area, shape (k,)."""
        total = np.concatenate(([0], np.cumsum(self.bottom - self.top, dtype=np.int64)))
        ends = total[self.run[self.slot]]
        return np.asarray(ends[1:] - ends[:-1])


def spans_of(regions: Sequence[Region], *, size_px: tuple[int, int]) -> Spans:
    """The runs of pixels of areas; what lies outside the picture is left out.

    Args:
        regions: The areas.
        size_px: Width and height of their pictures.
    """
    rings: list[Ring] = []
    weights: list[int] = []
    owners: list[int] = []
    simple = True
    for owner, (parts, holes) in enumerate(regions):
        simple = simple and len(parts) == 1 and not holes
        rings += (*parts, *holes)
        owners += [owner] * (len(parts) + len(holes))
        # A hole outweighs any number of parts.
        weights += [1] * len(parts) + [-len(parts) - 1] * len(holes)
    outlines = _Outlines(rings, np.array(owners, np.int64), len(regions), size_px)
    edges = outlines.edges() if simple else outlines.edges_of_union(np.array(weights, np.int64))
    return outlines.spans(edges)


def meeting_pairs(spans: Spans, first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """Pairs of areas whose boxes meet: which of some areas, and which of some others.

    Args:
        spans: The areas.
        first: Places of some of them, shape (a,).
        second: Places of others, shape (b,).

    Returns:
        Two arrays of shape (m,): places in `first` and in `second`.
    """
    left, right, upper, lower = spans.left, spans.right, spans.upper, spans.lower
    meet = left[first, None] < right[second]
    meet &= left[second] < right[first, None]
    meet &= upper[first, None] < lower[second]
    meet &= upper[second] < lower[first, None]
    a, b = np.nonzero(meet)
    return a, b


def intersections_px(first: Spans, second: Spans, pairs: tuple[Ints, Ints]) -> Ints:
    """Pixels that areas share, pair by pair.

    Args:
        first: Areas.
        second: Other areas, on pictures of the same height.
        pairs: Which of the first and which of the second, shape (m,) each.

    Returns:
        Shape (m,).
    """
    a, b = pairs
    left = np.maximum(first.left[a], second.left[b])
    columns = np.maximum(np.minimum(first.right[a], second.right[b]) - left, 0)
    in_first = _ranges(first.slot[a] + left - first.left[a], columns)
    in_second = _ranges(second.slot[b] + left - second.left[b], columns)
    begin_a, begin_b = first.run[in_first], second.run[in_second]
    runs_a, runs_b = first.run[in_first + 1] - begin_a, second.run[in_second + 1] - begin_b
    if (runs_a == 1).all() and (runs_b == 1).all():
        return _sums(_shared(first, second, begin_a, begin_b), columns)
    # Every run of the one with every run of the other in the same column.
    meetings = runs_a * runs_b
    turn = _ranges(np.zeros_like(meetings), meetings)
    across = np.repeat(runs_b, meetings)
    over_a = np.repeat(begin_a, meetings) + turn // np.maximum(across, 1)
    over_b = np.repeat(begin_b, meetings) + turn % np.maximum(across, 1)
    return _sums(_sums(_shared(first, second, over_a, over_b), meetings), columns)


def mask_of(spans: Spans, index: int) -> NDArray[np.bool_]:
    """One area as a picture of its box, shape (lower - upper, right - left)."""
    height = int(spans.lower[index] - spans.upper[index])
    columns = np.arange(spans.slot[index], spans.slot[index + 1])
    runs = spans.run[columns[0]], spans.run[columns[-1] + 1]
    column = np.repeat(np.arange(len(columns)), np.diff(spans.run[columns[0] : columns[-1] + 2]))
    change = np.zeros((len(columns), height + 1), np.int8)
    change[column, spans.top[runs[0] : runs[1]] - spans.upper[index]] = 1
    # Runs of a column are apart, so that no place takes both.
    change[column, spans.bottom[runs[0] : runs[1]] - spans.upper[index]] = -1
    return np.asarray(np.cumsum(change, axis=1, dtype=np.int8)[:, :-1].T > 0)


def _shared(first: Spans, second: Spans, a: Ints, b: Ints) -> Ints:
    """Rows that two runs share."""
    overlap = np.minimum(first.bottom[a], second.bottom[b]) - np.maximum(
        first.top[a], second.top[b]
    )
    return np.asarray(np.maximum(overlap, 0))


class _Outlines:
    """Rings on their way to runs.

    An edge of a run is one number: the column's slot in the high bits, the row in the low ones.
    """

    def __init__(
        self, rings: Sequence[Ring], owner: Ints, count: int, size_px: tuple[int, int]
    ) -> None:
        self._width, self._height = size_px
        self._bits = self._height.bit_length()
        lengths = np.fromiter(map(len, rings), np.int64, len(rings))
        flat = chain.from_iterable(chain.from_iterable(rings))
        points = np.fromiter(flat, np.float64, 2 * int(lengths.sum())).reshape(-1, 2)
        self._x, self._y = points[:, 0].copy(), points[:, 1].copy()
        ends = np.cumsum(lengths)
        self._following = np.arange(1, len(points) + 1)
        self._following[ends - 1] = ends - lengths
        # Column c has its centres at c + 0.5.
        self._column = np.clip(np.ceil(self._x - 0.5), 0, self._width).astype(np.int64)
        self._owner = np.repeat(owner, lengths)
        self._ring = np.repeat(np.arange(len(rings)), lengths)
        self._place_areas(count)

    def _place_areas(self, count: int) -> None:
        row = np.clip(np.ceil(self._y - 0.5), 0, self._height).astype(np.int64)
        self._left, right = self._reach(self._column, count)
        self._upper, self._lower = self._reach(row, count)
        self._slot = np.concatenate(([0], np.cumsum(np.maximum(right - self._left, 0))))

    def _reach(self, places: Ints, count: int) -> tuple[Ints, Ints]:
        """Least and greatest place of each area's points; none for areas without."""
        least = np.full(count, max(self._width, self._height), np.int64)
        greatest = np.zeros(count, np.int64)
        np.minimum.at(least, self._owner, places)
        np.maximum.at(greatest, self._owner, places)
        return least, greatest

    def edges(self) -> Ints:
        """Where columns enter and leave the rings, in turn, ascending."""
        edges = np.sort(self._crossings()[0])
        if (edges[1:] == edges[:-1]).any():
            # What is crossed twice at one place is not crossed.
            edges, counts = np.unique(edges, return_counts=True)
            edges = edges[counts % 2 == 1]
        return np.asarray(edges)

    def edges_of_union(self, weights: Ints) -> Ints:
        """Where columns enter and leave the areas: where a part covers them and no hole does.

        Args:
            weights: 1 for a part, and for a hole less than minus the number of parts, by ring.
        """
        where, point = self._crossings()
        ring = self._ring[point]
        # In and out in turn, ring by ring; then all rings together.
        order = np.lexsort((where, ring))
        where, ring = where[order], ring[order]
        enters = np.where(np.arange(len(where)) % 2 == 0, 1, -1) * weights[ring]
        order = np.argsort(where, kind="stable")
        where, level = where[order], np.cumsum(enters[order])
        settled = np.append(where[1:] != where[:-1], True)[: len(where)]
        where, inside = where[settled], level[settled] > 0
        return np.asarray(where[inside != np.concatenate(([False], inside[:-1]))])

    def spans(self, edges: Ints) -> Spans:
        """The runs between edges."""
        enter, leave = edges[0::2], edges[1::2]
        slots = int(self._slot[-1])
        low = (1 << self._bits) - 1
        counts = np.bincount(enter >> self._bits, minlength=slots)
        return Spans(
            top=enter & low,
            bottom=leave & low,
            run=np.concatenate(([0], np.cumsum(counts))),
            left=self._left,
            slot=self._slot,
            upper=self._upper,
            lower=self._lower,
            size_px=(self._width, self._height),
        )

    def _crossings(self) -> tuple[Ints, Ints]:
        """Where outlines cross columns of pixel centres, and at which point's edge, in no order.

        An edge crosses the columns from its left end up to, and not with, its right one, so that
        every ring crosses every column an even number of times.
        """
        after = self._column[self._following]
        low, crossed = np.minimum(self._column, after), np.abs(after - self._column)
        run = self._x[self._following] - self._x
        slope = (self._y[self._following] - self._y) / np.where(run == 0, 1, run)
        # Outlines on whole pixels pass through centres; rounding must not decide those.
        at_zero = self._y + (0.5 - self._x) * slope - 0.5 - _ON_OUTLINE_PX
        column = _ranges(low, crossed)
        row = np.ceil(np.repeat(at_zero, crossed) + np.repeat(slope, crossed) * column)
        first_slot = self._slot[self._owner] - self._left[self._owner]
        slot = column + np.repeat(first_slot, crossed)
        where = (slot << self._bits) | np.clip(row, 0, self._height).astype(np.int64)
        if int(self._slot[-1]) << self._bits < np.iinfo(np.int32).max:
            where = where.astype(np.int32)
        point = np.repeat(np.arange(len(crossed)), crossed)
        return where, point


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """Runs of whole numbers, one after the other: from each start so many."""
    stops = np.cumsum(counts)
    total = int(stops[-1]) if len(stops) else 0
    return np.asarray(np.arange(total) + np.repeat(starts - (stops - counts), counts))


def _sums(values: Ints, counts: Ints) -> Ints:
    """Sums of groups of values, one after the other."""
    total = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    stops = np.cumsum(counts)
    return np.asarray(total[stops] - total[stops - counts])
