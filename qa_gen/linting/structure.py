"""Texts one by one: whether they can be used, and name what they have to name once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from mira.errors import TemplateError
from mira.schema.finding import Finding
from mira.taxonomy.catalogue import TaskTemplate, taxonomy
from qa_gen.linting.finding import made
from qa_gen.linting.places import Place
from qa_gen.sentences import (
    Gaps,
    compile_sentence,
    pointing_gaps,
    question_fields,
    question_gaps,
    sentence_faults,
)
from qa_gen.wording_files import WordingFiles
from qa_gen.wording_records import Phrases, QuestionText, WordList


class UsablePart(NamedTuple):
    """What of a folder of wording can be put into words."""

    files: WordingFiles
    """Texts without fault, templates and protocols that have all they need; no spaces at edges."""
    places: dict[str, tuple[Place, ...]]
    """For each template, where its texts stand."""
    findings: tuple[Finding, ...]
    """Why the rest was left out, and what is wrong with single texts."""


def usable_part(files: WordingFiles) -> UsablePart:
    """The texts that can be used, and findings on all others."""
    findings: list[Finding] = []
    questions: dict[str, QuestionText] = {}
    places: dict[str, tuple[Place, ...]] = {}
    for row in taxonomy().templates:
        kept = _usable_questions(row, files, findings)
        if kept:
            texts = tuple(kept.values())
            questions[row.id] = QuestionText(
                question=texts, describe=files.questions[row.id].describe
            )
            places[row.id] = tuple(kept)
    phrases = _usable_phrases(files, findings)
    words = _trimmed_words(files, findings)
    findings += _slots_named_twice(questions, places)
    findings += _repeated_texts(questions, places)
    usable = replace(files, questions=questions, phrases=phrases, words=words)
    return UsablePart(usable, places, tuple(findings))


def phrase_place(files: WordingFiles, protocol_id: str, field: str) -> Place:
    """Where a phrase of a protocol stands, which may be the entry of another."""
    return Place(files.referring_file, f"{files.phrase_origins[protocol_id][field]}.{field}")


def _usable_questions(
    row: TaskTemplate, files: WordingFiles, findings: list[Finding]
) -> dict[Place, str]:
    texts = files.questions[row.id].question
    kept = {}
    for text, field in zip(texts, question_fields(row.id, len(texts)), strict=True):
        place = Place(files.question_files[row.id], field)
        faults = list(_faults(text, question_gaps(row), place, noun="slot"))
        findings += faults or _edges(text, place)
        if not faults:
            kept[place] = text.strip()
    return kept


def _usable_phrases(files: WordingFiles, findings: list[Finding]) -> dict[str, Phrases]:
    usable: dict[str, Phrases] = {}
    for protocol in taxonomy().protocols:
        whole, trimmed = True, {}
        for field, gaps in pointing_gaps(protocol).items():
            text = getattr(files.phrases[protocol.id], field)
            place = phrase_place(files, protocol.id, field)
            faults = list(_faults(text, gaps, place, noun="value"))
            findings += faults or _edges(text, place, joined=field == "described")
            whole = whole and not faults
            trimmed[field] = text.rstrip() if field == "described" else text.strip()
        if whole:
            usable[protocol.id] = Phrases(**trimmed)
    return usable


def _faults(text: str, gaps: Gaps, place: Place, *, noun: str) -> Iterator[Finding]:
    for fault in sentence_faults(text, gaps):
        code = "jinja-invalid" if fault.kind == "invalid" else f"{noun}-{fault.kind}"
        yield made(code, place, fault.message)


def _trimmed_words(files: WordingFiles, findings: list[Finding]) -> WordList:
    def trimmed(words: Mapping[str, str], field: str) -> dict[str, str]:
        for value, text in words.items():
            findings.extend(_edges(text, Place(files.options_file, f"{field}.{value}")))
        return {value: text.strip() for value, text in words.items()}

    return files.words.model_copy(
        update={
            "options": trimmed(files.words.options, "options"),
            "directions": {
                name: trimmed(words, f"directions.{name}")
                for name, words in files.words.directions.items()
            },
        }
    )


def _edges(text: str, place: Place, *, joined: bool = False) -> Iterator[Finding]:
    """Spaces at the ends of a text; one that is joined to another may begin with some."""
    # Jinja takes one line break off the end, where YAML's block texts have it.
    text = text.removesuffix("\n")
    if text.rstrip() != text or (not joined and text.lstrip() != text):
        shown = text if len(text) <= 40 else f"{text[:19]}…{text[-20:]}"
        yield made("space-at-edge", place, f"expected no space at either end, found {shown!r}")


def _slots_named_twice(
    questions: Mapping[str, QuestionText], places: Mapping[str, tuple[Place, ...]]
) -> Iterator[Finding]:
    for row, text, place in _texts(questions, places):
        said = _probed(row, text)
        for k, slot in enumerate(question_gaps(row).trial):
            count = said.count(_probe(k))
            if count > 1:
                message = f"expected {{{{ {slot} }}}} once, found it {count} times"
                yield made("slot-twice", place, message)


def _repeated_texts(
    questions: Mapping[str, QuestionText], places: Mapping[str, tuple[Place, ...]]
) -> Iterator[Finding]:
    first: dict[str, Place] = {}
    for row, text, place in _texts(questions, places):
        same = first.setdefault(" ".join(re.findall(r"\w+", _probed(row, text))), place)
        if same != place:
            yield made("text-repeated", place, f"expected another text, found that of {same.where}")


def _texts(
    questions: Mapping[str, QuestionText], places: Mapping[str, tuple[Place, ...]]
) -> Iterator[tuple[TaskTemplate, str, Place]]:
    for template_id, entry in questions.items():
        for text, place in zip(entry.question, places[template_id], strict=True):
            yield taxonomy().template(template_id), text, place


def _probed(row: TaskTemplate, text: str) -> str:
    """A question with signs for its slots that no text has, in small letters."""
    gaps = question_gaps(row)
    sentence = compile_sentence(text, where=row.id, field="question", gaps=gaps)
    try:
        said = sentence.render({name: _probe(k) for k, name in enumerate(gaps.trial)})
    except TemplateError:
        # A text may do with its phrases what cannot be done with a sign.
        return text
    return said.casefold()


def _probe(k: int) -> str:
    return f"qq{k}zz"
