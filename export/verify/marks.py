"""Marks of questions against the instances that they point at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from export.verify.findings import finding
from export.verify.pictures import PictureFacts
from export.verify.rows import QuestionRow
from mira.schema.finding import Finding
from mira.taxonomy.catalogue import TaskTemplate, taxonomy


def check_marks(
    release: Path, question: QuestionRow, template: TaskTemplate, picture: PictureFacts
) -> Iterator[Finding]:
    """Boxes elsewhere than their instance, slots and candidates that do not fit the question."""
    where = question.question_id
    for mark in question.marks:
        x1, y1, x2, y2 = mark.box_xyxy_px
        inside = 0 <= x1 < x2 <= picture.width_px and 0 <= y1 < y2 <= picture.height_px
        box = picture.boxes[mark.instance_id]
        if mark.box_xyxy_px != box:
            message = f"expected the box {box} of instance {mark.instance_id}, found "
            yield finding("mark-box", release, where, f"{message}{mark.box_xyxy_px}")
        elif not inside:
            message = f"expected a box inside the picture, found {mark.box_xyxy_px}"
            yield finding("mark-box", release, where, message)
    repeated = [k for k, n in Counter(mark.instance_id for mark in question.marks).items() if n > 1]
    if repeated:
        yield finding("marks", release, where, f"points at {repeated} more than once")
    if fault := _slot_fault(question, template, picture) or _candidate_fault(question, template):
        yield finding("marks", release, where, fault)


def _slot_fault(question: QuestionRow, template: TaskTemplate, picture: PictureFacts) -> str | None:
    names = sorted(mark.label for mark in question.slots)
    if names != sorted(template.slots):
        return f"expected the slots {sorted(template.slots)}, found {names}"
    for mark in question.slots:
        wanted = template.slots[mark.label]
        is_reflected = mark.instance_id in picture.sightings.reflected
        if wanted != "any" and is_reflected != (wanted == "reflected"):
            return f"expected a {wanted} instance as {mark.label}, found {mark.instance_id}"
    return None


def _candidate_fault(question: QuestionRow, template: TaskTemplate) -> str | None:
    """Candidates stand in the order of the options, whose labels and values they are."""
    found = [(mark.label, str(mark.instance_id)) for mark in question.candidates]
    offers = template.options is not None and template.options not in taxonomy().option_sets
    expected = [(o.label, o.value) for o in question.options] if offers else []
    if found == expected:
        return None
    return f"expected as candidates {expected}, as the options are, found {found}"
