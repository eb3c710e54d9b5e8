"""All checks of a folder of wording."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mira.schema.finding import Finding
from mira.schema.record import Record
from qa_gen.linting.answers import (
    check_axis_words,
    check_counted_options,
    check_other_words,
    check_telling_options,
)
from qa_gen.linting.articles import check_articles
from qa_gen.linting.finding import made
from qa_gen.linting.letters import check_fixed_spaces, check_letters, check_spaces
from qa_gen.linting.marks import (
    check_asking,
    check_brackets,
    check_end,
    check_marks,
    check_sentences,
    check_spacing,
)
from qa_gen.linting.numbers import check_described_numbers, check_numbers
from qa_gen.linting.pictures import check_box_order, check_pictures
from qa_gen.linting.places import Check, Place, Reading
from qa_gen.linting.policy import LintPolicy
from qa_gen.linting.readings import all_readings
from qa_gen.linting.repeats import check_doubled_words
from qa_gen.linting.revealing import revealing_check
from qa_gen.linting.structure import UsablePart, usable_part
from qa_gen.linting.values import check_values
from qa_gen.wording import WordingBook
from qa_gen.wording_files import WordingFiles, read_wording_files

_ANY_LANGUAGE: tuple[Check, ...] = (
    check_spaces,
    check_letters,
    check_end,
    check_asking,
    check_sentences,
    check_brackets,
    check_marks,
    check_axis_words,
    check_box_order,
)
_ENGLISH: tuple[Check, ...] = (
    check_fixed_spaces,
    check_spacing,
    check_articles,
    check_numbers,
    check_described_numbers,
    check_doubled_words,
    check_other_words,
    check_counted_options,
    check_telling_options,
    check_pictures,
)
_OF_DESCRIPTIONS: tuple[Check, ...] = (check_articles, check_described_numbers)
"""Checks that other words for an object can fail."""
_ARTICLE = re.compile(r"\bthe\b", re.IGNORECASE)


class LintReport(Record):
    """What is wrong with a folder of wording."""

    folder: str
    """The folder; empty for the packaged one."""
    templates: int
    """Templates with a text that can be used."""
    texts: int
    """Their texts, paraphrases included."""
    readings: int
    """Questions, options and candidates that were put into words and read."""
    findings: tuple[Finding, ...]
    """File by file, one for each fault and field."""

    @property
    def clean(self) -> bool:
        """Whether there is nothing but what is for the record."""
        return all(finding.severity == "info" for finding in self.findings)


def lint_wording(folder: Path | None = None, *, policy: LintPolicy | None = None) -> LintReport:
    """Put everything into words that a folder of wording can say, and read it.

    Args:
        folder: The wording files; ours if None.
        policy: Bounds; ours if None.

    Raises:
        TemplateError: A file cannot be read, or a field is missing, unknown or of a wrong kind.
    """
    policy = policy or LintPolicy()
    files = read_wording_files(folder)
    part = usable_part(files)
    book = WordingBook(part.files)
    english = _is_english(files, policy)
    checks = _ANY_LANGUAGE + (_ENGLISH if english else ()) + (revealing_check(book),)
    redescribed = _OF_DESCRIPTIONS if english else ()
    findings = [*part.findings, *check_values(part.files)]
    if not english:
        message = "expected English for the checks of grammar, found another language"
        findings.append(made("grammar-unchecked", Place(str(folder or ""), ""), message))
    count = 0
    for reading in all_readings(part, book):
        count += 1
        if isinstance(reading, Finding):
            findings.append(reading)
        else:
            findings += _read(reading, redescribed if reading.redescribed else checks, policy)
    return LintReport(
        folder=str(folder or ""),
        templates=len(part.places),
        texts=sum(len(places) for places in part.places.values()),
        readings=count,
        findings=_once(findings),
    )


def usable_wording(folder: Path | None = None) -> tuple[UsablePart, WordingBook]:
    """What of a folder can be put into words, whatever is wrong with the rest.

    Raises:
        TemplateError: A file cannot be read, or a field is missing, unknown or of a wrong kind.
    """
    part = usable_part(read_wording_files(folder))
    return part, WordingBook(part.files)


def _read(reading: Reading, checks: tuple[Check, ...], policy: LintPolicy) -> Iterator[Finding]:
    for check in checks:
        for fault in check(reading, policy):
            place = reading.place_of(fault.start, fault.end)
            message = fault.message
            if reading.kind == "question" and reading.protocol and place == reading.place:
                message += f", in {reading.protocol.id}"
            yield made(fault.code, place, message)


def _once(findings: list[Finding]) -> tuple[Finding, ...]:
    """The first finding of each code and field, file by file."""
    first: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        first.setdefault((finding.code, finding.path, finding.where), finding)
    return tuple(sorted(first.values(), key=lambda finding: finding.path))


def _is_english(files: WordingFiles, policy: LintPolicy) -> bool:
    texts = [text for entry in files.questions.values() for text in entry.question]
    with_article = sum(bool(_ARTICLE.search(text)) for text in texts)
    return with_article >= policy.english_share * len(texts)
