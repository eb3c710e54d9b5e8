"""Entries of a published file as items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from mira.published.records import PublishedQuestion
from mira.published.vocabulary import known_templates, protocol_of
from mira.schema.finding import Finding
from mira.schema.qa import Wording
from qa_gen.published.entry_fields import (
    UnfitEntryError,
    answer_of,
    choices_of,
    direction_of,
    id_without_style,
    joint_group_of,
    options_of,
    sentence_and_texts,
    slots_of,
)
from qa_gen.published.reading import NumberedQuestion
from qa_gen.published.records import PublishedItem


class PublishedItems(NamedTuple):
    """Items of a file, and what could not be read as one."""

    items: tuple[PublishedItem, ...]
    findings: tuple[Finding, ...]


def published_items(questions: Iterable[NumberedQuestion], *, where: str) -> PublishedItems:
    """The items that entries of a file ask, in the order of their first entries.

    Args:
        questions: Entries with their places in the file.
        where: The file, named in findings.

    Returns:
        Items, and a finding for each entry that was left out and why.
    """
    drafts: dict[str, list[PublishedItem]] = defaultdict(list)
    findings: list[Finding] = []
    for number, question in questions:
        try:
            item = _item_of(question)
            _require_alike(drafts[item.item_id], item)
            drafts[item.item_id].append(item)
        except UnfitEntryError as unfit:
            findings.append(
                Finding(
                    code="entry-unfit",
                    severity="error",
                    path=where,
                    where=f"[{number}].{unfit.field}",
                    message=unfit.message,
                )
            )
    items = tuple(_joined(entries) for entries in drafts.values() if entries)
    return PublishedItems(items, tuple(findings))


def _item_of(question: PublishedQuestion) -> PublishedItem:
    """The item of one entry, with the one wording of its style."""
    if question.template_id not in known_templates():
        raise UnfitEntryError(
            "template_id", f"expected one of the taxonomy, found {question.template_id!r}"
        )
    protocol = protocol_of(question.referring_style)
    if protocol is None:
        raise UnfitEntryError(
            "referring_style",
            f"expected a style that the taxonomy has, found {question.referring_style!r}",
        )
    choices = choices_of(question)
    sentence, texts = sentence_and_texts(question, choices)
    options = options_of(question, choices)
    shown = [option.label for option in options] if options else []
    return PublishedItem(
        item_id=question.original_question_id or id_without_style(question),
        template_id=question.template_id,
        image_id=PurePosixPath(question.image_name).stem,
        direction=direction_of(question),
        slots=slots_of(question),
        options=options,
        answer=answer_of(question, choices, shown),
        joint_group=joint_group_of(question),
        wordings=(Wording(protocol=protocol, question=sentence, option_texts=texts),),
    )


def _require_alike(earlier: list[PublishedItem], item: PublishedItem) -> None:
    """Refuse an entry that says anything else of its item than the entries before it."""
    if not earlier:
        return
    known = {wording.protocol for one in earlier for wording in one.wordings}
    if item.wordings[0].protocol in known:
        raise UnfitEntryError("referring_style", "expected one entry a style, found two of it")
    for field in ("template_id", "image_id", "direction", "slots", "options", "answer"):
        first, other = getattr(earlier[0], field), getattr(item, field)
        if first != other:
            raise UnfitEntryError(
                field if field in ("template_id", "answer") else "original_question_id",
                f"expected the {field} of the entries of this item before it, found another",
            )


def _joined(entries: list[PublishedItem]) -> PublishedItem:
    wordings = tuple(entry.wordings[0] for entry in entries)
    return entries[0].model_copy(update={"wordings": wordings})
