"""ToMBench (Chen et al., 2024): JSON lines, a file a task, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mira.evals.tom.drafts import Draft, digest8, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile, text_field
from mira.replies.bare_answers import plain_text
from mira.schema.episode import TomKind

_FIELDS = {
    "en": ("STORY", "QUESTION", "OPTION-"),
    "zh": ("故事", "问题", "选项"),
}
_LETTERS = "ABCD"
_BEFORE_OPTION = re.compile(r"^[A-D]\s*[.．、]\s*")
_KINDS: Mapping[str, TomKind] = {"Belief": "belief", "Knowledge": "belief"}
"""By the ability's group; emotions, desires, intentions and what words mean are states."""
_FALSE_BELIEF_TASK = "False Belief Task"
_CONTROLS = {"1": "reality", "2": "memory"}
"""What the first two of the six questions about a story check."""


class _Row(NamedTuple):
    where: str
    ability: str
    place: str
    story: str
    question: str
    options: Mapping[str, str]
    letter: str

    @property
    def right(self) -> str:
        return self.options.get(self.letter, self.letter)


def recognises(file: SourceFile) -> bool:
    """Whether a file is one of ToMBench's."""
    return file.suffix == ".jsonl" and b"ABILITY" in file.data[:4096]


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files."""
    for file in files:
        if file.suffix == ".jsonl":
            yield from _drafts(file, choices)


def _drafts(file: SourceFile, choices: ImportChoices) -> Iterator[Draft]:
    rows = [_row(fields, where, choices.language) for where, fields in file.json_lines()]
    is_false_belief = file.stem == _FALSE_BELIEF_TASK
    realities = {row.story: plain_text(row.right) for row in rows if row.place == "1"}
    ending = "" if choices.language == "en" else f"-{choices.language}"
    for number, row in enumerate(rows, start=1):
        kind = _KINDS.get(row.ability.partition(":")[0].strip(), "state")
        order = 2 if "Second-order" in row.ability else None
        condition = None
        if is_false_belief and row.place in _CONTROLS:
            kind, order, condition = "control", 0, _CONTROLS[row.place]
        elif is_false_belief:
            order = order or 1
            is_true = realities.get(row.story) == plain_text(row.right)
            condition = "true_belief" if is_true else "false_belief"
        yield Draft(
            item_id=f"tombench-{slug(file.stem)}-{number:04d}{ending}",
            where=row.where,
            story=row.story,
            question=row.question,
            options=tuple(row.options.values()),
            right=row.right,
            kind=kind,
            order=order,
            condition=condition,
            category=row.ability or file.stem,
            story_id=f"tombench-{slug(file.stem)}-{digest8(row.story)}",
        )


def _row(fields: Mapping[str, Any], where: str, language: str) -> _Row:
    """A line; names of fields may have another language before them, on a line of its own."""
    plain = {name.rpartition("\n")[2].strip(): value for name, value in fields.items()}
    story, question, option = _FIELDS[language]
    options = {letter: text_field(plain, f"{option}{letter}", where) for letter in _LETTERS}
    if language == "zh":
        options = {letter: _BEFORE_OPTION.sub("", text) for letter, text in options.items()}
    given = text_field(plain, "ANSWER", where).strip().rstrip(".").strip()
    return _Row(
        where=where,
        ability=" ".join(text_field(plain, "ABILITY", where).split()),
        place=text_field(plain, "INDEX", where),
        story=text_field(plain, story, where),
        question=text_field(plain, question, where),
        options={letter: text for letter, text in options.items() if text},
        letter=given,
    )
