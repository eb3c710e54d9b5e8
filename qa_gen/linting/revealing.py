"""Texts that give away how an object is seen, by the folder's own list of such words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qa_gen.linting.answers import statements_of
from qa_gen.linting.places import Check, Fault, Reading
from qa_gen.linting.policy import LintPolicy
from qa_gen.wording import WordingBook

_ASKS_HOW_SEEN = "vc"
"""Sub-task of the questions whose answer is how an object is seen."""


def revealing_check(book: WordingBook) -> Check:
    """A check with the words of a book.

    Phrases serve all templates, those on visibility too, so they must tell nothing. A question
    on visibility has to use such words where it asks and may not where it states.
    """

    def check_revealing(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
        if reading.kind == "option":
            return
        told = [(s.start, s.end) for s in reading.spans_of("preamble", "pointing", "described")]
        if reading.kind == "candidate":
            told = [(0, len(reading.text))]
        yield from _telling(book, reading, reading.crossed_out("description"), told)
        if reading.template and reading.template.subtask == _ASKS_HOW_SEEN:
            stated = statements_of(reading)
            yield from _telling(book, reading, reading.crossed_out("slot"), stated)

    return check_revealing


def _telling(
    book: WordingBook, reading: Reading, text: str, parts: Iterable[tuple[int, int]]
) -> Iterator[Fault]:
    for start, end in parts:
        if book.reveals(text[start:end]):
            found = reading.around(start, end)
            message = f"expected no word on how an object is seen, found {found}"
            yield Fault("answer-revealed", start, end, message)
