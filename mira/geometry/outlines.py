"""Rings of many areas in flat arrays, as computing with all of them at once wants them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.polygon import Region
from mira.schema.annotation import Ring

Ints = NDArray[np.int64]


class Outlines(NamedTuple):
    """Rings of k areas, area after area; each area is the union of its parts less its holes."""

    points_px: NDArray[np.float64]
    """Corners of all rings, shape (n, 2), x and y."""
    lengths: Ints
    """Corners of each ring, shape (r,); at least one."""
    owner: Ints
    """Area of each ring, shape (r,), ascending."""
    is_hole: NDArray[np.bool_]
    """Whether a ring is cut out, shape (r,)."""
    n_areas: int
    """Number of areas."""

    @property
    def is_one_ring_each(self) -> bool:
        """Whether each area is one ring, without holes."""
        return (
            len(self.owner) == self.n_areas
            and not self.is_hole.any()
            and bool((self.owner == np.arange(self.n_areas)).all())
        )

    @property
    def starts(self) -> Ints:
        """First corner of each ring, shape (r,)."""
        return np.cumsum(self.lengths) - self.lengths


def outlines_of(regions: Sequence[Region]) -> Outlines:
    """The rings of areas.

    Args:
        regions: The areas; each ring has a point at least.
    """
    rings = [ring for parts, holes in regions for ring in (*parts, *holes)]
    lengths = np.fromiter(map(len, rings), np.int64, len(rings))
    flat = chain.from_iterable(chain.from_iterable(rings))
    points = np.fromiter(flat, np.float64, 2 * int(lengths.sum())).reshape(-1, 2)
    counts = [len(region.parts) + len(region.holes) for region in regions]
    holes = [place >= len(r.parts) for r in regions for place in range(len(r.parts + r.holes))]
    return Outlines(
        points,
        lengths,
        np.repeat(np.arange(len(regions)), counts),
        np.array(holes, bool),
        len(regions),
    )


def join_outlines(outlines: Sequence[Outlines]) -> Outlines:
    """All areas of several, one after the other; of one at least."""
    before = np.cumsum([0, *(some.n_areas for some in outlines)]).tolist()
    return Outlines(
        np.concatenate([some.points_px for some in outlines]),
        np.concatenate([some.lengths for some in outlines]),
        np.concatenate([some.owner + k for some, k in zip(outlines, before, strict=False)]),
        np.concatenate([some.is_hole for some in outlines]),
        before[-1],
    )


def region_of(outlines: Outlines, index: int) -> Region:
    """The rings of one area."""
    parts: list[Ring] = []
    holes: list[Ring] = []
    starts = outlines.starts
    for ring in np.flatnonzero(outlines.owner == index).tolist():
        start = starts[ring]
        points = outlines.points_px[start : start + outlines.lengths[ring]]
        kind = holes if outlines.is_hole[ring] else parts
        kind.append(tuple((x, y) for x, y in points.tolist()))
    return Region(tuple(parts), tuple(holes))
