"""Hi-ToM (He et al., 2023): one JSON document, a question of order 0 to 4 a row.

Each question stands there twice, once behind an instruction (`prompting_type` VP) and once without
(CoTP). The instruction is the asker's business and is taken off the story; then the two are the
same, and where their answers differ nobody knows which is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, digest8, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import (
    SourceFile,
    field,
    require_list,
    require_object,
    text_field,
)

_BEFORE_OPTION = re.compile(r"(?:^|,\s*)[A-Z]\.\s+")
_NUMBERED = re.compile(r"\d+ .*\S")
_HIGHEST = 9


def recognises(file: SourceFile) -> bool:
    """Whether a file is Hi-ToM's."""
    return file.suffix == ".json" and b'"question_order"' in file.data[:65536]


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files; those about one story count together."""
    for file in files:
        if file.suffix != ".json":
            continue
        document = require_object(file.json(), file.path)
        rows = require_list(field(document, "data", file.path), f"{file.path}: data")
        for number, row in enumerate(rows):
            where = f"{file.path}: data.{number}"
            row = require_object(row, where)
            prompting = text_field(row, "prompting_type", where).casefold()
            if choices.prompting in ("both", prompting):
                yield _draft(row, where)


def _draft(row: dict[str, object], where: str) -> Draft:
    lines = (line.strip() for line in text_field(row, "story", where).split("\n"))
    story = "\n".join(line for line in lines if _NUMBERED.fullmatch(line))
    order = field(row, "question_order", where)
    if isinstance(order, bool) or not isinstance(order, int) or not 0 <= order <= _HIGHEST:
        raise TomSetError(f"{where}: question_order", f"expected 0 to {_HIGHEST}, found {order!r}")
    story_id = f"hitom-{digest8(story)}"
    told = "deception" if field(row, "deception", where) else "no deception"
    texts = _BEFORE_OPTION.split(text_field(row, "choices", where))[1:]
    return Draft(
        item_id=f"hitom-{slug(text_field(row, 'sample_id', where))}",
        where=where,
        story=story,
        question=text_field(row, "question", where),
        options=tuple(text.strip() for text in texts),
        right=text_field(row, "answer", where),
        kind="belief" if order else "control",
        order=order,
        condition=None if order else "reality",
        category=f"{told}, length {text_field(row, 'story_length', where)}",
        story_id=story_id,
        joint_group=story_id,
    )
