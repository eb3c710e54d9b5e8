"""Areas as runs of pixels down the columns of a picture: masks without a picture's worth of memory.

A pixel belongs to an area when its centre is inside; a centre on the outline belongs to the area
to its right or below it. Each ring is taken even-odd; an area is the union of its parts less its
holes. Runs are found from the outlines' edges, column by column, for many areas in one go.

Where a column enters or leaves an area is one number: the column's slot in the high bits, the row
in the low ones. Sorted, these edges are the area: it lies between the first and the second, the
third and the fourth, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.geometry.outlines import Outlines

Ints = NDArray[Any]
"""Whole numbers."""
_ON_OUTLINE_PX = 1e-9
"""Centres that are nearer to an outline lie on it."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Runs of pixels of k areas.

    Attributes:
        edges: Where columns enter and leave the areas, in turn: area after area, column after
            column, downwards, shape (n,). An edge twice is none.
        start: First edge of each area, and n at the end, shape (k + 1,).
        left: First column that each area reaches, shape (k,).
        slot: Slot of that column, and of none at the end, shape (k + 1,).
        upper: First row that each area may reach, shape (k,).
        lower: Row after the last that it may reach, shape (k,).
        row_bits: Low bits of an edge, which hold its row.
    """

    edges: Ints
    start: Ints
    left: Ints
    slot: Ints
    upper: Ints
    lower: Ints
    row_bits: int

    def __len__(self) -> int:
        return len(self.left)

    @property
    def right(self) -> Ints:
        """Column after the last that each area reaches, shape (k,)."""
        return np.asarray(self.left + np.diff(self.slot))

    def areas_px(self) -> Ints:
        """Pixels of each area, shape (k,)."""
        return _covered(self.edges, self.start, self.row_bits)


def spans_of(outlines: Outlines, *, size_px: tuple[int, int]) -> Spans:
    """The runs of pixels of areas; what lies outside the picture is left out.

    Args:
        outlines: The areas.
        size_px: Width and height of their pictures.
    """
    rings = _Rings(outlines, size_px)
    if outlines.is_one_ring_each:
        return rings.spans(rings.edges())
    # A hole outweighs any number of parts.
    weights = np.where(outlines.is_hole, -len(outlines.owner), 1)
    return rings.spans(rings.edges_of_union(weights))


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


def intersections_px(spans: Spans, first: Ints, second: Ints) -> Ints:
    """Pixels that areas share, pair by pair.

    Edges of both together bound what is in one of the two alone; the rest of their sum is shared
    twice.

    Args:
        spans: The areas.
        first: The one of each pair, shape (m,).
        second: The other, shape (m,).

    Returns:
        Shape (m,).
    """
    left = np.minimum(spans.left[first], spans.left[second])
    right = np.maximum(spans.right[first], spans.right[second])
    slot = _sums_before(right - left)
    both = np.concatenate((first, second))
    counts = spans.start[both + 1] - spans.start[both]
    # Each area's edges, moved to the slots of its pair.
    moved = np.concatenate((slot[:-1] - left, slot[:-1] - left)) + spans.left[both]
    moved -= spans.slot[both]
    edges = spans.edges[_ranges(spans.start[both], counts)]
    bits = spans.row_bits
    edges = edges.astype(_whole_numbers(int(slot[-1]), bits), copy=False)
    edges += np.repeat((moved << bits).astype(edges.dtype), counts)
    edges.sort(kind="stable")
    start = _sums_before(counts[: len(first)] + counts[len(first) :])
    alone = _covered(edges, start, bits)
    areas = spans.areas_px()
    return np.asarray((areas[first] + areas[second] - alone) // 2)


def mask_of(spans: Spans, index: int) -> NDArray[np.bool_]:
    """One area as a picture of its box, shape (lower - upper, right - left)."""
    height = int(spans.lower[index] - spans.upper[index])
    columns = int(spans.slot[index + 1] - spans.slot[index])
    edges = spans.edges[spans.start[index] : spans.start[index + 1]]
    column = (edges >> spans.row_bits) - spans.slot[index]
    row = (edges & _low(spans.row_bits)) - spans.upper[index]
    changes = np.zeros((height + 1, columns), np.uint8)
    np.bitwise_xor.at(changes, (row, column), 1)
    return np.bitwise_xor.accumulate(changes[:-1], axis=0).view(np.bool_)


class _Rings:
    """Rings on their way to runs."""

    def __init__(self, outlines: Outlines, size_px: tuple[int, int]) -> None:
        self._outlines = outlines
        self._width, self._height = size_px
        self._bits = self._height.bit_length()
        self._starts = outlines.starts
        self._x = outlines.points_px[:, 0].copy()
        self._y = outlines.points_px[:, 1].copy()
        # Column c has its centres at c + 0.5.
        self._column = np.clip(np.ceil(self._x - 0.5), 0, self._width).astype(np.int32)
        self._place_areas()

    def _place_areas(self) -> None:
        row = np.clip(np.ceil(self._y - 0.5), 0, self._height).astype(np.int32)
        self._left, right = self._reach(self._column, self._width)
        self._upper, self._lower = self._reach(row, self._height)
        self._slot = _sums_before(np.maximum(right - self._left, 0))

    def _reach(self, places: Ints, size: int) -> tuple[Ints, Ints]:
        """Least and greatest place of each area's points; none for areas without."""
        count, owner = self._outlines.n_areas, self._outlines.owner
        least, greatest = np.full(count, size), np.zeros(count, np.int64)
        if len(owner):
            np.minimum.at(least, owner, np.minimum.reduceat(places, self._starts))
            np.maximum.at(greatest, owner, np.maximum.reduceat(places, self._starts))
        return least, greatest

    def edges(self) -> Ints:
        """Where columns enter and leave areas of one ring each."""
        where = self._crossings()[0]
        # Rings lie one after the other, and go to and fro: nearly sorted, which this sort likes.
        where.sort(kind="stable")
        return where

    def edges_of_union(self, weights: Ints) -> Ints:
        """Where columns enter and leave the areas: where a part covers them and no hole does.

        Args:
            weights: 1 for a part, and for a hole less than minus the number of parts, by ring.
        """
        where, crossed = self._crossings()
        ring = np.repeat(np.arange(len(weights)), np.add.reduceat(crossed, self._starts))
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
        """The areas within edges."""
        return Spans(
            edges=edges,
            start=np.searchsorted(edges, (self._slot << self._bits).astype(edges.dtype)),
            left=self._left,
            slot=self._slot,
            upper=self._upper,
            lower=self._lower,
            row_bits=self._bits,
        )

    def _crossings(self) -> tuple[Ints, Ints]:
        """Where outlines cross columns of pixel centres, along the rings.

        From a point to the next, the columns are crossed from the left one up to, and not with,
        the right one, so that every ring crosses every column an even number of times.

        Returns:
            The crossings, shape (t,), and how many there are from each point on, shape (n,).
        """
        x, y, column = self._x, self._y, self._column
        after = self._following(column)
        ahead = np.where(after > column, 1, -1)
        first, crossed = np.where(ahead > 0, column, column - 1), np.abs(after - column)
        run = self._following(x) - x
        run[crossed == 0] = 1
        slope = (self._following(y) - y) / run
        slot_of_area = (self._slot[:-1] - self._left)[self._outlines.owner]
        slot = first + np.repeat(slot_of_area, self._outlines.lengths)
        # Outlines on whole pixels pass through centres; rounding must not decide those.
        first_row = y + (first + 0.5 - x) * slope - (0.5 + _ON_OUTLINE_PX)
        before = np.cumsum(crossed) - crossed
        # In floats, which hold whole numbers of this size exactly.
        step = np.arange(crossed.sum(), dtype=np.float64)
        step -= np.repeat(before, crossed)
        where = np.repeat(slope * ahead, crossed)
        where *= step
        where += np.repeat(first_row, crossed)
        np.clip(np.ceil(where, out=where), 0, self._height, out=where)
        step *= np.repeat(ahead << self._bits, crossed)
        where += step
        where += np.repeat(slot << self._bits, crossed)
        return where.astype(_whole_numbers(int(self._slot[-1]), self._bits)), crossed

    def _following(self, values: NDArray[Any]) -> NDArray[Any]:
        """The value of each point's next one around its ring."""
        following = np.empty_like(values)
        following[:-1] = values[1:]
        following[self._starts + self._outlines.lengths - 1] = values[self._starts]
        return following


def _covered(edges: Ints, start: Ints, row_bits: int) -> Ints:
    """Pixels between edges, group by group."""
    row = edges & _low(row_bits)
    heights = row[1::2] - row[0::2]
    sums = _sums_before(heights)
    half = start // 2
    return np.asarray(sums[half[1:]] - sums[half[:-1]])


def _whole_numbers(slots: int, row_bits: int) -> type[np.int32] | type[np.int64]:
    """Small ones where they hold all edges."""
    return np.int32 if slots << row_bits < np.iinfo(np.int32).max else np.int64


def _low(row_bits: int) -> int:
    return (1 << row_bits) - 1


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """Runs of whole numbers, one after the other: from each start so many."""
    before = _sums_before(counts)
    return np.asarray(np.arange(before[-1]) + np.repeat(starts - before[:-1], counts))


def _sums_before(values: Ints) -> Ints:
    """Sum of all values before each, and of all of them at the end; one longer."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
