"""What comparing needs of an annotation, in flat arrays, and read without the rest.

A workspace's records were checked when they were written. To compare thousands of them again it is
enough to take the outlines, ids, labels and links; a record in which any of these is out of the
ordinary is read as a whole, which says what is wrong with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import orjson

from mira.geometry.outlines import Outlines, outlines_of
from mira.geometry.polygon import Region
from mira.schema.annotation import ImageAnnotation

UNSET = "unset"
"""Label of a surface whose type nobody chose."""

Json = Any
_UNUSUAL = (ValueError, TypeError, LookupError, AttributeError, RuntimeError)
"""What parsers, and code that takes a record for one of ours, raise at something else."""


class DrawnLink(NamedTuple):
    """What an annotator says of a reflection."""

    reflected_id: int
    """The reflection."""
    shows: int | None
    """The real instance at the end, or the reflection that is named where no real one is."""
    counterpart: str | None
    """`in_frame`, `out_of_frame` or `ambiguous`; None while nobody decided."""


class DrawnShapes(NamedTuple):
    """An annotation's shapes: surfaces, then instances, each by id as in the record."""

    image_id: str
    """The picture."""
    annotator: str
    """Who drew."""
    size_px: tuple[int, int]
    """Width and height of the picture."""
    n_surfaces: int
    """How many of the shapes are surfaces."""
    ids: tuple[int, ...]
    """Each shape's id."""
    labels: tuple[str, ...]
    """Type of a surface, visibility of an instance."""
    outlines: Outlines
    """Each shape's area."""
    links: tuple[DrawnLink, ...]
    """What reflections show."""

    def is_surface(self, place: int) -> bool:
        """Whether a shape is a surface."""
        return place < self.n_surfaces


def drawn_shapes_of(annotation: ImageAnnotation) -> DrawnShapes:
    """The shapes of an annotation."""
    surfaces, instances = annotation.surfaces, annotation.instances
    return DrawnShapes(
        annotation.image_id,
        annotation.annotator,
        (annotation.width_px, annotation.height_px),
        len(surfaces),
        (*(s.surface_id for s in surfaces), *(i.instance_id for i in instances)),
        (*(s.surface_type or UNSET for s in surfaces), *(i.visibility for i in instances)),
        outlines_of(
            [Region(shape.polygons_px, shape.holes_px) for shape in surfaces]
            + [Region(shape.polygons_px, shape.holes_px) for shape in instances]
        ),
        tuple(
            DrawnLink(
                link.reflected_id,
                link.real_id if link.real_id is not None else link.reflection_of_id,
                link.counterpart,
            )
            for link in annotation.links
        ),
    )


def parse_drawn_shapes(data: bytes, *, where: str) -> DrawnShapes:
    """The shapes of an annotation's record.

    Args:
        data: The record as a workspace holds it.
        where: Named in errors, usually the file.

    Raises:
        RecordError: It is no such record.
    """
    try:
        return _PARSE(data)
    except _UNUSUAL:
        return drawn_shapes_of(ImageAnnotation.from_json(data, where=where))


def _parse_plainly(data: bytes) -> DrawnShapes:
    return _shapes(orjson.loads(data), lambda ring: array("d", chain.from_iterable(ring)).tobytes())


def _parser() -> Callable[[bytes], DrawnShapes]:
    """Without Python's numbers where the library for that is there: six times as fast."""
    try:
        import simdjson
    except ImportError:
        return _parse_plainly

    def parse(data: bytes) -> DrawnShapes:
        return _shapes(
            simdjson.Parser().parse(data), lambda ring: bytes(ring.as_buffer(of_type="d"))
        )

    return parse


_PARSE = _parser()


def _shapes(record: Json, flat: Callable[[Json], bytes]) -> DrawnShapes:
    """The shapes of a parsed record.

    Args:
        record: The record; text, numbers and null in it are Python's.
        flat: Gives the coordinates of a ring as doubles.

    It raises one of `_UNUSUAL` where the record is not as we write it.
    """
    _require(record["schema_version"] == ImageAnnotation.CURRENT_VERSION)
    surfaces, instances = list(record["surfaces"]), list(record["instances"])
    shapes = [*surfaces, *instances]
    ids = (*(s["surface_id"] for s in surfaces), *(i["instance_id"] for i in instances))
    labels = (
        *(UNSET if (kind := s["surface_type"]) is None else kind for s in surfaces),
        *(i["visibility"] for i in instances),
    )
    links = tuple(_link(link) for link in record["links"])
    found = DrawnShapes(
        record["image_id"],
        record["annotator"],
        (record["width_px"], record["height_px"]),
        len(surfaces),
        ids,
        labels,
        _outlines(shapes, flat),
        links,
    )
    _require(set(map(type, (*ids, *found.size_px))) <= {int})
    _require(set(map(type, (*labels, found.image_id, found.annotator))) <= {str})
    _require(len(set(ids)) == len(ids))
    _require({link.reflected_id for link in links} <= set(ids))
    return found


def _link(link: Json) -> DrawnLink:
    real_id = link["real_id"]
    shows = link["reflection_of_id"] if real_id is None else real_id
    return DrawnLink(link["reflected_id"], shows, link["counterpart"])


def _outlines(shapes: Sequence[Json], flat: Callable[[Json], bytes]) -> Outlines:
    rings: list[Json] = []
    owner: list[int] = []
    is_hole: list[bool] = []
    for place, shape in enumerate(shapes):
        parts, holes = shape["polygons_px"], shape["holes_px"]
        rings += parts
        rings += holes
        owner += [place] * (len(parts) + len(holes))
        is_hole += [False] * len(parts) + [True] * len(holes)
    lengths = np.array([len(ring) for ring in rings], np.int64)
    points = np.frombuffer(b"".join(map(flat, rings))).reshape(-1, 2)
    _require(len(points) == lengths.sum() and bool((lengths >= 3).all()))
    _require(bool(np.isfinite(points).all()))
    return Outlines(
        points, lengths, np.array(owner, np.int64), np.array(is_hole, bool), len(shapes)
    )


def _require(is_so: bool) -> None:
    if not is_so:
        raise ValueError("is not as we write it")
