"""The area of a COCO annotation: rings, run lengths, or a box alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from shapely.errors import GEOSException

from annotate.coco.run_lengths import columns_of_counts, parse_counts
from annotate.findings import FindingLog, Refused, brief
from annotate.policy import AnnotationPolicy
from annotate.reading.area import ForeignArea, area_inside
from annotate.reading.outline import number_fault, outline_of
from annotate.reading.pixel_area import area_of_mask
from mira.geometry.polygon import Region
from mira.geometry.region import join

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Outline(ForeignArea):
    """What an annotation gives as its area.

    Attributes:
        segmentation: As read; None where there is none.
        bbox: As read; counts where there is no segmentation.
    """

    segmentation: Any
    bbox: Any

    @property
    def is_box(self) -> bool:
        """Whether nothing but a box is given."""
        return self.segmentation in (None, [], {}, "") and bool(self.bbox)

    def region(
        self, where: str, size_px: Size, policy: AnnotationPolicy, log: FindingLog
    ) -> Region:
        """The area, cut to the picture; see `ForeignArea`."""
        if self.is_box:
            return _Rings(f"{where}.bbox", size_px, policy, log).of_box(self.bbox)
        field = f"{where}.segmentation"
        if isinstance(self.segmentation, dict):
            return _area_of_rle(self.segmentation, field, size_px, policy, log)
        if not isinstance(self.segmentation, list) or not self.segmentation:
            message = f"expected rings or run lengths, found {brief(self.segmentation)}"
            raise Refused("segmentation-invalid", field, message)
        rings = _Rings(field, size_px, policy, log)
        if not any(isinstance(ring, list) for ring in self.segmentation):
            return rings.area(self.segmentation, field)
        return rings.union(self.segmentation)


@dataclass(frozen=True, slots=True)
class _Rings:
    """Rings as flat lists of coordinates, read into areas."""

    where: str
    size_px: Size
    policy: AnnotationPolicy
    log: FindingLog

    def union(self, rings: Iterable[Any]) -> Region:
        """All rings; those at fault are left out, unless no other is left."""
        regions: list[Region] = []
        faults: list[Refused] = []
        for place, ring in enumerate(rings):
            try:
                regions.append(self.area(ring, f"{self.where}[{place}]"))
            except Refused as refused:
                faults.append(refused)
        if not regions:
            raise faults[0]
        for fault in faults:
            self.log.refuse(fault)
        try:
            return join(regions, ())
        except GEOSException as error:
            message = f"expected rings that can be joined: {error}"
            raise Refused("geometry-failed", self.where, message) from None

    def area(self, ring: Any, where: str) -> Region:
        """The area in one ring, even-odd."""
        if not isinstance(ring, list):
            message = f"expected a list of coordinates, found {brief(ring)}"
            raise Refused("segmentation-invalid", where, message)
        self._require_numbers(ring, where)
        if len(ring) % 2:
            message = f"expected x and y in turn, found {len(ring)} numbers"
            raise Refused("segmentation-invalid", where, message)
        points = [[x, y] for x, y in zip(ring[0::2], ring[1::2], strict=True)]
        try:
            outline = outline_of(None, points, where, self.policy)
        except Refused as refused:
            raise Refused(refused.code, where, refused.message) from None
        return area_inside(outline, where, self.size_px, self.policy, self.log)

    def of_box(self, box: Any) -> Region:
        """The area of a box of left, top, width and height."""
        if not isinstance(box, list) or len(box) != 4:
            message = f"expected left, top, width and height, found {brief(box)}"
            raise Refused("bbox-invalid", self.where, message)
        self._require_numbers(box, self.where)
        x, y, width, height = map(float, box)
        if width <= 0 or height <= 0:
            message = f"expected a width and height above 0, found {width:g} and {height:g}"
            raise Refused("bbox-invalid", self.where, message)
        ring = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        return area_inside(ring, self.where, self.size_px, self.policy, self.log)

    def _require_numbers(self, values: list[Any], where: str) -> None:
        for place, value in enumerate(values):
            fault = number_fault(value, f"{where}[{place}]", self.policy.coordinate_limit_px)
            if fault is not None:
                raise fault


def _area_of_rle(
    rle: dict[str, Any], where: str, size_px: Size, policy: AnnotationPolicy, log: FindingLog
) -> Region:
    width, height = size_px
    if rle.get("size") != [height, width]:
        message = f"expected {[height, width]}, height and width of the picture"
        raise Refused("rle-size", f"{where}.size", f"{message}, found {brief(rle.get('size'))}")
    counts = parse_counts(rle.get("counts"), f"{where}.counts")
    if sum(counts) != width * height:
        message = f"expected counts of {width * height} pixels together, found {sum(counts)}"
        raise Refused("rle-invalid", f"{where}.counts", message)
    columns = columns_of_counts(counts, height_px=height)
    return area_of_mask(columns.mask, (columns.left, 0), where, size_px, policy, log)
