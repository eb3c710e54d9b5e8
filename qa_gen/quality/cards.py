"""Examples as cards of the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from mira.schema.qa import AxesAnswer, QAItem
from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.examples import Example
from qa_gen.quality.reading import axis_words, right_option

SOURCE_WORDS = {
    "annotator": "a person",
    "auto": "labels and geometry",
    "simulated": "a simulator",
}
"""Who gave an answer, for people."""


def decks_of(examples: Sequence[Example]) -> list[dict[str, Any]]:
    """Cards by template, in the taxonomy's order."""
    order = {row.id: place for place, row in enumerate(taxonomy().templates)}
    ordered = sorted(examples, key=lambda one: (order[one.item.template_id], one.item.item_id))
    return [
        {
            "template_id": template_id,
            "subtask": taxonomy().subtask(taxonomy().template(template_id).subtask).name,
            "cards": [_card(example) for example in cards],
        }
        for template_id, cards in groupby(ordered, key=lambda one: one.item.template_id)
    ]


def _card(example: Example) -> dict[str, Any]:
    item, wording = example.item, example.wording
    texts = wording.option_texts if wording else ()
    right = right_option(item)
    return {
        "example": example,
        "item": item,
        "question": wording.question if wording else "",
        "options": [
            (option.label, texts[k] if k < len(texts) else option.value, option is right)
            for k, option in enumerate(item.options)
        ],
        "answer": answer_text(item),
        "source": SOURCE_WORDS[item.source],
        "unit": item.derivation.parameters.get("margin_unit") or "",
    }


def answer_text(item: QAItem) -> str:
    """The right answer for people."""
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return ", ".join(axis_words(answer)).replace("_", " ")
    text = getattr(answer, "text", None)
    return f"{answer.value}: {text}" if text else str(answer.value)
