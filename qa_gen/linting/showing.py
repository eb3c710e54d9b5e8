"""All that a template can say, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mira.errors import TemplateError
from mira.schema.qa import Wording
from mira.schema.record import Record
from mira.taxonomy.catalogue import ProtocolInfo, taxonomy
from qa_gen.linting.checking import usable_wording
from qa_gen.linting.places import visible
from qa_gen.linting.structure import UsablePart
from qa_gen.wording import WordingBook
from qa_gen.wording_trials import TRIAL_SIZE_PX, trial_directions, trial_marks, trial_options

_DESCRIPTIONS = ("red cup", "old wooden chair")


class ShownQuestion(Record):
    """One question, and the protocols in which it is asked so."""

    field: str
    """Where its text stands, such as `vc_001.question.2`."""
    direction: str | None
    """Its direction, where the template has one."""
    protocols: tuple[str, ...]
    """Protocols that ask alike."""
    question: str
    """The question; signs that nobody sees as escapes."""
    option_texts: tuple[str, ...]
    """Its options, as many as there may be; empty where the answer is free."""


class _Asked(NamedTuple):
    field: str
    direction: str | None
    wording: Wording


def show_template(template_id: str, folder: Path | None = None) -> tuple[ShownQuestion, ...]:
    """Every question that a template can ask, text by text and direction by direction.

    Args:
        template_id: The template.
        folder: The wording files; ours if None. Texts that cannot be used are left out.

    Raises:
        TemplateError: There is no such template, its texts cannot be used, or the folder cannot
            be read.
    """
    known = [row.id for row in taxonomy().templates]
    if template_id not in known:
        raise TemplateError(template_id, f"expected one of {', '.join(known)}")
    part, book = usable_wording(folder)
    if template_id not in part.places:
        raise TemplateError(template_id, "expected a text that can be used, found none")
    together: dict[tuple[str, str | None, str, tuple[str, ...]], list[str]] = {}
    for asked in _asked(template_id, part, book):
        said = (asked.wording.question, asked.wording.option_texts)
        together.setdefault((asked.field, asked.direction, *said), []).append(
            asked.wording.protocol
        )
    return tuple(
        ShownQuestion(
            field=field,
            direction=direction,
            protocols=tuple(protocols),
            question=visible(question),
            option_texts=tuple(map(visible, options)),
        )
        for (field, direction, question, options), protocols in together.items()
    )


def _asked(template_id: str, part: UsablePart, book: WordingBook) -> Iterator[_Asked]:
    row = taxonomy().template(template_id)
    protocols = [taxonomy().protocol(protocol_id) for protocol_id in part.files.phrases]
    for k, place in enumerate(part.places[template_id]):
        for direction in trial_directions(row):
            for protocol in protocols:
                wording = _wording(book, template_id, protocol, k, direction)
                yield _Asked(place.where, direction, wording)


def _wording(
    book: WordingBook,
    template_id: str,
    protocol: ProtocolInfo,
    paraphrase: int,
    direction: str | None,
) -> Wording:
    row = taxonomy().template(template_id)
    marks = trial_marks(row)
    return book.wording(
        template_id,
        protocol,
        marks,
        descriptions={
            mark.instance_id: _DESCRIPTIONS[k % len(_DESCRIPTIONS)] for k, mark in enumerate(marks)
        },
        size_px=TRIAL_SIZE_PX,
        option_values=trial_options(row),
        direction=direction,
        paraphrase=paraphrase,
    )
