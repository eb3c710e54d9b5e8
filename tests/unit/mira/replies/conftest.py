from __future__ import annotations

import pytest

from mira.evals.mira_bench.questions import axis_words
from mira.replies.bare_answers import AnswerForm, Choice


def _words(*words: str) -> tuple[Choice, ...]:
    return tuple(Choice(word.replace("_", " "), word, word.replace("_", " ")) for word in words)


def _lettered(*texts: str) -> tuple[Choice, ...]:
    return tuple(Choice(letter, text, text) for letter, text in zip("ABCDEF", texts, strict=False))


@pytest.fixture(scope="session")
def forms() -> dict[str, AnswerForm]:
    """What may be answered, by format; `unsure` is yes or no with a third option."""
    axes = axis_words()
    return {
        "yes_no": AnswerForm("yes_no", _words("yes", "no"), axes),
        "unsure": AnswerForm("yes_no", _words("yes", "no", "not_sure"), axes),
        "choice": AnswerForm("single_choice", _lettered("table", "chair", "lamp"), axes),
        "words": AnswerForm("single_choice_plus_text", _lettered("nothing", "a label"), axes),
        "axes": AnswerForm("spatial_3d_axes", (), axes),
        "count": AnswerForm("count", (), axes),
    }
