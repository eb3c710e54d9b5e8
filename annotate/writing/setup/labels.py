"""The labels of a data set: our words and its categories."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.findings import Refused
from annotate.reading.labels import Label, parse_label
from mira.errors import MiraError


def parse_categories(words: Sequence[str]) -> tuple[str, ...]:
    """Categories as annotation files name them, each once.

    Args:
        words: As a user gives them; capitals and spaces around them make no difference.

    Raises:
        MiraError: A word is none, is one of our own, or looks like a slip in one.
    """
    return tuple(dict.fromkeys(_category(word) for word in words))


def labels_of(categories: Sequence[str]) -> tuple[str, ...]:
    """All labels, in the order in which a program offers them."""
    named = [label for word in categories for label in (word, f"{word}_reflection")]
    return ("surface", "object", "object_reflection", *named, "hole", "ignore")


def _category(word: str) -> str:
    label = _label(word)
    if label.category is None or label.role != "direct":
        problem = f"expected a kind of object such as cup, found {word!r}"
        raise MiraError("--categories", problem, "our own words are always among the labels")
    if label.notes and label.notes[-1].code == "label-near-miss":
        raise MiraError("--categories", label.notes[-1].message)
    return label.category


def _label(word: str) -> Label:
    try:
        return parse_label(word, "--categories")
    except Refused:
        problem = f"expected words between commas, found {word!r}"
        raise MiraError("--categories", problem) from None
