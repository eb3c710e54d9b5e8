"""Answers as models put them: a bare answer with a little around it that changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mira.replies.bare_answers import OWN_WORDS, AnswerForm, plain_text, read_bare_answer

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)\s*```", re.DOTALL)
_ANNOUNCED = re.compile(
    r"(?:(?:the |my )?(?:final[ _]|correct )?answer\**(?: is|:| =)|option|choice)"
    r"[\s:*]*(?=[\s:*(\"\\])",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"(?s)\s*(?:\*\*(.+)\*\*|`(.+)`|\"(.+)\"|'(.+)'|\((.+)\)|(\w+)[):]|\$?\\boxed\{(.+)\}\$?)\s*\.?"
)
_LAYERS = 4
"""How often something may be around an answer, as in `**Answer: (B)**`."""
_LABEL_AND_WORDS = re.compile(r"\(?(\w+)\)?[\s:.,)–—-]+(.+)")
_COUNT_AND_UNIT = re.compile(r"([0-9]{1,9}|[a-z]+)(?:\.0+)?((?: [^\W\d_]+){0,3})")
_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
_NO_UNITS = frozenset(
    [
        *("a", "about", "and", "at", "but", "if", "less", "least", "maybe", "more", "most", "no"),
        *("not", "or", "out", "plus", "possibly", "several", "than", "to", "up", "few", "half"),
        *("couple", "couples", "dozen", "dozens", "pair", "pairs", "hundred", "thousand"),
        *("million", "point", "minus", *_NUMBER_WORDS),
    ]
)
"""Words behind a number that make another number of it, or several."""
_BETWEEN_AXES = re.compile(r"\b(?:and|in|to|the|of|at|on)\b")


def read_spoken_answer(text: str, form: AnswerForm) -> str | None:
    """The canonical answer that a text is, whatever is around it that says nothing else.

    Args:
        text: What a model gave for its answer.
        form: What may be answered.

    Returns:
        The answer, or None when the text is none or more than one.
    """
    if form.format == OWN_WORDS:
        return read_bare_answer(_innermost(text), form)
    for _ in range(_LAYERS):
        answer = read_bare_answer(text, form)
        if answer is None and form.format in _READERS:
            answer = _READERS[form.format](plain_text(text), form)
        if answer is not None:
            return answer
        inner = unwrapped(text)
        if inner == text:
            return None
        text = inner
    return None


def _innermost(text: str) -> str:
    for _ in range(_LAYERS):
        text = unwrapped(text)
    return text


def unwrapped(text: str) -> str:
    """A text without the outermost of what is around it: a fence, quotes, `Answer:`."""
    text = text.strip().strip("#").strip()
    if fenced := _FENCE.fullmatch(text):
        return str(fenced[1])
    if wrapped := _WRAPPED.fullmatch(text):
        return str(next(filter(None, wrapped.groups())))
    announced = _ANNOUNCED.match(text.lstrip("*"))
    return text.lstrip("*")[announced.end() :].strip(" \n*") if announced else text


def announces_answer(line: str) -> bool:
    """Whether a line begins with words such as `Answer:`."""
    return bool(_ANNOUNCED.match(line.strip(" *#")))


def _read_spoken_count(text: str, _form: AnswerForm) -> str | None:
    match = _COUNT_AND_UNIT.fullmatch(text)
    if match is None or _NO_UNITS & set(match[2].split()):
        return None
    if match[1] in _NUMBER_WORDS:
        return str(_NUMBER_WORDS.index(match[1]))
    return str(int(match[1])) if match[1].isdecimal() else None


def _read_spoken_axes(text: str, form: AnswerForm) -> str | None:
    return read_bare_answer(_BETWEEN_AXES.sub(" ", text), form)


def _read_spoken_choice(text: str, form: AnswerForm) -> str | None:
    """A label and the words of its option, whatever is between them."""
    match = _LABEL_AND_WORDS.fullmatch(text)
    if match is None:
        return None
    label, words = (read_bare_answer(part, form) for part in match.groups())
    return label if label == words else None


def _read_truth(text: str, form: AnswerForm) -> str | None:
    word = {"true": "yes", "false": "no"}.get(text)
    return None if word is None else read_bare_answer(word, form)


_READERS: Mapping[str, Callable[[str, AnswerForm], str | None]] = {
    "count": _read_spoken_count,
    "spatial_3d_axes": _read_spoken_axes,
    "single_choice": _read_spoken_choice,
    "single_choice_plus_text": _read_spoken_choice,
    "yes_no": _read_truth,
}
