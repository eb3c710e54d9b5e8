"""How two things stand to each other along the camera's axes.

Camera frame: +x right, +y down, +z forward, metres. Left is the observer's left; front is nearer
along the optical axis.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.schema.qa import AxesAnswer
from mira.schema.spatial import RelationPolicy

RelationDirection = Literal["left", "right", "front", "behind", "above", "below"]
"""A direction in which one thing lies from another."""
RELATION_DIRECTIONS: tuple[RelationDirection, ...] = (
    "left",
    "right",
    "front",
    "behind",
    "above",
    "below",
)
_HORIZONTAL: tuple[Literal["left", "aligned", "right"], ...] = ("left", "aligned", "right")
_VERTICAL: tuple[Literal["above", "aligned", "below"], ...] = ("above", "aligned", "below")
_DEPTH: tuple[Literal["front", "same_depth", "behind"], ...] = ("front", "same_depth", "behind")


class Extents(NamedTuple):
    """The box around a thing along the axes of a frame.

    Attributes:
        low_m: Smallest x, y, z.
        high_m: Largest x, y, z.
    """

    low_m: tuple[float, float, float]
    high_m: tuple[float, float, float]

    def span(self, axis: int) -> tuple[float, float]:
        """Smallest and largest value along an axis."""
        return self.low_m[axis], self.high_m[axis]

    def corners_m(self) -> NDArray[np.float64]:
        """The eight corners, shape (8, 3)."""
        low, high = np.array(self.low_m), np.array(self.high_m)
        picks = np.indices((2, 2, 2)).reshape(3, -1).T
        return np.asarray(np.where(picks == 1, high, low))

    @property
    def centre_m(self) -> tuple[float, float, float]:
        """Middle of the box."""
        x, y, z = ((a + b) / 2 for a, b in zip(self.low_m, self.high_m, strict=True))
        return x, y, z


class AxisRelation(NamedTuple):
    """How one thing stands to another along one axis.

    Attributes:
        sign: -1 towards the axis's start, 1 towards its end, 0 for aligned.
        offset_m: Centre of the thing less that of the reference.
        clearance_m: By how much the offset exceeds what still counts as aligned; negative where
            it does not. Moving the thing by its absolute value reaches the nearest threshold.
        close_call: Whether that is too near to the threshold to call.
    """

    sign: int
    offset_m: float
    clearance_m: float
    close_call: bool


class SpatialRelation(NamedTuple):
    """How one thing stands to another along all axes."""

    horizontal: AxisRelation
    vertical: AxisRelation
    depth: AxisRelation

    @property
    def labels(self) -> AxesAnswer:
        """One word an axis."""
        return AxesAnswer(
            horizontal=_HORIZONTAL[self.horizontal.sign + 1],
            vertical=_VERTICAL[self.vertical.sign + 1],
            depth=_DEPTH[self.depth.sign + 1],
        )

    @property
    def margin_m(self) -> float:
        """Distance to the nearest threshold of any axis."""
        return min(abs(axis.clearance_m) for axis in self)

    @property
    def close_call(self) -> bool:
        """Whether any axis is too close to call."""
        return any(axis.close_call for axis in self)

    def towards(self, direction: RelationDirection) -> tuple[AxisRelation, bool]:
        """The relation along a direction's axis, and whether the thing lies in that direction."""
        axis, sign = _AXIS_OF[direction]
        return self[axis], self[axis].sign == sign


_AXIS_OF: dict[RelationDirection, tuple[int, int]] = {
    "left": (0, -1),
    "right": (0, 1),
    "above": (1, -1),
    "below": (1, 1),
    "front": (2, -1),
    "behind": (2, 1),
}


def extents_of(points_m: NDArray[np.floating]) -> Extents:
    """The box around points, shape (n, 3), at least one."""
    (x, y, z), (right, bottom, far) = (
        [float(least(points_m[:, axis])) for axis in range(3)] for least in (np.min, np.max)
    )
    return Extents((x, y, z), (right, bottom, far))


def aligned_limit_m(
    span: tuple[float, float], reference: tuple[float, float], policy: RelationPolicy
) -> float:
    """The largest difference of centres at which two spans along an axis are aligned.

    Two spans overlap by half the sum of their lengths less the distance of their centres, until
    one lies in the other; so both rules, that of the overlap and that of the centres, bound the
    distance of the centres, and the wider bound holds.
    """
    first, second = span[1] - span[0], reference[1] - reference[0]
    mean = (first + second) / 2
    by_overlap = mean - policy.aligned_overlap_share * min(first, second)
    return max(by_overlap, policy.aligned_floor_m, policy.aligned_extent_share * mean)


def axis_relation(
    span: tuple[float, float], reference: tuple[float, float], policy: RelationPolicy
) -> AxisRelation:
    """How a thing stands to a reference along x or y, each given by its smallest and largest."""
    return _relation(
        _middle(span) - _middle(reference), aligned_limit_m(span, reference, policy), policy
    )


def depth_relation(
    span: tuple[float, float], reference: tuple[float, float], policy: RelationPolicy
) -> AxisRelation:
    """How a thing stands to a reference along z; the same rule holds behind the camera."""
    own, other = _middle(span), _middle(reference)
    far = (abs(own) + abs(other)) / 2
    limit = max(policy.same_depth_floor_m, policy.same_depth_share * far)
    return _relation(own - other, limit, policy)


def relation_of(thing: Extents, reference: Extents, policy: RelationPolicy) -> SpatialRelation:
    """How a thing stands to a reference, both in the camera frame."""
    return SpatialRelation(
        axis_relation(thing.span(0), reference.span(0), policy),
        axis_relation(thing.span(1), reference.span(1), policy),
        depth_relation(thing.span(2), reference.span(2), policy),
    )


def _relation(offset_m: float, limit_m: float, policy: RelationPolicy) -> AxisRelation:
    clearance = abs(offset_m) - limit_m
    near = max(policy.close_call_m, policy.close_call_share * limit_m)
    sign = 0 if clearance <= 0 else (1 if offset_m > 0 else -1)
    return AxisRelation(sign, offset_m, clearance, abs(clearance) < near)


def _middle(span: tuple[float, float]) -> float:
    return (span[0] + span[1]) / 2
