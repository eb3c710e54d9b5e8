"""One thing or several: English words of which there is a singular and a plural."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_SINGULARS = (
    "object|reflection|mirror|surface|picture|image|photo|box|mask|camera|room|region|axis|action"
    "|option|direction|question|answer|thing|item|side|view|pixel|position|appearance|candidate"
    "|collision|scene|label|mark"
)
_PLURALS = (
    "objects|reflections|mirrors|surfaces|pictures|images|photos|boxes|masks|cameras|rooms|regions"
    "|axes|actions|options|directions|questions|answers|things|items|sides|views|pixels|positions"
    "|appearances|candidates|collisions|scenes|labels|marks"
)
_LINKING = (
    "real|marked|other|single|same|directly|seen|reflected|reflective|physical|different|very"
)
_WITH_ONE = "a|an|one|1|each|every|another|this|either|neither|single"
_WITH_MANY = "two|three|four|five|six|many|several|few|both|these|those|[2-9]"
_PARTITIVE = f"one|each|which|several|many|none|neither|either|{_WITH_MANY}"

_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), expected)
    for pattern, expected in (
        (rf"\b(?:{_WITH_ONE}) (?:(?:{_LINKING}) )*(?:{_PLURALS})\b", "a singular"),
        (
            rf"(?<![\d.,x×] )\b(?:{_WITH_MANY}) (?:(?:{_LINKING}) )*(?:{_SINGULARS})\b(?![-'’])"
            rf"(?! (?:{_PLURALS})\b)",
            "a plural",
        ),
        (
            rf"\b(?:{_PARTITIVE}) of the (?:(?:{_LINKING}) )*(?:{_SINGULARS})\b(?![-'’])"
            rf"(?! (?:{_PLURALS})\b)",
            "a plural",
        ),
        (
            rf"\bthere (?:is|was) (?:(?:no|any|some|{_WITH_MANY}|more|{_LINKING}) )*"
            rf"(?:{_PLURALS})\b",
            '"there are" before a plural',
        ),
        (
            rf"\bthere (?:are|were) (?:(?:{_WITH_ONE}) )+(?:(?:{_LINKING}) )*(?:{_SINGULARS})\b",
            '"there is" before a singular',
        ),
        (
            rf"(?<!and )(?<!or )\b(?:{_WITH_ONE}) (?:(?:{_LINKING}) )*(?:{_SINGULARS}) "
            r"(?:are|were|have)\b",
            "a verb in the singular",
        ),
        (
            rf"(?<!of )\b(?:the|{_WITH_MANY}) (?:(?:{_LINKING}) )*(?:{_PLURALS}) (?:is|was|has)\b",
            "a verb in the plural",
        ),
        (rf"\bmuch (?:(?:{_LINKING}) )*(?:{_PLURALS})\b", '"many" before a plural'),
    )
)
_PLURAL_VERB = re.compile(r" (?:are|were|have|do)\b")
_SINGULAR_VERB = re.compile(r" (?:is|was|has|does)\b")
_ASKS_ONE = re.compile(r"\b(?:is|was|does|has) $", re.IGNORECASE)
_ASKS_MANY = re.compile(r"\b(?:are|were|do|have) $", re.IGNORECASE)
_ONE_BEFORE = re.compile(rf"\b(?:{_WITH_ONE}) (?:(?:{_LINKING}) )*$", re.IGNORECASE)


def check_numbers(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Nouns and verbs that do not agree with how many there are."""
    for pattern, expected in _PATTERNS:
        for match in pattern.finditer(reading.text):
            yield _fault(reading, *match.span(), expected)
    yield from _about_slots(reading)


def check_described_numbers(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Words for one thing before a description of several."""
    for span in reading.spans_of("description"):
        before = _ONE_BEFORE.search(reading.text, 0, span.start)
        if span.plural and before:
            yield _fault(reading, before.start(), span.end, "words that suit several things too")


def _about_slots(reading: Reading) -> Iterator[Fault]:
    """Verbs beside the object of a slot, which is one, and beside two objects."""
    text = reading.text
    slots = list(reading.spans_of("slot"))
    while slots:
        first = last = slots.pop(0)
        if slots and text[first.end : slots[0].start] == " and ":
            last = slots.pop(0)
        several = last is not first
        joined = text[: first.start].endswith((" and ", " or ", ", "))
        wrong = _SINGULAR_VERB if several else _PLURAL_VERB
        expected = "a verb in the plural" if several else "a verb in the singular"
        behind = None if joined else wrong.match(text, last.end)
        if behind:
            yield _fault(reading, first.start, behind.end(), expected)
        asks = (_ASKS_ONE if several else _ASKS_MANY).search(text, 0, first.start)
        if asks and not text.startswith((" and ", " or ", ", "), last.end):
            yield _fault(reading, asks.start(), last.end, expected)


def _fault(reading: Reading, start: int, end: int, expected: str) -> Fault:
    message = f"expected {expected}, found {reading.around(start, end)}"
    return Fault("number-agreement", start, end, message)
