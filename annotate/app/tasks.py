"""A question as the page shows it, and corrections as the page sends them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from annotate.app.reasons import reasons
from annotate.app.words import answer_words, modalities_view, wordings_view
from annotate.desk.replies import axis_words
from annotate.desk.reviewing import Task
from mira.errors import DeskError
from mira.schema.qa import Answer, ItemEdit, QAItem, ReviewEvent
from mira.schema.record import describe_fault
from mira.taxonomy.catalogue import taxonomy


class EditWanted(BaseModel):
    """What a person would have a question say; what is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    answer: dict[str, Any] | None = None
    """Fields of the answer, in the question's own format."""
    wordings: dict[str, str] = {}
    """Sentence by protocol."""


def edit_of(item: QAItem, wanted: EditWanted) -> ItemEdit | None:
    """A correction of a question; None where nothing would change.

    Raises:
        DeskError: It names another protocol, is no answer of its format, or says nothing.
    """
    answer = _answer(item, wanted.answer) if wanted.answer is not None else item.answer
    known = {one.protocol for one in item.wordings}
    if not wanted.wordings.keys() <= known or any(not t.strip() for t in wanted.wordings.values()):
        raise DeskError(item.item_id, "expected a sentence for each way of asking", code="bad-edit")
    wordings = tuple(
        one.model_copy(update={"question": wanted.wordings.get(one.protocol, one.question).strip()})
        for one in item.wordings
    )
    changed = {
        "answer": answer if answer != item.answer else None,
        "wordings": wordings if wordings != item.wordings else None,
    }
    return ItemEdit(**changed) if any(changed.values()) else None


def _answer(item: QAItem, fields: Mapping[str, Any]) -> Answer:
    try:
        edit = ItemEdit.model_validate({"answer": {**fields, "format": item.answer.format}})
    except ValidationError as error:
        raise DeskError(item.item_id, describe_fault(error), code="bad-edit") from None
    assert edit.answer is not None
    return edit.answer


def task_view(task: Task, scene: dict[str, Any]) -> dict[str, Any]:
    """A question on a desk, as the page shows it.

    Args:
        task: The question.
        scene: What the viewer is given of its picture.
    """
    item = task.item
    template = taxonomy().template(item.template_id)
    return {
        "kind": task.kind,
        "item_id": item.item_id,
        "shown": task.item_sha8,
        "template_id": item.template_id,
        "subtask": taxonomy().subtask(template.subtask).name,
        "image_id": item.image_id,
        "wordings": wordings_view(item.wordings, item.marks),
        "modalities": modalities_view(has_depth=bool(scene["depth_url"])),
        "options": [option.model_dump(mode="json") for option in item.options],
        "answer": item.answer.model_dump(mode="json"),
        "answer_words": answer_words(item.answer),
        "axes": axis_words(),
        "marks": [mark.model_dump(mode="json") for mark in item.marks],
        "reasons": reasons(item),
        "verdicts": [_verdict(event, item) for event in task.verdicts],
        "draft": task.draft,
        "draft_seq": task.draft_seq,
        "scene": scene,
    }


def _verdict(event: ReviewEvent, item: QAItem) -> dict[str, Any]:
    edit = event.edit
    before = {one.protocol: one.question for one in item.wordings}
    changed = edit.wordings if edit and edit.wordings else ()
    return {
        "reviewer": event.reviewer,
        "verdict": event.verdict,
        "reason": event.reason,
        "doubts": list(event.doubts),
        "answer": edit.answer.model_dump(mode="json") if edit and edit.answer else None,
        "answer_words": answer_words(edit.answer) if edit and edit.answer else None,
        "wordings": {
            one.protocol: one.question
            for one in changed
            if one.question != before.get(one.protocol)
        },
    }
