"""Answers and sentences in words, as every page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mira.schema.qa import Answer, AxesAnswer, ChoiceTextAnswer, CountAnswer, Mark, Wording
from mira.taxonomy.catalogue import taxonomy

AXES = ("horizontal", "vertical", "depth")


def answer_words(answer: Answer) -> str:
    """An answer in words."""
    if isinstance(answer, AxesAnswer):
        return ", ".join(getattr(answer, axis).replace("_", " ") for axis in AXES)
    if isinstance(answer, ChoiceTextAnswer) and answer.text:
        return f"{answer.value.replace('_', ' ')}: {answer.text}"
    if isinstance(answer, CountAnswer):
        return str(answer.value)
    return answer.value.replace("_", " ")


def wordings_view(wordings: Sequence[Wording], marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """A sentence for each way of pointing, with its name and whether a mask goes along."""
    found = [(one, taxonomy().protocol(one.protocol)) for one in wordings]
    return [
        {
            **one.model_dump(mode="json"),
            "name": protocol.name,
            "has_mask": protocol.mask_picture and bool(marks),
        }
        for one, protocol in found
    ]


def modalities_view(*, has_depth: bool) -> list[dict[str, Any]]:
    """Ways of showing a picture, without those that need depth where there is none."""
    return [
        {"id": one.id, "name": one.name, "has_depth": one.depth}
        for one in taxonomy().modalities
        if has_depth or not one.depth
    ]
