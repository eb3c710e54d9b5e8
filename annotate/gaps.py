"""What one would expect to find on a picture of a mirror, and what was not drawn."""

from __future__ import annotations

from collections import Counter

from annotate.findings import FindingLog
from mira.schema.annotation import ImageAnnotation


def note_gaps(annotation: ImageAnnotation, log: FindingLog) -> None:
    """Note a picture without surfaces, without reflections, or with undecided reflections."""
    instances = len(annotation.instances)
    reflections = len(annotation.links)
    if instances and not annotation.surfaces:
        message = f"expected a surface, found none beside {instances} instances"
        log.warning("surface-missing", "shapes", message)
    if annotation.surfaces and not reflections and not annotation.lost_reflections:
        log.info("reflection-missing", "shapes", "expected a reflection, found surfaces alone")
    unset = sum(link.counterpart is None for link in annotation.links)
    if unset:
        message = f"nobody has said what {unset} of {reflections} reflections show"
        log.info("link-unset", "shapes", message)


def categories_of(annotation: ImageAnnotation) -> Counter[str]:
    """Labels that were taken as a category, as our convention writes them, by instances."""
    return Counter(
        f"{instance.category}_reflection"
        if instance.visibility == "reflected"
        else instance.category
        for instance in annotation.instances
        if instance.category is not None
    )
