"""Items as entries of a published file."""

from __future__ import annotations

from typing import Any, NamedTuple

from mira.published.records import PublishedQuestion
from mira.published.vocabulary import (
    DIRECTION_SLOT,
    PLAIN_STYLE,
    TEXT_SLOT,
    axis_choices,
    category_of,
    format_axes,
    needs_of,
    subcategory_of,
)
from mira.schema.qa import (
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    QAItem,
    Wording,
)
from mira.taxonomy.catalogue import taxonomy


class MarkedPictures(NamedTuple):
    """Files that show what an item points at, from the folder of `questions.json` on."""

    rgb: str | None = None
    depth: str | None = None
    rgb_mirror: str | None = None
    depth_mirror: str | None = None
    mask: str | None = None


def published_questions(
    item: QAItem, *, image_name: str, marked: MarkedPictures
) -> tuple[PublishedQuestion, ...]:
    """The entries of an item, one a referring style.

    An item that points at nothing has one entry, whatever the number of its wordings.

    Args:
        item: What is asked.
        image_name: File of its picture.
        marked: Pictures with what it points at.
    """
    wordings = item.wordings if item.marks else item.wordings[:1]
    return tuple(_entry(item, wording, image_name, marked) for wording in wordings)


def option_lines(labels: tuple[str, ...], texts: tuple[str, ...]) -> str:
    """Options that stand below a question, one a line."""
    return "".join(f"\n{label}. {text}" for label, text in zip(labels, texts, strict=True))


def names_candidates(item: QAItem) -> bool:
    """Whether the options of an item are objects that carry letters in its pictures."""
    return any(mark.role == "candidate" for mark in item.marks)


def _entry(
    item: QAItem, wording: Wording, image_name: str, marked: MarkedPictures
) -> PublishedQuestion:
    style = wording.protocol if item.marks else PLAIN_STYLE
    pointing = taxonomy().protocol(wording.protocol)
    shown = marked if pointing.drawn_box else MarkedPictures()
    needs = needs_of(item)
    slots = [mark for mark in item.marks if mark.role == "slot"]
    others = [mark for mark in item.marks if mark.role == "candidate"]
    return PublishedQuestion(
        question_id=f"{item.template_id}-{_own_part(item)}-{style}",
        original_question_id=item.item_id,
        image_name=image_name,
        category=category_of(item.template_id),
        subcategory=subcategory_of(item.template_id),
        template_id=item.template_id,
        question_type=item.answer.format,
        referring_style=style,
        requires_mirror_reasoning=needs.mirror_reasoning,
        requires_depth=needs.depth,
        question=_question(item, wording),
        choices=list(_choices(item, wording)),
        answer=_answer(item, wording),
        target_objects=tuple(str(mark.instance_id) for mark in slots[:1]),
        related_objects=tuple(str(mark.instance_id) for mark in (*slots[1:], *others)),
        slot_values=_slot_values(item),
        rgb_bbox_path=shown.rgb,
        depth_bbox_path=shown.depth,
        rgbm_bbox_path=shown.rgb_mirror,
        depthm_bbox_path=shown.depth_mirror,
        mask_path=marked.mask if pointing.mask_picture else None,
    )


def _own_part(item: QAItem) -> str:
    """What tells an item from others of its template.

    Published tools find the three questions of visibility that count together by an id that
    differs in the template alone.
    """
    return item.joint_group or item.item_id.removeprefix(f"{item.template_id}-")


def _question(item: QAItem, wording: Wording) -> str:
    if not names_candidates(item):
        return wording.question
    labels = tuple(option.label for option in item.options)
    return wording.question + option_lines(labels, wording.option_texts)


def _choices(item: QAItem, wording: Wording) -> tuple[str, ...]:
    """Every answer that counts, as published tools compare it: letter by letter."""
    labels = tuple(option.label for option in item.options)
    if isinstance(item.answer, AxesAnswer):
        return axis_choices()
    if isinstance(item.answer, CountAnswer):
        return ()
    if isinstance(item.answer, ChoiceTextAnswer):
        return tuple(
            f"{label}. {text}" for label, text in zip(labels, wording.option_texts, strict=True)
        )
    if isinstance(item.answer, ChoiceAnswer) and not names_candidates(item):
        return wording.option_texts
    return labels


def _answer(item: QAItem, wording: Wording) -> str:
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return format_axes(answer)
    if isinstance(answer, ChoiceAnswer | ChoiceTextAnswer):
        labels = [option.label for option in item.options]
        return _choices(item, wording)[labels.index(answer.value)]
    return str(answer.value)


def _slot_values(item: QAItem) -> dict[str, Any]:
    values = {mark.label: str(mark.instance_id) for mark in item.marks if mark.role == "slot"}
    if item.direction is not None:
        values[DIRECTION_SLOT] = item.direction
    if isinstance(item.answer, ChoiceTextAnswer) and item.answer.text is not None:
        values[TEXT_SLOT] = item.answer.text
    return values
