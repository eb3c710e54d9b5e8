"""Every text that wording can make, with where its parts stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

from mira.errors import TemplateError
from mira.schema.finding import Finding
from mira.schema.qa import Mark
from mira.taxonomy.catalogue import ProtocolInfo, TaskTemplate, taxonomy
from qa_gen.linting.finding import made
from qa_gen.linting.places import Place, Reading, Span
from qa_gen.linting.samples import SAMPLES, SampleDescription
from qa_gen.linting.structure import UsablePart, phrase_place
from qa_gen.wording import WordingBook
from qa_gen.wording_parts import QuestionParts
from qa_gen.wording_trials import TRIAL_SIZE_PX, trial_directions, trial_marks


class _Case(NamedTuple):
    """One way of asking a question."""

    template: TaskTemplate
    paraphrase: int
    protocol: ProtocolInfo
    direction: str | None
    sample: SampleDescription | None
    redescribed: bool


def all_readings(part: UsablePart, book: WordingBook) -> Iterator[Reading | Finding]:
    """Options, candidates, and each question in every way in which it can be asked.

    Args:
        part: Texts that can be used.
        book: The same, compiled.

    Yields:
        A reading, or the finding that a text could not be put into words.
    """
    for value, text in part.files.words.options.items():
        yield Reading(text, "option", Place(part.files.options_file, f"options.{value}"))
    protocols = [taxonomy().protocol(protocol_id) for protocol_id in part.files.phrases]
    for protocol in protocols:
        yield _guarded(partial(_candidate, part, book, protocol))
    samples = [sample for sample in SAMPLES if not book.reveals(sample.text)]
    for case in _cases(part, protocols, samples):
        yield _guarded(partial(_question, part, book, case))


def _cases(
    part: UsablePart, protocols: list[ProtocolInfo], samples: list[SampleDescription]
) -> Iterator[_Case]:
    for template_id, places in part.places.items():
        row = taxonomy().template(template_id)
        described = part.files.questions[template_id].describe
        first = trial_directions(row)[0]
        for k, protocol, direction in product(range(len(places)), protocols, trial_directions(row)):
            spoken = samples if protocol.description and described else [None]
            # Which way it goes makes no difference to how a description reads.
            for number, sample in enumerate(spoken if direction == first else spoken[:1]):
                yield _Case(row, k, protocol, direction, sample, redescribed=number > 0)


def _guarded(made_from: Callable[[], Reading]) -> Reading | Finding:
    try:
        return made_from()
    except TemplateError as error:
        field, _, reason = error.problem.partition(": ")
        return made("jinja-invalid", Place(error.where, field), reason)


def _candidate(part: UsablePart, book: WordingBook, protocol: ProtocolInfo) -> Reading:
    mark = Mark(label="A", instance_id=1, role="candidate", box_xyxy_px=(10, 20, 30, 40))
    place = phrase_place(part.files, protocol.id, "candidate")
    return Reading(book.candidate(protocol, mark), "candidate", place, protocol=protocol)


def _question(part: UsablePart, book: WordingBook, case: _Case) -> Reading:
    marks = trial_marks(case.template)
    description = case.sample.text if case.sample else ""
    parts = book.parts(
        case.template.id,
        case.protocol,
        marks,
        descriptions={mark.instance_id: description for mark in marks},
        size_px=TRIAL_SIZE_PX,
        direction=case.direction,
        paraphrase=case.paraphrase,
    )
    return Reading(
        text=parts.question,
        kind="question",
        place=part.places[case.template.id][case.paraphrase],
        spans=tuple(_spans(part, case, parts, marks)),
        template=case.template,
        protocol=case.protocol,
        redescribed=case.redescribed,
    )


def _spans(
    part: UsablePart, case: _Case, parts: QuestionParts, marks: tuple[Mark, ...]
) -> Iterator[Span]:
    text, start = parts.question, 0
    if parts.preamble:
        start = len(parts.preamble)
        place = phrase_place(part.files, case.protocol.id, "preamble")
        yield Span("preamble", 0, start, place)
    style = "one" if len(marks) == 1 else "many"
    pointing = phrase_place(part.files, case.protocol.id, style)
    describing = phrase_place(part.files, case.protocol.id, "described")
    for phrase, mark in zip(parts.phrases, marks, strict=False):
        words = phrase.pointing + phrase.described
        for first in _places_of(words, text, start):
            last, middle = first + len(words), first + len(phrase.pointing)
            joint = describing if phrase.described else pointing
            yield Span("slot", first, last, joint)
            yield Span("pointing", first, middle, pointing, box_xyxy_px=mark.box_xyxy_px)
            if phrase.described:
                yield Span("described", middle, last, describing)
            if phrase.described and case.sample:
                yield from _descriptions(case.sample, text, middle, last, describing)
    if parts.direction:
        where = f"directions.{case.template.directions}.{case.direction}"
        place = Place(part.files.options_file, where)
        for first in _places_of(parts.direction, text, start):
            yield Span("direction", first, first + len(parts.direction), place)


def _descriptions(
    sample: SampleDescription, text: str, start: int, end: int, place: Place
) -> Iterator[Span]:
    for first in _places_of(sample.text, text[:end], start):
        yield Span("description", first, first + len(sample.text), place, plural=sample.plural)


def _places_of(words: str, text: str, start: int) -> Iterator[int]:
    """Where words stand in a text, begun with a capital letter or not."""
    found = {words, words[:1].upper() + words[1:]} - {""}
    for spelt in found:
        at = text.find(spelt, start)
        while at >= 0:
            yield at
            at = text.find(spelt, at + len(spelt))
