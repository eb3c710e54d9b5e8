"""From the points of a shape to the ring around an area."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

from annotate.findings import Refused, brief
from annotate.policy import AnnotationPolicy
from mira.schema.annotation import Point, Ring

_COUNTS = {
    "rectangle": (2, 4),
    "rotation": (4,),
    "oriented_rectangle": (4,),
    "quadrilateral": (4,),
    "circle": (2,),
}
"""Number of points of each kind of area with a fixed one."""
_NOT_AREAS = frozenset({"line", "linestrip", "point", "points", "cuboid"})


def outline_of(shape_type: Any, points: Any, where: str, policy: AnnotationPolicy) -> Ring:
    """The open ring around a shape's area, without repeated vertices.

    Args:
        shape_type: As read; None, as in old files, means a polygon.
        points: As read.
        where: Field of the shape, for the refusal.
        policy: Thresholds.

    Returns:
        At least three distinct points; they may lie outside the picture, and the ring may cross
        itself.

    Raises:
        Refused: The shape is no area, or its points are none.
    """
    kind = "polygon" if shape_type is None else shape_type
    _require_area(kind, f"{where}.shape_type")
    ring = parse_points(points, f"{where}.points", policy.coordinate_limit_px)
    if kind in _COUNTS:
        ring = _figure(kind, ring, f"{where}.points", policy)
    distinct = len(set(ring))
    if distinct < 3:
        raise Refused(
            "points-too-few",
            f"{where}.points",
            f"expected at least 3 distinct vertices, found {distinct}",
        )
    return ring if distinct == len(ring) else _without_repeats(ring)


def parse_points(points: Any, where: str, limit_px: float) -> Ring:
    """Points as read, as floats.

    Raises:
        Refused: One is no pair of finite numbers within the limit; the field names which.
    """
    if not isinstance(points, list):
        raise Refused("points-invalid", where, f"expected a list of points, found {brief(points)}")
    kinds = _kinds_of_numbers(points, limit_px)
    if kinds == {float}:
        return tuple(map(tuple, points))
    if kinds:
        return tuple([(float(x), float(y)) for x, y in points])
    for place, point in enumerate(points):
        if not _kinds_of_numbers([point], limit_px):
            raise _point_fault(point, f"{where}[{place}]", limit_px)
    return ()


def _kinds_of_numbers(points: list[Any], limit_px: float) -> set[type]:
    """Kinds of the numbers of points; none unless all are pairs of numbers within the limit.

    No Python code runs for each of them.
    """
    if set(map(type, points)) != {list} or set(map(len, points)) != {2}:
        return set()
    numbers = list(chain.from_iterable(points))
    kinds = set(map(type, numbers))
    if not kinds <= {float, int} or not math.isfinite(sum(numbers)):
        return set()
    return kinds if -limit_px <= min(numbers) and max(numbers) <= limit_px else set()


def _point_fault(point: Any, where: str, limit_px: float) -> Refused:
    if not isinstance(point, list) or len(point) != 2:
        count = f" of length {len(point)}" if isinstance(point, list) else ""
        return Refused("point-invalid", where, f"expected x and y, found {brief(point)}{count}")
    faults = (number_fault(value, f"{where}[{axis}]", limit_px) for axis, value in enumerate(point))
    return next(fault for fault in faults if fault is not None)


def number_fault(value: Any, field: str, limit_px: float) -> Refused | None:
    """Why a value is no coordinate; None where it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Refused("point-invalid", field, f"expected a number, found {brief(value)}")
    if not -math.inf < value < math.inf:
        return Refused("point-not-finite", field, f"expected a finite number, found {value}")
    if abs(value) > limit_px:
        message = f"expected at most {limit_px:g} pixels, found {brief(value)}"
        return Refused("point-far-outside", field, message)
    return None


def _require_area(kind: Any, where: str) -> None:
    if kind == "polygon" or (isinstance(kind, str) and kind in _COUNTS):
        return
    if isinstance(kind, str) and kind in _NOT_AREAS:
        raise Refused("shape-without-area", where, f"expected an area, found {kind!r}")
    raise Refused("shape-type-unknown", where, f"expected an area, found {brief(kind)}")


def _figure(kind: str, points: Ring, where: str, policy: AnnotationPolicy) -> Ring:
    counts = _COUNTS[kind]
    if len(points) not in counts:
        wanted = " or ".join(map(str, counts))
        raise Refused(
            "points-count", where, f"expected {wanted} points of a {kind}, found {len(points)}"
        )
    if kind == "circle":
        return _circle(points, policy.circle_tolerance_px)
    if len(points) == 2:
        (x1, y1), (x2, y2) = points
        return (x1, y1), (x2, y1), (x2, y2), (x1, y2)
    return points


def _circle(points: Sequence[Point], tolerance_px: float) -> Ring:
    """A regular polygon of a circle's area, nowhere farther from it than the tolerance."""
    (x, y), rim = points
    radius = math.dist((x, y), rim)
    if radius <= tolerance_px:
        return ()
    count = min(max(16, math.ceil(math.pi / math.acos(1 - tolerance_px / radius))), 4096)
    turn = 2 * math.pi / count
    corner = radius * math.sqrt(turn / math.sin(turn))
    angles = [turn * step for step in range(count)]
    return tuple((x + corner * math.cos(a), y + corner * math.sin(a)) for a in angles)


def _without_repeats(ring: Ring) -> Ring:
    kept = [point for place, point in enumerate(ring) if place == 0 or point != ring[place - 1]]
    while len(kept) > 1 and kept[-1] == kept[0]:
        kept.pop()
    return tuple(kept)
