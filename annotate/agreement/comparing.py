"""Two annotations of each of some pictures, compared shape by shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from annotate.agreement.boundaries import boundary_iou
from annotate.agreement.choices import agreements_of
from annotate.agreement.comparison import Comparison, ImageComparison, ShapePair
from annotate.agreement.links import compare_links
from annotate.agreement.matching import match_shapes
from annotate.agreement.overlaps import ENGINES, Method
from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.shapes import Shape, shapes_of
from mira.errors import MiraError
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit import AuditPolicy, AuditRow


def compare_image(
    first: ImageAnnotation,
    second: ImageAnnotation,
    *,
    method: Method,
    policy: AgreementPolicy,
    boundary_fraction: float | None = None,
) -> ImageComparison:
    """Compare two annotations of one picture.

    Args:
        first: The one, such as the audited.
        second: The other, such as the blind one.
        method: How shapes are measured.
        policy: When shapes are partners.
        boundary_fraction: Width of the rim for boundary IoU; None to leave it out.

    Raises:
        MiraError: They are of two pictures, or of one in two sizes.
    """
    _require_one_picture(first, second)
    size_px = (first.width_px, first.height_px)
    ours, theirs = shapes_of(first), shapes_of(second)
    overlaps = ENGINES[method](ours, theirs, size_px)
    matches = match_shapes(overlaps, min_iou=policy.min_match_iou)
    partner = {match.first: match for match in matches}
    taken = {match.second for match in matches}

    def pair(one: Shape | None, other: Shape | None, iou: float, area_px: float) -> ShapePair:
        boundary = None
        if boundary_fraction is not None:
            boundary = 0.0
            if one is not None and other is not None:
                boundary = boundary_iou(
                    one.region, other.region, size_px=size_px, fraction=boundary_fraction
                )
        either = one or other
        assert either is not None
        return ShapePair(
            first.image_id,
            either.role,
            one.shape_id if one else None,
            other.shape_id if other else None,
            one.label if one else None,
            other.label if other else None,
            iou,
            area_px,
            boundary,
        )

    pairs: list[ShapePair] = []
    for k, (shape, area_px) in enumerate(zip(ours, overlaps.first_area_px.tolist(), strict=True)):
        match = partner.get(k)
        other = theirs[match.second] if match else None
        pairs.append(pair(shape, other, match.iou if match else 0.0, area_px))
    for k, (shape, area_px) in enumerate(
        zip(theirs, overlaps.second_area_px.tolist(), strict=True)
    ):
        if k not in taken:
            pairs.append(pair(None, shape, 0.0, area_px))
    of_instances = {
        ours[m.first].shape_id: theirs[m.second].shape_id
        for m in matches
        if ours[m.first].role == "instance"
    }
    return ImageComparison(first.image_id, tuple(pairs), compare_links(first, second, of_instances))


def compare_images(
    annotations: Iterable[tuple[ImageAnnotation, ImageAnnotation]],
    *,
    policy: AuditPolicy,
    agreement: AgreementPolicy | None = None,
    with_boundaries: bool = True,
) -> Comparison:
    """Compare two annotations of each picture, as an audit asks.

    Args:
        annotations: The audited and the blind annotation of each picture.
        policy: How shapes are measured, and how wide rims are.
        agreement: When shapes are partners; intervals.
        with_boundaries: Whether rims are compared too, which takes most of the time.

    Raises:
        MiraError: Two are of two pictures, or of one in two sizes.
    """
    bounds = agreement or AgreementPolicy()
    images = tuple(
        compare_image(
            first,
            second,
            method=policy.iou_method,
            policy=bounds,
            boundary_fraction=policy.boundary_fraction if with_boundaries else None,
        )
        for first, second in annotations
    )
    ious = [pair.iou for image in images for pair in image.pairs]
    return Comparison(
        images=images,
        rows=audit_rows(images),
        mean_iou=sum(ious) / len(ious) if ious else None,
        agreements=agreements_of(images, policy=bounds),
    )


def audit_rows(comparisons: Iterable[ImageComparison]) -> tuple[AuditRow, ...]:
    """Counts and means a picture, role and label; in the order of the pictures."""
    rows: list[AuditRow] = []
    for comparison in comparisons:
        ordered = sorted(comparison.pairs, key=lambda pair: (pair.role != "surface", pair.label))
        for (role, label), found in groupby(ordered, key=lambda pair: (pair.role, pair.label)):
            pairs = list(found)
            counts = Counter((p.first_id is not None, p.second_id is not None) for p in pairs)
            rims = [p.boundary_iou for p in pairs if p.boundary_iou is not None]
            rows.append(
                AuditRow(
                    image_id=comparison.image_id,
                    role=role,
                    label=label,
                    n_matched=counts[True, True],
                    n_only_annotator=counts[True, False],
                    n_only_auditor=counts[False, True],
                    mean_iou=sum(p.iou for p in pairs) / len(pairs),
                    mean_boundary_iou=sum(rims) / len(rims) if rims else None,
                )
            )
    return tuple(rows)


def _require_one_picture(first: ImageAnnotation, second: ImageAnnotation) -> None:
    if first.image_id != second.image_id:
        found = f"found {second.image_id!r}"
        raise MiraError(first.image_id, f"expected another annotation of it, {found}")
    if (first.width_px, first.height_px) != (second.width_px, second.height_px):
        raise MiraError(
            first.image_id,
            f"expected annotations of one size, found {first.width_px}x{first.height_px} by "
            f"{first.annotator} and {second.width_px}x{second.height_px} by {second.annotator}",
        )
