"""All checks of what an annotation says against what a mirror can show."""

from __future__ import annotations

from annotate.findings import FindingLog
from annotate.plausibility.categories import doubt_categories
from annotate.plausibility.containment import doubt_containment
from annotate.plausibility.directions import doubt_directions
from annotate.plausibility.doubts import Doubt, fields_of
from annotate.plausibility.emptiness import doubt_emptiness
from annotate.plausibility.layout import Layout
from annotate.plausibility.occlusion import doubt_occlusion
from annotate.plausibility.policy import PlausibilityPolicy
from annotate.plausibility.sizes import doubt_sizes
from mira.schema.annotation import ImageAnnotation


def check_plausibility(
    annotation: ImageAnnotation, *, policy: PlausibilityPolicy
) -> tuple[Doubt, ...]:
    """What in an annotation is not as a mirror would show it.

    Outlines, links and types alone are looked at: no picture and no depth, which can tell more
    where it is metric. Nothing is wrong for certain, so nothing is left out; what is unset is not
    doubted.

    Args:
        annotation: A picture's annotation, all of it.
        policy: Bounds.

    Returns:
        One doubt for each instance, link or surface that wants a look, check by check.
    """
    layout = Layout(annotation)
    return (
        *doubt_containment(layout, policy),
        *doubt_occlusion(layout, policy),
        *doubt_emptiness(layout, lost_reflections=annotation.lost_reflections),
        *doubt_categories(layout, annotation.links),
        *doubt_sizes(layout, annotation.links, policy),
        *doubt_directions(layout, annotation.links, policy),
    )


def note_doubts(
    annotation: ImageAnnotation, log: FindingLog, *, policy: PlausibilityPolicy
) -> None:
    """Note all doubts at the shapes that they are about."""
    doubts = check_plausibility(annotation, policy=policy)
    if not doubts:
        return
    fields = fields_of(annotation)
    for doubt in doubts:
        note = log.info if doubt.severity == "info" else log.warning
        note(doubt.code, fields[doubt.owner_id], doubt.message)
