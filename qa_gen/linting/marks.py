"""Marks, brackets, and where sentences begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_ENDS = ".?!。？！．؟।…"
_ASKS = "?？؟\u037e"
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff]\w*;(?=\s|$)")
_CLOSES = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«", "」": "「", "）": "（"}
_OPENS = {opening: closing for closing, opening in _CLOSES.items()}
_SENTENCE_END = re.compile(rf"[{re.escape(_ENDS)}]+[)\]”\"']*(?=\s|$)|[。？！।]")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|approx|etc|incl|resp)|\b\w)\.$", re.IGNORECASE)
_MISPLACED = re.compile(r" (?=[,.;:?!)\]])|(?<=[(\[]) |[,;?!)\]](?=[^\W\d_])|(?<=[\w)\]])(?=[(\[])")


def check_end(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """A question or a preamble that stops in the middle."""
    if reading.kind != "question":
        return
    parts = [(reading.sentence_start, len(reading.text))]
    parts += [(span.start, span.end) for span in reading.spans_of("preamble")]
    for start, end in parts:
        said = reading.text[start:end].rstrip().rstrip(")]”»」）\"'")
        if said and said[-1] not in _ENDS and not _GREEK_QUESTION.search(said[-40:]):
            message = f"expected a mark at the end, found {reading.around(end, end)}"
            yield Fault("end-mark-missing", end - 1, end, message)


def check_asking(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """A question without a question mark."""
    if reading.kind == "question":
        start = reading.sentence_start
        asked = reading.crossed_out("description")[start:]
        if not any(mark in asked for mark in _ASKS) and not _GREEK_QUESTION.search(asked):
            found = reading.around(len(reading.text), len(reading.text))
            message = f"expected a question mark, found none up to {found}"
            yield Fault("question-missing", start, len(reading.text), message)


def check_sentences(reading: Reading, policy: LintPolicy) -> Iterator[Fault]:
    """Sentences that begin small, and those that are too long."""
    if reading.kind != "question":
        return
    for start, end in sentences_of(reading):
        first = next((k for k in range(start, end) if reading.text[k].isalnum()), start)
        if reading.text[first : first + 1].islower():
            found = reading.around(first, first)
            message = f"expected a capital letter where a sentence begins, found {found}"
            yield Fault("capital-missing", start, end, message)
        if end - start > policy.longest_sentence:
            message = (
                f"expected sentences of up to {policy.longest_sentence} letters, "
                f"found {end - start} from {reading.around(start, start)} on"
            )
            yield Fault("sentence-long", start, end, message)


def sentences_of(reading: Reading) -> Iterator[tuple[int, int]]:
    """First letter and end of each sentence; marks in brackets and descriptions end none."""
    text = reading.crossed_out("description")
    balanced = _depth(text) == 0
    start = 0
    for match in _SENTENCE_END.finditer(text):
        said = text[start : match.end()]
        before_closing = said.rstrip(")]”\"'")
        if (balanced and _depth(before_closing) > 0) or _ABBREVIATION.search(before_closing):
            continue
        yield start + len(said) - len(said.lstrip()), match.end()
        start = match.end()
    if rest := text[start:].strip():
        yield text.index(rest, start), start + len(text[start:].rstrip())


def check_brackets(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Brackets that are not opened or not closed, and lonely quotation marks."""
    text = reading.crossed_out("description")
    opened: list[int] = []
    lonely: list[int] = []
    for k, sign in enumerate(text):
        if sign in _OPENS:
            opened.append(k)
        elif sign in _CLOSES and opened and text[opened[-1]] == _CLOSES[sign]:
            opened.pop()
        elif sign in _CLOSES:
            lonely.append(k)
    for k in sorted(opened + lonely):
        code = "quote-unbalanced" if text[k] in "“”«»" else "bracket-unbalanced"
        message = f"expected pairs, found a single {text[k]} at {reading.around(k, k + 1)}"
        yield Fault(code, k, k + 1, message)
    quotes = [k for k, sign in enumerate(text) if sign == '"']
    if len(quotes) % 2:
        k = quotes[-1]
        message = f"expected pairs, found a single quotation mark at {reading.around(k, k + 1)}"
        yield Fault("quote-unbalanced", k, k + 1, message)


def check_marks(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Marks that are there twice."""
    for match in re.finditer(r"([,;:?!])\s*\1|(?<!\.)\.\s*\.(?!\.)", reading.text):
        found = reading.around(*match.span())
        yield Fault("mark-doubled", *match.span(), f"expected one mark, found two at {found}")


def check_spacing(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Spaces where English has none, and marks without one behind them."""
    text = reading.crossed_out("description")
    for match in _MISPLACED.finditer(text):
        start, end = max(0, match.start() - 1), min(len(text), match.end() + 1)
        found = reading.around(start, end)
        message = f"expected a space behind a mark and none before it, found {found}"
        yield Fault("space-misplaced", start, end, message)


def _depth(text: str) -> int:
    return sum(map(text.count, _OPENS)) - sum(map(text.count, _CLOSES))
