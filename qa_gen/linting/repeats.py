"""Words and whole questions that are there twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_DOUBLED = re.compile(r"\b([^\W\d_]+)\s+\1\b", re.IGNORECASE)
_MEANT = ("that", "had")


def check_doubled_words(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """A word twice in a row; "that that" and "had had" are English."""
    for match in _DOUBLED.finditer(reading.crossed_out("description")):
        if match.group(1).lower() not in _MEANT:
            found = f"{match.group(1)!r} twice at {reading.around(*match.span())}"
            yield Fault("word-doubled", *match.span(), f"expected each word once, found {found}")
