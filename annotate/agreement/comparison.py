"""What a comparison of annotations finds."""

from __future__ import annotations

from typing import Literal, NamedTuple

from annotate.agreement.links import LinkComparison
from mira.schema.audit import Agreement, AuditRow

Role = Literal["surface", "instance"]


class ShapePair(NamedTuple):
    """Two shapes that are partners, or one that has none."""

    image_id: str
    """Their picture."""
    role: Role
    """Kind of shape."""
    first_id: int | None
    """Id in the one annotation; None where only the other drew it."""
    second_id: int | None
    """Id in the other."""
    first_label: str | None
    """Type or visibility in the one."""
    second_label: str | None
    """The same in the other."""
    iou: float
    """0 for a shape without a partner."""
    area_px: float
    """Area of the one's shape, or of the other's where only that is there, square pixels."""
    boundary_iou: float | None
    """IoU of the rims; None where it was not asked for."""

    @property
    def label(self) -> str:
        """What it is counted under: the one annotator's label, where they drew it."""
        return self.first_label or self.second_label or ""

    @property
    def is_matched(self) -> bool:
        """Whether both drew it."""
        return self.first_id is not None and self.second_id is not None


class ImageComparison(NamedTuple):
    """Two annotations of one picture."""

    image_id: str
    """The picture."""
    pairs: tuple[ShapePair, ...]
    """All shapes of either, partners together."""
    links: LinkComparison
    """What both say of reflections."""


class Comparison(NamedTuple):
    """Two annotations of each of some pictures."""

    images: tuple[ImageComparison, ...]
    """Picture by picture."""
    rows: tuple[AuditRow, ...]
    """Counts and means per picture, role and label."""
    mean_iou: float | None
    """Over all shapes of either, those without a partner as 0; None without any."""
    agreements: tuple[Agreement, ...]
    """Choices beside shapes: correspondence, visibility, surface type."""

    @property
    def pairs(self) -> tuple[ShapePair, ...]:
        """All shapes, partners together."""
        return tuple(pair for image in self.images for pair in image.pairs)
