"""Where everything lies on one picture: boxes at once, shares of areas when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, islice, product
from typing import Any

import numpy as np
import shapely
from shapely.errors import GEOSException
from shapely.geometry import Polygon

from mira.geometry.outlines import outlines_of
from mira.geometry.polygon import Region, polygon_of
from mira.geometry.spans import intersections_px, spans_of
from mira.schema.annotation import ImageAnnotation, Instance, Surface

BoxPx = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Pair = tuple[int, int]
"""Ids of a thing and of what it may be in."""


class Layout:
    """The surfaces and instances of one picture, and where they are.

    Attributes:
        surfaces: Surfaces by id.
        instances: Instances by id.
    """

    def __init__(self, annotation: ImageAnnotation) -> None:
        self.size_px = (annotation.width_px, annotation.height_px)
        self.surfaces = {surface.surface_id: surface for surface in annotation.surfaces}
        self.instances = {instance.instance_id: instance for instance in annotation.instances}
        # Those whose polygons are always needed come first.
        self._owners: dict[int, Surface | Instance] = {**self.surfaces}
        for visibility in ("reflected", "direct"):
            self._owners |= {
                number: one
                for number, one in self.instances.items()
                if one.visibility == visibility
            }
        needed = len(self._owners) - sum(one.visibility == "direct" for one in annotation.instances)
        self._boxes, self._polygons = _boxes_and_polygons(self._owners, needed)

    def box_px(self, number: int) -> BoxPx:
        """The box around the parts of a surface or instance."""
        return self._boxes[number]

    def is_at_border(self, number: int, *, within_px: float) -> bool:
        """Whether something reaches the picture's edge, so that a part of it may be out of view."""
        left, top, right, bottom = self._boxes[number]
        width, height = self.size_px
        return min(left, top, width - right, height - bottom) < within_px

    def common_box_px(self, first: int, second: int) -> float:
        """The area that two boxes share, in square pixels."""
        a, b = self._boxes[first], self._boxes[second]
        width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        return width * height if width > 0 and height > 0 else 0.0

    def are_near(self, first: int, second: int, *, within_px: float) -> bool:
        """Whether two outlines come nearer to each other than this."""
        a, b = self._boxes[first], self._boxes[second]
        if max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3]) >= within_px:
            return False
        own, other = (self._owners[number].polygons_px for number in (first, second))
        return any(
            shapely.distance(polygon_of(ring), polygon_of(another)) < within_px
            for ring, another in product(own, other)
        )

    def shares_inside(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        """The share of each thing's pixels that lies in another, less the other's holes.

        Args:
            pairs: A thing and another each.

        Returns:
            Shares by pair; 0 for a thing that covers no pixel.
        """
        apart = [pair for pair in pairs if not self.common_box_px(*pair)]
        shares = dict.fromkeys(apart, 0.0)
        meeting = [pair for pair in pairs if pair not in shares]
        inside = self._surely_inside(meeting)
        shares |= dict.fromkeys(inside, 1.0)
        shares |= self._counted([pair for pair in meeting if pair not in inside])
        return {pair: shares[pair] for pair in pairs}

    def _surely_inside(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Pairs of single rings of which the one covers the other, which is found faster."""
        polygons = self._polygons
        single = [pair for pair in pairs if pair[0] in polygons and pair[1] in polygons]
        if not single:
            return []
        things, surfaces = np.empty((2, len(single)), object)
        things[:] = [polygons[thing] for thing, _ in single]
        surfaces[:] = [polygons[surface] for _, surface in single]
        shapely.prepare(surfaces)
        try:
            inside = shapely.covers(surfaces, things).tolist()
        except GEOSException:
            return []
        return [pair for pair, covered in zip(single, inside, strict=True) if covered]

    def _counted(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        """Shares by counting pixels, all in one go."""
        if not pairs:
            return {}
        place = {number: k for k, number in enumerate(dict.fromkeys(chain.from_iterable(pairs)))}
        owners = [self._owners[number] for number in place]
        regions = [Region(owner.polygons_px, owner.holes_px) for owner in owners]
        spans = spans_of(outlines_of(regions), size_px=self.size_px)
        things, surfaces = (np.array([place[pair[end]] for pair in pairs]) for end in (0, 1))
        common = intersections_px(spans, things, surfaces)
        shares = common / np.maximum(spans.areas_px()[things], 1)
        return dict(zip(pairs, shares.tolist(), strict=True))


def _boxes_and_polygons(
    owners: Mapping[int, Surface | Instance], needed: int
) -> tuple[dict[int, BoxPx], dict[int, Polygon]]:
    """The boxes of all owners, and of the first so many the polygons if they are of one ring."""
    if not owners:
        return {}, {}
    rings = [ring for owner in owners.values() for ring in owner.polygons_px]
    lengths = np.array([len(ring) for ring in rings])
    ends = np.cumsum(lengths)
    flat = chain.from_iterable(chain.from_iterable(rings))
    points = np.fromiter(flat, np.float64, 2 * int(ends[-1])).reshape(-1, 2)
    firsts = [0, *accumulate(len(owner.polygons_px) for owner in owners.values())]
    starts = (ends - lengths)[firsts[:-1]]
    lows, highs = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    boxes = {
        number: (left, top, right, bottom)
        for number, (left, top), (right, bottom) in zip(
            owners, lows.tolist(), highs.tolist(), strict=True
        )
    }
    ring_of = np.repeat(np.arange(firsts[needed]), lengths[: firsts[needed]])
    whole: Any = shapely.polygons(shapely.linearrings(points[: len(ring_of)], indices=ring_of))
    polygons = {
        number: whole[first]
        for (number, owner), first in islice(zip(owners.items(), firsts, strict=False), needed)
        if len(owner.polygons_px) == 1 and not owner.holes_px
    }
    return boxes, polygons
