"""Reading a published `questions.json`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import orjson
from pydantic import ValidationError

from mira.errors import MiraError
from mira.published.records import QUESTIONS_NAME, PublishedQuestion
from mira.schema.finding import Finding

_PLACES = (QUESTIONS_NAME, f"annotations/{QUESTIONS_NAME}")
"""Where a folder may have the file: ours, and the layout of the first release."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class NumberedQuestion(NamedTuple):
    """An entry and its place in the file, from 0."""

    number: int
    question: PublishedQuestion


class PublishedFile(NamedTuple):
    """What a file holds, and which of its entries are none."""

    path: Path
    questions: tuple[NumberedQuestion, ...]
    """Entries that can be read, in their order."""
    findings: tuple[Finding, ...]
    """The others, by place and field; and entries, read all the same, whose id came before."""


class QuestionsFileError(MiraError):
    """A published question file cannot be read at all."""


def read_published(source: Path) -> PublishedFile:
    """The entries of a published file; one that cannot be read is told and left out.

    Args:
        source: The file, or a folder with it.

    Raises:
        QuestionsFileError: There is no such file, or it is no JSON list.
    """
    path = _find(source)
    try:
        data = path.read_bytes().removeprefix(_BYTE_ORDER_MARK)
    except OSError as error:
        raise QuestionsFileError(path, f"cannot be read: {error.strerror or error}") from None
    try:
        entries = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise QuestionsFileError(path, f"expected a JSON list, found a fault: {error}") from None
    if not isinstance(entries, list):
        raise QuestionsFileError(path, f"expected a JSON list, found {type(entries).__name__}")
    questions: list[NumberedQuestion] = []
    findings: list[Finding] = []
    first_places: dict[str, int] = {}
    for number, entry in enumerate(entries):
        try:
            question = PublishedQuestion.model_validate(entry)
        except ValidationError as error:
            findings.extend(_faults(error, number, path))
            continue
        questions.append(NumberedQuestion(number, question))
        first = first_places.setdefault(question.question_id, number)
        if first != number:
            findings.append(
                Finding(
                    code="id-repeated",
                    severity="warning",
                    path=str(path),
                    where=f"[{number}].question_id",
                    message=f"expected an id of its own, found that of entry {first}",
                )
            )
    return PublishedFile(path, tuple(questions), tuple(findings))


def _find(source: Path) -> Path:
    if not source.is_dir():
        return source
    for place in _PLACES:
        if (source / place).is_file():
            return source / place
    raise QuestionsFileError(source, f"expected {' or '.join(_PLACES)} in it, found neither")


def _faults(error: ValidationError, number: int, path: Path) -> list[Finding]:
    found = []
    for fault in error.errors(include_url=False, include_context=False):
        field = ".".join(str(part) for part in fault["loc"])
        where = f"[{number}].{field}" if field else f"[{number}]"
        what = "nothing" if fault["type"] == "missing" else f"{fault['input']!r:.60}"
        expected = {"missing": "a value", "model_type": "an object"}.get(fault["type"])
        kinds = {"string_type": "text", "bool_type": "true or false", "tuple_type": "a list"}
        expected = expected or kinds.get(fault["type"]) or str(fault["msg"]).lower()
        found.append(_finding(path, where, f"expected {expected}, found {what}"))
    return found


def _finding(path: Path, where: str, message: str) -> Finding:
    return Finding(
        code="entry-unreadable", severity="error", path=str(path), where=where, message=message
    )
