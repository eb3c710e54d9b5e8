"""MMToM-QA (Jin et al., 2024), its text: JSON lines, the scene and the question in one text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile, text_field
from mira.schema.episode import TomKind

_OPTION = re.compile(r"\(([a-z])\)\s*")
_HOW_TO_REPLY = re.compile(r"\s*Please respond with [^.]*\.\s*$")


class _Type(NamedTuple):
    name: str
    kind: TomKind
    condition: str | None


_TYPES = {
    "1.1": _Type("belief, true, short-term", "belief", "true_belief"),
    "1.2": _Type("belief, false, short-term", "belief", "false_belief"),
    "1.3": _Type("belief, tracked over time", "belief", None),
    "2.1": _Type("goal, given a true belief", "state", "true_belief"),
    "2.2": _Type("goal, given a false belief", "state", "false_belief"),
    "2.3": _Type("goal, given an updated belief", "state", None),
    "2.4": _Type("goal, given what follows", "state", None),
}
"""Section 3.2 of its paper."""


def recognises(file: SourceFile) -> bool:
    """Whether a file is MMToM-QA's."""
    return (
        file.suffix in (".json", ".jsonl")
        and b'"question_type"' in file.data[:65536]
        and (b'"answer_list"' in file.data[:65536])
    )


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files."""
    del choices
    for file in files:
        if file.suffix in (".json", ".jsonl"):
            for where, row in file.json_lines():
                yield _draft(row, where)


def _draft(row: Mapping[str, Any], where: str) -> Draft:
    number = text_field(row, "question_type", where)
    if number not in _TYPES:
        raise TomSetError(
            f"{where}: question_type", f"expected one of {', '.join(_TYPES)}, found {number!r:.60}"
        )
    story, told, asked = text_field(row, "question", where).partition("\nQuestion:")
    if not told:
        raise TomSetError(f"{where}: question", "expected a line that begins with Question:")
    question, *parts = _OPTION.split(_HOW_TO_REPLY.sub("", asked))
    by_letter = {letter: text.strip() for letter, text in zip(parts[::2], parts[1::2], strict=True)}
    episode, end = (text_field(row, name, where) for name in ("episode", "end_time"))
    answer = text_field(row, "answer", where)
    kind = _TYPES[number]
    return Draft(
        item_id=f"mmtom-{slug(number)}-{slug(episode)}-{slug(end)}",
        where=where,
        story=story.strip(),
        question=question.strip(),
        options=tuple(by_letter.values()),
        right=by_letter.get(answer, "" if not answer else f"option {answer}"),
        kind=kind.kind,
        order=1 if kind.kind == "belief" else None,
        condition=kind.condition,
        category=kind.name,
        story_id=f"mmtom-{slug(episode)}",
    )
