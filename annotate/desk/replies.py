"""What somebody says to a question, as a model would reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mira.errors import DeskError
from mira.schema.qa import QAItem
from mira.taxonomy.catalogue import taxonomy

MOST_COUNTED = 9_999
"""Larger numbers are slips of the hand."""
LONGEST_WORDS = 500


def reply_text(item: QAItem, said: Mapping[str, Any]) -> str:
    """The answer in the words that a model gives it in: a label, a number, or three words.

    Args:
        item: The question.
        said: The answer as its record has it, without the format.

    Raises:
        DeskError: It is no answer of the question's format, or no option of it.
    """
    if item.answer.format == "spatial_3d_axes":
        return ",".join(_word(item, said, axis, words) for axis, words in axis_words().items())
    value = said.get("value")
    if item.answer.format == "count":
        if type(value) is not int or not 0 <= value <= MOST_COUNTED:
            raise _bad(item, f"expected a number up to {MOST_COUNTED:,}, found {value!r:.60}")
        return str(value)
    labels = [option.label for option in item.options]
    if value not in labels:
        raise _bad(item, f"expected {' or '.join(labels)}, found {value!r:.60}")
    return str(value)


def reply_words(item: QAItem, said: Mapping[str, Any]) -> str | None:
    """What was added in words; None without any, or where the question asks for none.

    Raises:
        DeskError: They are none, or more than anybody reads.
    """
    words = said.get("text")
    if item.answer.format != "single_choice_plus_text" or words is None:
        return None
    if not isinstance(words, str) or len(words) > LONGEST_WORDS:
        raise _bad(item, f"expected up to {LONGEST_WORDS} letters")
    return words.strip() or None


def axis_words() -> dict[str, tuple[str, ...]]:
    """Words of each axis: horizontal, vertical, depth."""
    axes = taxonomy().option_sets["axes"]
    assert isinstance(axes, dict)
    return axes


def _word(item: QAItem, said: Mapping[str, Any], axis: str, words: tuple[str, ...]) -> str:
    found = said.get(axis)
    if found not in words:
        raise _bad(item, f"{axis}: expected {' or '.join(words)}, found {found!r:.60}")
    return str(found)


def _bad(item: QAItem, problem: str) -> DeskError:
    return DeskError(item.item_id, problem, code="bad-answer")
