"""What a text says of the answers: their words, their number, and which of them is right."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mira.taxonomy.catalogue import taxonomy
from qa_gen.linting.marks import sentences_of
from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_OTHER_WORDS = {
    "spatial_3d_axes": re.compile(
        r"\b(?:upper|lower|back|rear|over|under|beneath|underneath|up|down|level|centre|middle)\b",
        re.IGNORECASE,
    ),
    "yes_no": re.compile(r"\b(?:true|false|yep|nope|correct|incorrect)\b", re.IGNORECASE),
    "count": re.compile(r"\b(?:roughly|about how many|approximately|estimate)\b", re.IGNORECASE),
}
"""Answers that a reader of English would offer and a reader of replies does not know."""
_COUNTED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:(?:possible|directly seen) )?"
    r"(?:options|answers|choices|candidates|actions|(?:objects|reflections) (?:listed )?below)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:correct|incorrect|wrong|gold|truth|distractors?|decoys?|solution|answer)\b",
    re.IGNORECASE,
)


def check_axis_words(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Axes, and words that answer them, of which a question on relations says nothing."""
    template = reading.template
    if template is None or template.format != "spatial_3d_axes":
        return
    asked = reading.crossed_out("slot", "preamble")
    axes = taxonomy().option_sets["axes"]
    assert isinstance(axes, dict)
    words = {word.replace("_", " "): None for axis in axes for word in (axis, *axes[axis])}
    missing = [word for word in words if not re.search(rf"\b{word}\b", asked, re.IGNORECASE)]
    if missing:
        message = f"expected every axis and its words, found no {', '.join(missing)}"
        yield Fault("answer-words-missing", reading.sentence_start, len(reading.text), message)


def check_other_words(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Answers that are not read as such."""
    pattern = _OTHER_WORDS.get(reading.template.format) if reading.template else None
    if pattern and reading.kind == "question":
        for match in pattern.finditer(reading.crossed_out("slot", "preamble", "direction")):
            found = reading.around(*match.span())
            message = f"expected only words that are read as answers, found {found}"
            yield Fault("answer-words-other", *match.span(), message)


def check_counted_options(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """A number of options, of which some questions have fewer."""
    for match in _COUNTED.finditer(reading.crossed_out("description")):
        found = reading.around(*match.span())
        message = f"expected options without their number, which differs, found {found}"
        yield Fault("options-counted", *match.span(), message)


def check_telling_options(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Options that say which of them is right."""
    if reading.kind != "question":
        for match in _TELLING.finditer(reading.text):
            message = f"expected options that do not judge themselves, found {match.group()!r}"
            yield Fault("answer-revealed", *match.span(), message)


def statements_of(reading: Reading) -> Iterator[tuple[int, int]]:
    """First letter and end of each sentence behind the preamble that asks nothing.

    None where no sentence asks, which is another fault.
    """
    if "?" not in reading.text[reading.sentence_start :]:
        return
    for start, end in sentences_of(reading):
        if start >= reading.sentence_start and "?" not in reading.text[start:end]:
            yield start, end
