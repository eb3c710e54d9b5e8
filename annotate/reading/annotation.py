"""One annotation document as the record of one picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from shapely.errors import GEOSException

from annotate.findings import FindingLog, Refused, UnusableFileError, brief
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.reading.claims import common_answer
from annotate.reading.document import Document
from annotate.reading.labels import parse_label
from annotate.reading.linking import resolve_links
from annotate.reading.origin import source_of
from annotate.reading.owners import Owner, gather_owners
from annotate.reading.shapes import DrawnShape, ShapeReader
from annotate.reading.values import is_unset, parse_id
from mira.geometry.mask import area_of_rle, rle_from_polygons
from mira.geometry.polygon import Region
from mira.geometry.region import join, rings_without_holes
from mira.schema.annotation import ImageAnnotation, Instance, Surface
from mira.schema.record import FileRef

Json = dict[str, Any]

_STATUS: dict[str, Literal["draft", "done", "failed"]] = {
    "true": "done",
    "false": "draft",
    "failed": "failed",
}


class Subject(NamedTuple):
    """What an annotation is of, and by whom."""

    image_id: str
    annotator: str
    size_px: tuple[int, int]
    """Width and height of the picture as stored."""
    file: FileRef
    """The annotation file."""


def read_annotation(
    document: Document,
    subject: Subject,
    *,
    log: FindingLog,
    policy: AnnotationPolicy,
    links: LinksMode = "attributes",
) -> ImageAnnotation:
    """The annotation that a document holds, less what is at fault in it.

    Args:
        document: A decoded file.
        subject: The picture and the annotator.
        log: Takes a finding for everything that was left out or read with a doubt.
        policy: Thresholds.
        links: How links are written.

    Raises:
        UnusableFileError: The document has shapes and every one is at fault.
    """
    raw_shapes = document.data["shapes"]
    reader = ShapeReader(size_px=subject.size_px, policy=policy, log=log)
    read = (reader.read(shape, index) for index, shape in enumerate(raw_shapes))
    shapes = [shape for shape in read if shape is not None]
    drawn_ids = _drawn_ids(raw_shapes)
    owners = gather_owners(shapes, taken=drawn_ids | _linked_ids(shapes), links=links, log=log)
    regions = _regions(owners, subject.size_px, log)
    owners = tuple(owner for owner in owners if owner.id in regions)
    ignored = [shape for shape in shapes if shape.role == "ignore"]
    if raw_shapes and not owners and not ignored:
        message = f"expected a usable shape, found none in {len(raw_shapes)}"
        raise UnusableFileError(log.path, "shapes", message, code="no-usable-shape")
    left_out = drawn_ids - {owner.id for owner in owners} - {shape.group_id for shape in ignored}
    found = resolve_links(owners, left_out=left_out, log=log)
    return ImageAnnotation(
        image_id=subject.image_id,
        annotator=subject.annotator,
        revision=1,
        status=_status(document.data.get("checked"), log),
        width_px=subject.size_px[0],
        height_px=subject.size_px[1],
        surfaces=tuple(
            _surface(owner, regions[owner.id], log) for owner in owners if owner.role == "surface"
        ),
        instances=tuple(
            _instance(owner, regions[owner.id], found.seen_in.get(owner.id, ()))
            for owner in owners
            if owner.role != "surface"
        ),
        links=found.correspondences,
        lost_reflections=_lost_reflections(raw_shapes, owners, ignored),
        ignored_px=tuple(ring for shape in ignored for ring in rings_without_holes(shape.region)),
        source=source_of(document, subject.file, owners, ignored, log),
    )


def _lost_reflections(
    raw_shapes: Sequence[Any], owners: Iterable[Owner], ignored: Iterable[DrawnShape]
) -> int:
    """Shapes left out that are reflections, or whose label does not tell; twins do not count."""
    kept = {shape.place for owner in owners for shape in (*owner.shapes, *owner.holes)}
    kept |= {shape.place for shape in ignored}
    drawn = [raw_shapes[place].get("points") for place in sorted(kept)]
    lost = (shape for place, shape in enumerate(raw_shapes) if place not in kept)
    return sum(
        _may_be_reflection(shape)
        for shape in lost
        if not (isinstance(shape, dict) and shape.get("points") in drawn)
    )


def _may_be_reflection(shape: Any) -> bool:
    if not isinstance(shape, dict):
        return True
    try:
        return parse_label(shape.get("label"), "label").may_be_reflection
    except Refused:
        return True


def _drawn_ids(raw_shapes: Iterable[Any]) -> frozenset[int]:
    """Ids of all shapes, of those at fault too."""
    ids = (parse_id(shape.get("group_id")) for shape in raw_shapes if isinstance(shape, dict))
    return frozenset(number for number in ids if number is not None)


def _linked_ids(shapes: Iterable[DrawnShape]) -> frozenset[int]:
    """Ids that links name: a shape that is given an id must not become their target."""
    answers = (answer for shape in shapes for answer in shape.answers.values())
    pairs = (number for shape in shapes for pair in shape.pairs for number in pair)
    return frozenset(answer for answer in answers if isinstance(answer, int)) | frozenset(pairs)


def _regions(
    owners: Iterable[Owner], size_px: tuple[int, int], log: FindingLog
) -> dict[int, Region]:
    """The region of each owner, less those of which holes leave nothing."""
    width, height = size_px
    regions = {}
    for owner in owners:
        if len(owner.shapes) == 1 and not owner.holes:
            regions[owner.id] = owner.shapes[0].region
            continue
        try:
            region = join(
                [shape.region for shape in owner.shapes], [hole.region for hole in owner.holes]
            )
        except GEOSException as error:
            where = f"{owner.shapes[0].where}.points"
            log.error("geometry-failed", where, f"expected polygons that can be joined: {error}")
            continue
        if owner.holes:
            mask = rle_from_polygons(region.parts, region.holes, width_px=width, height_px=height)
            if not area_of_rle(mask):
                where = f"{owner.holes[0].where}.points"
                log.error("area-empty", where, f"leaves nothing of {owner.id}, which is left out")
                continue
        regions[owner.id] = region
    return regions


def _surface(owner: Owner, region: Region, log: FindingLog) -> Surface:
    return Surface(
        surface_id=owner.id,
        surface_type=common_answer(owner, "surface_type", log),
        polygons_px=region.parts,
        holes_px=region.holes,
    )


def _instance(owner: Owner, region: Region, seen_in: tuple[int, ...]) -> Instance:
    return Instance(
        instance_id=owner.id,
        visibility="reflected" if owner.role == "reflected" else "direct",
        seen_in=seen_in,
        polygons_px=region.parts,
        holes_px=region.holes,
        description=owner.description,
        category=owner.category,
    )


def _status(checked: Any, log: FindingLog) -> Literal["draft", "done", "failed"]:
    if is_unset(checked):
        return "draft"
    status = _STATUS.get(str(checked).strip().casefold())
    if status is None:
        message = f"expected true, false or 'failed', found {brief(checked)}; read as false"
        log.warning("checked-invalid", "checked", message)
    return status or "draft"
