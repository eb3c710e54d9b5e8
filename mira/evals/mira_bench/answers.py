"""Answers by format: which there are, and how a bare one is read.

A canonical answer is one text: `yes`, `no` or `not_sure`; the label of an option;
`horizontal,vertical,depth` in words; a whole number. Two answers are equal when these texts are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product

from mira.errors import ReleaseError
from mira.evals.mira_bench.questions import Choice, Question
from mira.taxonomy.catalogue import AnswerFormat, taxonomy

_PUBLISHED_AXIS_WORDS = {"upper": "above", "lower": "below", "back": "behind"}
"""Words of the published question files that differ from the taxonomy's."""
_WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(?:\.0+)?")


def possible_answers(question: Question) -> tuple[str, ...] | None:
    """Canonical answers that a reply can give, each as likely as the next for a guesser.

    Args:
        question: The question.

    Returns:
        The options that are shown; the 27 triples of axis words; the counts 0 to N. None where
        N is not known.

    Raises:
        ReleaseError: A question of choices has no options.
    """
    if question.format == "spatial_3d_axes":
        return _axis_triples()
    if question.format == "count":
        most = question.count_max
        return None if most is None else tuple(str(count) for count in range(most + 1))
    if not question.choices:
        raise ReleaseError(question.question_id, "options: expected at least one, found none")
    return tuple(_canonical_choice(choice, question) for choice in question.choices)


def gold_answer(question: Question) -> str:
    """The right answer, canonical.

    Raises:
        ReleaseError: The release gives an answer that no reply could give.
    """
    answer = read_answer(question.answer, question)
    if answer is None:
        raise ReleaseError(
            question.question_id,
            f"answer: expected one of format {question.format}, found {question.answer!r}",
        )
    return answer


def read_answer(text: str, question: Question) -> str | None:
    """The canonical answer that a text is, as a whole.

    Case, spacing, underscores and a final full stop make no difference. A choice is named by its
    label, its text or `label. text`, and where words are asked for, by its label before them;
    axes come in any order; nothing is guessed or filled in.

    Args:
        text: A bare answer, nothing around it.
        question: The question it answers.

    Returns:
        The answer, or None when the text is none or more than one.
    """
    return _READERS[question.format](_plain(text), question)


def _read_choice(text: str, question: Question) -> str | None:
    labelled = [choice for choice in question.choices if text == _plain(choice.label)]
    named = labelled or [choice for choice in question.choices if text in _names(choice, question)]
    return _canonical_choice(named[0], question) if len(named) == 1 else None


def _read_choice_and_words(text: str, question: Question) -> str | None:
    """A choice, or its label and then words of the writer's own, as the format asks for."""
    label, _, words = text.partition(" ")
    named = _read_choice(text, question)
    if named is not None or label[-1:] not in tuple(".):"):
        return named
    return None if _read_choice(words, question) else _read_choice(label[:-1], question)


def _names(choice: Choice, question: Question) -> set[str]:
    """What names a choice beside its label, which wins over the text of another."""
    label, words = _plain(choice.label), _plain(choice.text)
    names = (
        {words, f"{label}. {words}", f"{label}) {words}", f"{label}: {words}"} if words else set()
    )
    if question.format == "yes_no":
        names.add(_plain(choice.value))
    return names


def _canonical_choice(choice: Choice, question: Question) -> str:
    return choice.value if question.format == "yes_no" else choice.label


def _read_axes(text: str, _question: Question) -> str | None:
    # As the published choices end: "upper-front-left of".
    text = re.sub(r"\s+of$", "", text)
    words = re.split(r"[\s,;/-]+", re.sub(r"same[ -]depth", "same_depth", text))
    words = [_PUBLISHED_AXIS_WORDS.get(word, word) for word in words if word]
    axes = _axis_words()
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


def _read_count(text: str, _question: Question) -> str | None:
    match = _WHOLE_NUMBER.fullmatch(text)
    return str(int(match[1])) if match else None


_READERS: dict[AnswerFormat, Callable[[str, Question], str | None]] = {
    "yes_no": _read_choice,
    "single_choice": _read_choice,
    "single_choice_plus_text": _read_choice_and_words,
    "spatial_3d_axes": _read_axes,
    "count": _read_count,
}


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split()).removesuffix(".").rstrip()


@cache
def _axis_words() -> dict[str, tuple[str, ...]]:
    axes = taxonomy().option_sets["axes"]
    assert isinstance(axes, dict)
    return axes


@cache
def _axis_triples() -> tuple[str, ...]:
    return tuple(",".join(words) for words in product(*_axis_words().values()))
