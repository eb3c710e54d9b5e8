"""Values of an object as answers and as confidence."""

from __future__ import annotations

import math
import re
from typing import Any

from mira.replies.bare_answers import AnswerForm, read_bare_answer
from mira.replies.lenient_reader import CutOff, Pairs
from mira.replies.spoken import read_spoken_answer

_AXIS_KEYS = ("horizontal", "vertical", "depth")
_FREE_KEYS = ("x", "y", "z")
"""Names of axes that differ from frame to frame, so that the words alone say which is which."""
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?) ?%")
_BEGUN_CONFIDENCE = re.compile(r"[01]\.[0-9]+")


def answer_of_value(value: Any, form: AnswerForm) -> str | None:
    """The canonical answer that a value gives, or None when it gives none or more than one.

    Args:
        value: As it stands behind `final_answer`.
        form: What may be answered.
    """
    if isinstance(value, bool):
        is_asked = form.format == "yes_no"
        return read_bare_answer("yes" if value else "no", form) if is_asked else None
    if isinstance(value, (int, float)):
        return read_bare_answer(str(value), form) if math.isfinite(value) else None
    if isinstance(value, str):
        return read_spoken_answer(value, form)
    if isinstance(value, Pairs):
        return _answer_of_axes(value, form)
    if isinstance(value, list) and len(value) == 1:
        return answer_of_value(value[0], form)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return read_bare_answer(", ".join(value), form)
    return None


def confidence_of_value(value: Any) -> float | None:
    """A confidence from 0 to 1; None for what is none.

    Whole numbers from 2 to 100 are per cent: on a scale that ends at 1 they mean nothing else.
    """
    if isinstance(value, CutOff):
        value = value.began if _BEGUN_CONFIDENCE.fullmatch(value.began) else None
    if isinstance(value, str):
        value = _number_of(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if 2 <= value <= 100 and value == int(value):
        return value / 100
    return float(value) if 0 <= value <= 1 else None


def _answer_of_axes(pairs: Pairs, form: AnswerForm) -> str | None:
    """One word an axis, by the name of the axis or by x, y and z."""
    if form.format != "spatial_3d_axes" or len(pairs) != len(form.axes):
        return None
    words = {key.strip().casefold(): word for key, word in pairs}
    if not all(isinstance(word, str) for word in words.values()):
        return None
    if set(words) == set(_FREE_KEYS):
        return read_bare_answer(", ".join(words.values()), form)
    if set(words) != set(_AXIS_KEYS):
        return None
    answer = read_bare_answer(", ".join(words[key] for key in _AXIS_KEYS), form)
    # A word under the name of another axis contradicts itself.
    alone = [
        read_bare_answer(words[key], form._replace(axes={key: form.axes[key]})) for key in words
    ]
    return answer if None not in alone else None


def _number_of(text: str) -> float | None:
    if percent := _PERCENT.fullmatch(text):
        return float(percent[1]) / 100
    try:
        return float(text)
    except ValueError:
        return None
