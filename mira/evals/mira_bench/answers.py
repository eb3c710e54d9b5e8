"""Answers that a question allows, and the right one.

What a canonical answer is, see `mira.replies.bare_answers`.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from mira.errors import ReleaseError
from mira.evals.mira_bench.questions import Question, axis_words
from mira.replies.bare_answers import canonical_choice, read_bare_answer


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
    return tuple(canonical_choice(choice, question.format) for choice in question.choices)


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
    """The canonical answer that a bare text is; see `read_bare_answer`."""
    return read_bare_answer(text, question.form)


@cache
def _axis_triples() -> tuple[str, ...]:
    return tuple(",".join(words) for words in product(*axis_words().values()))
