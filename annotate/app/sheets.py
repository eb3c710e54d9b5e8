"""Open questions as the page of authors shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotate.app.words import answer_words, modalities_view, wordings_view
from annotate.desk.answering import Sheet
from annotate.desk.replies import axis_words
from mira.schema.proposal import OpenQuestion, PersonAnswer, Proposal
from mira.schema.qa import Mark, QAItem
from mira.taxonomy.catalogue import taxonomy

_FLAGS = {
    "behind_camera": "a position that matters lies behind the camera",
    "link_denied": "geometry denies a link that it rests on",
    "unseen_space": "it depends on space that the picture does not show",
}


def catalogue_view() -> dict[str, Any]:
    """Templates and ways of showing them, as they are in every picture."""
    return {
        "templates": [
            {
                "id": one.id,
                "subtask": taxonomy().subtask(one.subtask).name,
                "format": one.format,
                "slots": one.slots,
                "directions": list(taxonomy().directions[one.directions]) if one.directions else [],
            }
            for one in taxonomy().templates
        ],
        "axes": axis_words(),
    }


def sheet_view(sheet: Sheet, scene: dict[str, Any]) -> dict[str, Any]:
    """A picture and what may be asked of it; sentences come one by one."""
    return {
        "image_id": sheet.image_id,
        "shown": sheet.questions[0].annotation_sha256,
        "scene": scene,
        "questions": [_listed(one, sheet) for one in sheet.questions],
        "described": sheet.described,
        "modalities": modalities_view(has_depth=bool(scene["depth_url"])),
        "draft": sheet.draft,
        "draft_seq": sheet.draft_seq,
    }


def _listed(question: OpenQuestion, sheet: Sheet) -> dict[str, Any]:
    return {
        "item_id": question.item_id,
        "template_id": question.template_id,
        "slots": question.slots,
        "direction": question.direction,
        "choices": list(question.choices),
        "proposal": _proposed(question.proposal) if question.proposal else None,
        "mine": _mine(sheet.answers.get(question.item_id)),
        "others": question.item_id in sheet.answered,
    }


def _proposed(proposal: Proposal) -> dict[str, Any]:
    answer = proposal.answer
    return {
        "answer": answer.model_dump(mode="json", exclude={"format"}) if answer else None,
        "words": answer_words(answer) if answer else None,
        "reason": proposal.reason,
        "margin": proposal.margin,
        "margin_unit": proposal.margin_unit,
        "close_call": proposal.close_call,
        "warnings": [_FLAGS[flag] for flag in proposal.flags],
    }


def _mine(answer: PersonAnswer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    said = answer.answer.model_dump(mode="json", exclude={"format"})
    return {"answer": said, "words": answer_words(answer.answer), "note": answer.note}


def question_view(question: OpenQuestion) -> dict[str, Any]:
    """An open question in words."""
    return {
        "item_id": question.item_id,
        "wordings": wordings_view(question.wordings, question.marks),
        "marks": _marks(question.marks),
        "options": [],
        "answer": None,
    }


def item_view(item: QAItem) -> dict[str, Any]:
    """A question as it will be asked."""
    return {
        "item_id": item.item_id,
        "wordings": wordings_view(item.wordings, item.marks),
        "marks": _marks(item.marks),
        "options": [option.model_dump(mode="json") for option in item.options],
        "answer": item.answer.model_dump(mode="json"),
    }


def _marks(marks: Iterable[Mark]) -> list[dict[str, Any]]:
    return [mark.model_dump(mode="json") for mark in marks]
