"""What a model is told: which pictures it sees, the question, the options, and how to reply."""

from __future__ import annotations

from collections.abc import Sequence

from mira.release.asking import answer_words, question_text
from mira.release.picture_files import ShownPicture
from mira.release.reader import Row

_HOW_TO_REPLY = {
    "yes_no": "Reply with {words} and nothing else.",
    "single_choice": "Reply with {words} and nothing else.",
    "single_choice_plus_text": "Reply with {words}; a full stop and words of your own may follow.",
    "spatial_3d_axes": "Reply with three words with commas between them and nothing else: {words}.",
    "count": "Reply with one whole number in digits and nothing else.",
}
"""The shortest reply that is read, so that none is lost for its form."""


def prompt_of(row: Row, pictures: Sequence[ShownPicture], *, mirrors_tinted: bool) -> str:
    """The text that goes with the pictures of a question.

    Args:
        row: Its row of `qa`.
        pictures: Its pictures in the order they are shown.
        mirrors_tinted: Whether reflective regions are tinted on them.

    Raises:
        ReleaseError: Its format is none of the taxonomy's.
    """
    words = answer_words(row)
    how = _HOW_TO_REPLY[row["format"]].format(words=words)
    return f"{question_text(row, pictures, mirrors_tinted=mirrors_tinted)}\n{how}"
