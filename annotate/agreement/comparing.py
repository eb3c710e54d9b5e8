"""Two annotations of each of some pictures, compared shape by shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from annotate.agreement.boundaries import boundary_ious
from annotate.agreement.choices import agreements_of
from annotate.agreement.comparison import Comparison, ImageComparison, Role, ShapePair
from annotate.agreement.links import compare_links
from annotate.agreement.matching import Match, match_shapes
from annotate.agreement.overlaps import ENGINES, Drawings, Method, Overlaps
from annotate.agreement.policy import AgreementPolicy
from mira.errors import MiraError
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit import AuditPolicy, AuditRow
from mira.store.drawn_shapes import DrawnShapes, drawn_shapes_of

_POINTS_AT_ONCE = 6_000
"""Corners of several pictures that are compared in one go: few calls, and all stays in cache."""


def compare_shapes(
    drawings: Iterable[Drawings],
    *,
    method: Method,
    policy: AgreementPolicy,
    boundary_fraction: float | None = None,
) -> Iterator[ImageComparison]:
    """Compare two annotations of each of some pictures.

    Args:
        drawings: Of each picture the one annotation, such as the audited, and the other, such as
            the blind one.
        method: How shapes are measured.
        policy: When shapes are partners.
        boundary_fraction: Width of the rim for boundary IoU; None to leave it out.

    Raises:
        MiraError: Two are of two pictures, or of one in two sizes.
    """
    for batch in _batches(drawings):
        measured = ENGINES[method](batch, min_iou=policy.min_match_iou)
        for (first, second), overlaps in zip(batch, measured, strict=True):
            yield _image_comparison(first, second, overlaps, boundary_fraction)


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
    images = compare_shapes(
        ((drawn_shapes_of(first), drawn_shapes_of(second)) for first, second in annotations),
        method=policy.iou_method,
        policy=bounds,
        boundary_fraction=policy.boundary_fraction if with_boundaries else None,
    )
    return comparison_of(images, policy=bounds)


def comparison_of(images: Iterable[ImageComparison], *, policy: AgreementPolicy) -> Comparison:
    """Pictures that were compared one by one, taken together."""
    found = tuple(images)
    ious = [pair.iou for image in found for pair in image.pairs]
    return Comparison(
        images=found,
        rows=audit_rows(found),
        mean_iou=sum(ious) / len(ious) if ious else None,
        agreements=agreements_of(found, policy=policy),
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


def _batches(drawings: Iterable[Drawings]) -> Iterator[list[Drawings]]:
    """Pictures of one size, as many as go well together."""
    batch: list[Drawings] = []
    points = 0
    for first, second in drawings:
        _require_one_picture(first, second)
        more = len(first.outlines.points_px) + len(second.outlines.points_px)
        if batch and (points + more > _POINTS_AT_ONCE or first.size_px != batch[0][0].size_px):
            yield batch
            batch, points = [], 0
        batch.append((first, second))
        points += more
    if batch:
        yield batch


def _image_comparison(
    first: DrawnShapes, second: DrawnShapes, overlaps: Overlaps, boundary_fraction: float | None
) -> ImageComparison:
    matches = match_shapes(overlaps)
    rims: Sequence[float | None] = [None] * len(matches)
    if boundary_fraction is not None:
        rims = boundary_ious(first, second, matches, fraction=boundary_fraction)
    of_instances = {
        first.ids[match.first]: second.ids[match.second]
        for match in matches
        if not first.is_surface(match.first)
    }
    return ImageComparison(
        first.image_id,
        _pairs(first, second, overlaps, list(zip(matches, rims, strict=True)), boundary_fraction),
        compare_links(first.links, second.links, of_instances),
    )


def _pairs(
    first: DrawnShapes,
    second: DrawnShapes,
    overlaps: Overlaps,
    matches: Sequence[tuple[Match, float | None]],
    boundary_fraction: float | None,
) -> tuple[ShapePair, ...]:
    """Partners and shapes without one: the one annotation's in its order, then the other's."""
    partner = {match.first: (match.second, match.iou, rim) for match, rim in matches}
    taken = {match.second for match, _ in matches}
    no_rim = None if boundary_fraction is None else 0.0
    image_id, pairs = first.image_id, []
    for k, area_px in enumerate(overlaps.first_area_px.tolist()):
        place, iou, rim = partner.get(k, (None, 0.0, no_rim))
        shape_id, label = (
            (None, None) if place is None else (second.ids[place], second.labels[place])
        )
        role, own = _role(first, k), (first.ids[k], first.labels[k])
        pairs.append(ShapePair(image_id, role, own[0], shape_id, own[1], label, iou, area_px, rim))
    for k, area_px in enumerate(overlaps.second_area_px.tolist()):
        if k not in taken:
            role, own = _role(second, k), (second.ids[k], second.labels[k])
            pairs.append(
                ShapePair(image_id, role, None, own[0], None, own[1], 0.0, area_px, no_rim)
            )
    return tuple(pairs)


def _role(drawn: DrawnShapes, place: int) -> Role:
    return "surface" if drawn.is_surface(place) else "instance"


def _require_one_picture(first: DrawnShapes, second: DrawnShapes) -> None:
    if first.image_id != second.image_id:
        found = f"found {second.image_id!r}"
        raise MiraError(first.image_id, f"expected another annotation of it, {found}")
    if first.size_px != second.size_px:
        one, other = ("{}x{}".format(*drawn.size_px) for drawn in (first, second))
        raise MiraError(
            first.image_id,
            f"expected annotations of one size, found {one} by {first.annotator} "
            f"and {other} by {second.annotator}",
        )
