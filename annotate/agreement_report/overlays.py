"""Two people's shapes over a cut-out, as paths of SVG in its nominal pixels.

Areas are even-odd, a shape the union of its parts less its holes; what only one drew is the exact
difference of both areas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from annotate.agreement.comparison import ShapePair
from annotate.agreement.overlaps import Drawings
from annotate.agreement_report.cutouts import Bounds, Cutout
from annotate.agreement_report.disputes import Dispute
from mira.geometry.outlines import region_of
from mira.geometry.polygon import polygons_of, region_area
from mira.store.drawn_shapes import DrawnShapes

_SMOOTHED_PX = 0.35
"""Points that move an outline by less on the page are left out."""
_HEAD_PX = 11.0
"""Length of an arrow's head."""
_HEAD_TURN = 0.45
"""Angle between an arrow and each side of its head, radians."""


class Layer(NamedTuple):
    """What one person drew, as paths; an empty one for nothing."""

    outline: str
    """Outline of the shape and of what it is linked to."""
    others: str
    """Overlay of their other shapes of the role."""
    arrow: str
    """From a reflection to what they say it shows."""


class Overlay(NamedTuple):
    """Two people's shapes over one cut-out."""

    first: Layer
    """The one's."""
    second: Layer
    """The other's."""
    only_first: str
    """Area that only the one took in."""
    only_second: str
    """Area that only the other took in."""
    shared: str
    """Area that both took in."""


class DrawnDispute(NamedTuple):
    """A dispute with the areas it is about."""

    size_px: tuple[int, int]
    """Width and height of the picture."""
    first: BaseGeometry
    """The one's shape; empty where they drew none."""
    second: BaseGeometry
    """The other's."""
    first_target: BaseGeometry
    """What the one says it shows, where that is in dispute; empty for nothing."""
    second_target: BaseGeometry
    """What the other says."""
    first_others: tuple[BaseGeometry, ...]
    """The one's other shapes of the role."""
    second_others: tuple[BaseGeometry, ...]
    """The other's."""

    @property
    def bounds(self) -> Bounds:
        """The box around what is in dispute; the picture's where no shape covers anything."""
        areas = [self.first, self.second, self.first_target, self.second_target]
        if all(area.is_empty for area in areas):
            return 0.0, 0.0, float(self.size_px[0]), float(self.size_px[1])
        low_x, low_y, high_x, high_y = shapely.total_bounds(areas).tolist()
        return low_x, low_y, high_x, high_y


def draw_dispute(dispute: Dispute, drawings: Drawings) -> DrawnDispute:
    """The areas that a dispute is about, in the picture's pixels."""
    pair = dispute.pair
    one, other = drawings
    return DrawnDispute(
        size_px=one.size_px,
        first=_area(one, pair.first_id),
        second=_area(other, pair.second_id),
        first_target=_target(one, pair.first_id, dispute),
        second_target=_target(other, pair.second_id, dispute),
        first_others=_others(one, pair, pair.first_id),
        second_others=_others(other, pair, pair.second_id),
    )


def overlay_dispute(drawn: DrawnDispute, cutout: Cutout) -> Overlay:
    """The paths of a dispute over a cut-out around it."""
    view = _View(cutout)
    first, second = view.seen(drawn.first), view.seen(drawn.second)
    return Overlay(
        first=view.layer(first, drawn.first_target, drawn.first_others),
        second=view.layer(second, drawn.second_target, drawn.second_others),
        only_first=_path(shapely.difference(first, second)),
        only_second=_path(shapely.difference(second, first)),
        shared=_path(shapely.intersection(first, second)),
    )


class _View:
    """From the picture's pixels to those of a cut-out."""

    def __init__(self, cutout: Cutout) -> None:
        self._cutout = cutout
        right, lower = cutout.left + cutout.width, cutout.top + cutout.height
        self._window = shapely.box(cutout.left, cutout.top, right, lower)

    def seen(self, area: BaseGeometry) -> BaseGeometry:
        """What of an area lies in the cut-out, in its pixels, valid."""
        inside = area if self._window.contains(area) else shapely.intersection(area, self._window)
        scale = self._cutout.scale
        moved = affinity.affine_transform(
            inside,
            (scale, 0, 0, scale, -self._cutout.left * scale, -self._cutout.top * scale),
        )
        return shapely.simplify(moved, _SMOOTHED_PX)

    def layer(
        self, seen: BaseGeometry, target: BaseGeometry, others: Iterable[BaseGeometry]
    ) -> Layer:
        shown = self.seen(target)
        around = (area for area in others if self._window.intersects(area))
        return Layer(
            outline=_path(seen) + _path(shown),
            others="".join(_path(self.seen(area)) for area in around),
            arrow=_arrow(seen, shown),
        )


def _area(drawn: DrawnShapes, shape_id: int | None) -> BaseGeometry:
    if shape_id is None or shape_id not in drawn.ids:
        return shapely.Polygon()
    return region_area(*region_of(drawn.outlines, drawn.ids.index(shape_id)))


def _target(drawn: DrawnShapes, shape_id: int | None, dispute: Dispute) -> BaseGeometry:
    """What somebody says that a reflection shows, where that is in dispute."""
    link = next((link for link in drawn.links if link.reflected_id == shape_id), None)
    return _area(drawn, None if dispute.links is None or link is None else link.shows)


def _others(drawn: DrawnShapes, pair: ShapePair, shape_id: int | None) -> tuple[BaseGeometry, ...]:
    return tuple(
        region_area(*region_of(drawn.outlines, place))
        for place, other_id in enumerate(drawn.ids)
        if drawn.is_surface(place) == (pair.role == "surface") and other_id != shape_id
    )


def _path(area: BaseGeometry) -> str:
    """Rings of an area's polygons, one tenth of a pixel fine."""
    rings = [
        ring for polygon in polygons_of(area) for ring in (polygon.exterior, *polygon.interiors)
    ]
    return "".join(f"M{_points(ring.coords[:-1])}Z" for ring in rings)


def _points(points: Sequence[tuple[float, ...]]) -> str:
    return " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in points)


def _arrow(start: BaseGeometry, end: BaseGeometry) -> str:
    if start.is_empty or end.is_empty:
        return ""
    tail, tip = (np.array(_middle(area).coords[0]) for area in (start, end))
    back = tail - tip
    length = float(np.hypot(*back))
    if length < 1:
        return ""
    back *= min(_HEAD_PX, length / 2) / length
    cos, sin = np.cos(_HEAD_TURN), np.sin(_HEAD_TURN)
    wings = [tip + np.array([[cos, -s], [s, cos]]) @ back for s in (sin, -sin)]
    shaft, head = (tail, tip), (wings[0], tip, wings[1])
    return f"M{_points(_tuples(shaft))}M{_points(_tuples(head))}"


def _middle(area: BaseGeometry) -> Point:
    return shapely.point_on_surface(area)


def _tuples(points: Sequence[np.ndarray]) -> list[tuple[float, ...]]:
    return [tuple(point.tolist()) for point in points]
