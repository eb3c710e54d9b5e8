"""Both ways of measuring, held against each other: a fault of either shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot

from pydantic import Field

from annotate.agreement.comparison import Role
from annotate.agreement.overlaps import Drawings, exact_overlaps, pixel_overlaps
from annotate.agreement.policy import AgreementPolicy
from mira.geometry.outlines import region_of
from mira.schema.record import Record
from mira.store.drawn_shapes import DrawnShapes


class IouDifference(Record):
    """Two shapes whose IoU depends on how it is measured."""

    image_id: str
    """Their picture."""
    role: Role
    """Kind of shape."""
    first_id: int
    """Id in the one annotation."""
    second_id: int
    """Id in the other."""
    polygon_iou: float
    """IoU of areas."""
    pixel_iou: float
    """IoU of counts of pixels."""
    allowed: float
    """What rounding to pixels may come to."""

    @property
    def difference(self) -> float:
        """How far the two are apart."""
        return abs(self.polygon_iou - self.pixel_iou)


class CrossCheck(Record):
    """What both ways of measuring come to."""

    n_pairs: int = Field(ge=0)
    """Pairs of shapes that share something."""
    mean_difference: float | None
    """Mean difference of their IoUs; absent without any."""
    largest_difference: float | None
    """The largest."""
    beyond: tuple[IouDifference, ...]
    """Pairs that differ by more than rounding explains, the worst first."""


def cross_check(drawings: Iterable[Drawings], *, policy: AgreementPolicy) -> CrossCheck:
    """Measure all pairs of shapes both ways.

    Args:
        drawings: Two annotations of each of some pictures, each pair of one size.
        policy: What may differ.
    """
    found = [pair for first, second in drawings for pair in _differences(first, second, policy)]
    differences = [pair.difference for pair in found]
    beyond = [pair for pair in found if pair.difference > pair.allowed]
    return CrossCheck(
        n_pairs=len(found),
        mean_difference=sum(differences) / len(found) if found else None,
        largest_difference=max(differences, default=None),
        beyond=tuple(sorted(beyond, key=lambda pair: pair.allowed - pair.difference)),
    )


def _differences(
    first: DrawnShapes, second: DrawnShapes, policy: AgreementPolicy
) -> Iterator[IouDifference]:
    (exact,), (pixel,) = exact_overlaps([(first, second)]), pixel_overlaps([(first, second)])
    polygon, counted = (
        dict(
            zip(zip(o.first.tolist(), o.second.tolist(), strict=True), o.iou.tolist(), strict=True)
        )
        for o in (exact, pixel)
    )
    for a, b in sorted(polygon.keys() | counted.keys()):
        outline_px = (_outline_px(first, a) + _outline_px(second, b)) / 2
        area_px = max(float(exact.first_area_px[a]), float(exact.second_area_px[b]), 1.0)
        yield IouDifference(
            image_id=first.image_id,
            role="surface" if first.is_surface(a) else "instance",
            first_id=first.ids[a],
            second_id=second.ids[b],
            polygon_iou=polygon.get((a, b), 0.0),
            pixel_iou=counted.get((a, b), 0.0),
            allowed=policy.cross_check_iou + policy.cross_check_px * outline_px / area_px,
        )


def _outline_px(drawn: DrawnShapes, place: int) -> float:
    """Length of a shape's rings."""
    parts, holes = region_of(drawn.outlines, place)
    return sum(
        hypot(x - u, y - v)
        for ring in (*parts, *holes)
        for (x, y), (u, v) in zip(ring, (*ring[1:], ring[0]), strict=True)
    )
