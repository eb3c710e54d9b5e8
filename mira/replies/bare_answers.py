"""Bare answers by format: text with nothing around it.

A canonical answer is one text: `yes`, `no` or `not_sure`; the label of an option;
`horizontal,vertical,depth` in words; a whole number; words of one's own without what makes no
difference. Two answers are equal when these texts are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_PUBLISHED_AXIS_WORDS = {"upper": "above", "lower": "below", "back": "behind"}
"""Words of the published question files that differ from the taxonomy's."""
OWN_WORDS = "own_words"
"""Format of a question that nothing is offered for; the taxonomy has none."""
_WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(?:\.0+)?")


class Choice(NamedTuple):
    """One option of a question."""

    label: str
    value: str
    text: str


class AnswerForm(NamedTuple):
    """All of a question that decides how a reply to it is read."""

    format: str
    """Answer format of the taxonomy, or `own_words`."""
    choices: tuple[Choice, ...]
    """Options in the order shown; empty where the format has none."""
    axes: Mapping[str, Sequence[str]]
    """The words of each axis: horizontal, vertical, depth."""
    key: str = "final_answer"
    """The key that an object gives its answer under, in small letters with underscores."""


def read_bare_answer(text: str, form: AnswerForm) -> str | None:
    """The canonical answer that a text is, as a whole.

    Case, spacing, underscores and a final full stop make no difference. A choice is named by its
    label, its text or `label. text`, and where words are asked for, by its label before them;
    axes come in any order; nothing is guessed or filled in.

    Args:
        text: A bare answer, nothing around it.
        form: What may be answered.

    Returns:
        The answer, or None when the text is none or more than one.
    """
    text = plain_text(text)
    if form.format == "count":
        match = _WHOLE_NUMBER.fullmatch(text)
        return str(int(match[1])) if match else None
    if form.format == OWN_WORDS:
        return text or None
    if form.format == "spatial_3d_axes":
        return _read_axes(text, form.axes)
    if form.format == "single_choice_plus_text":
        return _read_choice_and_words(text, form)
    return _read_choice(text, form)


def canonical_choice(choice: Choice, format: str) -> str:
    """The canonical answer that an option is."""
    return choice.value if format == "yes_no" else choice.label


def plain_text(text: str) -> str:
    """A text without what makes no difference between answers."""
    return " ".join(text.replace("_", " ").casefold().split()).removesuffix(".").rstrip()


def _read_choice(text: str, form: AnswerForm) -> str | None:
    labelled = [choice for choice in form.choices if text == plain_text(choice.label)]
    named = labelled or [choice for choice in form.choices if text in _names(choice, form.format)]
    return canonical_choice(named[0], form.format) if len(named) == 1 else None


def _read_choice_and_words(text: str, form: AnswerForm) -> str | None:
    """A choice, or its label and then words of the writer's own, as the format asks for."""
    label, _, words = text.partition(" ")
    named = _read_choice(text, form)
    if named is not None or label[-1:] not in tuple(".):"):
        return named
    return None if _read_choice(words, form) else _read_choice(label[:-1], form)


def _names(choice: Choice, format: str) -> set[str]:
    """What names a choice beside its label, which wins over the text of another."""
    label, words = plain_text(choice.label), plain_text(choice.text)
    names = (
        {words, f"{label}. {words}", f"{label}) {words}", f"{label}: {words}"} if words else set()
    )
    if format == "yes_no":
        names.add(plain_text(choice.value))
    return names


def _read_axes(text: str, axes: Mapping[str, Sequence[str]]) -> str | None:
    # As the published choices end: "upper-front-left of".
    text = re.sub(r"\s+of$", "", text)
    words = re.split(r"[\s,;/-]+", re.sub(r"same[ -]depth", "same_depth", text))
    words = [_PUBLISHED_AXIS_WORDS.get(word, word) for word in words if word]
    found: dict[str, str] = {}
    loose: list[str] = []
    for word in words:
        owners = [axis for axis, allowed in axes.items() if word in allowed]
        if len(owners) > 1:
            loose.append(word)
        elif not owners or owners[0] in found:
            return None
        else:
            found[owners[0]] = word
    missing = [axis for axis in axes if axis not in found]
    if len(loose) != len(missing):
        return None
    for axis, word in zip(missing, loose, strict=True):
        if word not in axes[axis]:
            return None
        found[axis] = word
    return ",".join(found[axis] for axis in axes)
