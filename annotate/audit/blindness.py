"""Whether a drawing was made anew, or carries shapes that somebody drew before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from annotate.audit.handed_in import Refusal
from annotate.audit.turns import stored_as
from mira.schema.annotation import ImageAnnotation, Instance, Point, Ring, Surface
from mira.schema.audit import AuditPolicy, BatchState
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress

_BLIND: frozenset[BatchState] = frozenset({"auditing", "reannotating", "reauditing"})
"""States in which nobody may know what was drawn before; known answers are hidden in all."""


def refuse_copied(
    book: AuditBook, progress: BatchProgress, drawn: Mapping[str, ImageAnnotation]
) -> dict[str, Refusal]:
    """The drawings of a batch that were not made blind, with the reason, by image.

    Args:
        book: The audit.
        progress: The batch, in the state in which they were drawn.
        drawn: Annotations by image.
    """
    part = progress.now
    refusals = {}
    for name, annotation in drawn.items():
        if part.step.state not in _BLIND and name not in part.hidden:
            continue
        earlier = _earlier(book, progress, name)
        if found := find_copied(annotation, earlier, policy=progress.batch.policy):
            message = f"expected a drawing made blind; {found}"
            refusals[name] = Refusal(kind="copied", where=name, message=message)
    return refusals


def _earlier(book: AuditBook, progress: BatchProgress, image_id: str) -> list[ImageAnnotation]:
    """All that others drew on an image, and the person in another state."""
    own = stored_as(progress, progress.now, image_id)
    names = (name for name in book.workspace.annotators(image_id) if name != own)
    others = (book.workspace.annotation(image_id, name) for name in names)
    submitted = [
        book.read_drawing(part.drawings[image_id])
        for part in progress.steps[:-1]
        if image_id in part.drawings
    ]
    return [*(drawn for drawn in others if drawn is not None), *submitted]


def find_copied(
    drawn: ImageAnnotation, earlier: Iterable[ImageAnnotation], *, policy: AuditPolicy
) -> str | None:
    """What of a drawing was there before, in words; None for one that was made anew.

    Nobody puts the points of an outline where somebody else did. Boxes alone may agree by
    coincidence, and rings along the picture's edge say nothing.

    Args:
        drawn: The drawing.
        earlier: Others' drawings of the same picture.
        policy: From which number of points, or which share of rings, it is no coincidence.
    """
    rings = set(_telling_rings(drawn))
    has_shapes = bool(drawn.surfaces or drawn.instances)
    for other in earlier:
        if has_shapes and drawn.source.file.sha256 == other.source.file.sha256:
            return "the file is one that was handed in before"
        equal = rings.intersection(_telling_rings(other))
        rich = sum(len(ring) >= policy.copied_ring_points for ring in equal)
        if rich:
            return f"{rich} of {len(rings)} outlines are point for point those of an earlier file"
        if equal and len(equal) > policy.max_copied_fraction * len(rings):
            return f"{len(equal)} of {len(rings)} outlines are those of an earlier file"
    return None


def _telling_rings(annotation: ImageAnnotation) -> Iterator[Ring]:
    """All rings but those along the picture's edge, each from a point of its own and one way."""
    size_px = (annotation.width_px, annotation.height_px)
    shapes: tuple[Surface | Instance, ...] = (*annotation.surfaces, *annotation.instances)
    for shape in shapes:
        for ring in (*shape.polygons_px, *shape.holes_px):
            if not all(_is_on_edge(point, size_px) for point in ring):
                yield _in_one_form(ring)


def _is_on_edge(point: Point, size_px: tuple[int, int]) -> bool:
    return any(value in (0, limit) for value, limit in zip(point, size_px, strict=True))


def _in_one_form(ring: Ring) -> Ring:
    """The ring from its least point on, in the direction whose next point is the lesser."""
    first = ring.index(min(ring))
    forth = (*ring[first:], *ring[:first])
    back = (forth[0], *reversed(forth[1:]))
    return min(forth, back)
