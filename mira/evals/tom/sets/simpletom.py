"""SimpleToM (Gu et al., 2024): JSON lines in the three layouts its authors publish.

As questions with choices (the data set on the Hub), as stories with a right and a wrong answer
(what their generator writes), as prompts with the letter that is right (what their inference
writes). A story has up to three: whether somebody is aware of something, what they will do, and
whether that is sensible. The first is asked outright, the others take it as known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, drawn_order, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import (
    SourceFile,
    field,
    require_list,
    require_object,
    text_field,
)
from mira.schema.episode import TomKind

_KINDS: Mapping[str, TomKind] = {
    "aware": "belief",
    "mental": "belief",
    "action": "action",
    "behavior": "action",
    "judge": "judgement",
    "judgment": "judgement",
}
_CATEGORIES = {"belief": "mental state", "action": "behaviour", "judgement": "judgement"}
_PROMPT = re.compile(
    r"Story:\s*\n(?P<story>.*?)\n\s*\nQuestion:(?P<question>.*?)\n"
    r"\(A\)(?P<A>.*?)\n\(B\)(?P<B>.*?)\n",
    re.DOTALL,
)
_LAYOUTS = (b'"answerKey"', b'"answer_incorrect"', b'"correct"')


def recognises(file: SourceFile) -> bool:
    """Whether a file is one of SimpleToM's."""
    head = file.data[:65536]
    return file.suffix == ".jsonl" and b'"id"' in head and any(key in head for key in _LAYOUTS)


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files; those about one story count together."""
    del choices
    for file in files:
        if file.suffix == ".jsonl":
            for where, row in file.json_lines():
                yield _draft(row, where)


def _draft(row: Mapping[str, Any], where: str) -> Draft:
    name = text_field(row, "id", where)
    text, _, ending = name.rpartition("_")
    if ending not in _KINDS:
        raise TomSetError(
            f"{where}: id", f"expected an ending of {', '.join(_KINDS)}: {name!r:.60}"
        )
    item_id = f"simpletom-{slug(name)}"
    story, question, options, right = _asked(row, item_id, where)
    kind = _KINDS[ending]
    return Draft(
        item_id=item_id,
        where=where,
        story=story,
        question=question,
        options=options,
        right=right,
        kind=kind,
        order=1 if kind == "belief" else None,
        category=_CATEGORIES[kind],
        story_id=f"simpletom-{slug(re.sub(r'_sev[0-9]+$', '', text))}",
        joint_group=f"simpletom-{slug(text)}",
    )


def _asked(
    row: Mapping[str, Any], item_id: str, where: str
) -> tuple[str, str, tuple[str, ...], str]:
    """Story, question, options and the right one, in whichever layout they stand."""
    if "prompt" in row:
        return _of_prompt(text_field(row, "prompt", where), row, where)
    story, question = (text_field(row, name, where) for name in ("story", "question"))
    if "answer_incorrect" in row:
        right = text_field(row, "answer_correct", where)
        both = (right, text_field(row, "answer_incorrect", where))
        return story, question, drawn_order(both, item_id), right
    told = require_object(field(row, "choices", where), f"{where}: choices")
    labels, texts = (
        tuple(map(str, require_list(field(told, name, where), f"{where}: choices.{name}")))
        for name in ("label", "text")
    )
    key = text_field(row, "answerKey", where)
    by_label = dict(zip(labels, texts, strict=False))
    return story, question, texts, by_label.get(key, "" if not key else f"option {key}")


def _of_prompt(
    prompt: str, row: Mapping[str, Any], where: str
) -> tuple[str, str, tuple[str, ...], str]:
    match = _PROMPT.search(prompt + "\n")
    if match is None:
        raise TomSetError(
            f"{where}: prompt", "expected a story, a question, (A) and (B), found something else"
        )
    by_label = {label: match[label].strip() for label in ("A", "B")}
    key = text_field(row, "correct", where)
    right = by_label.get(key, "" if not key else f"option {key}")
    return match["story"].strip(), match["question"].strip(), tuple(by_label.values()), right
