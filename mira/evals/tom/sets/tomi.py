"""ToMi (Le, Boureau and Nickel, 2019): numbered sentences and a question behind a tab.

`STEM.txt` has a story of several lines before each question, `STEM.trace` beside it one line a
question that ends with the kind of question and the kind of story. Where the trace is missing, the
kind follows from the question and nobody knows whether the belief is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile
from mira.schema.episode import TomKind

_LINE = re.compile(r"(\d+) (.+)")
_QUESTION_PARTS = (2, 3)
"""Question, answer, and line numbers that some versions give behind it."""


class _Asked(NamedTuple):
    where: str
    story: tuple[str, ...]
    question: str
    answer: str


def recognises(file: SourceFile) -> bool:
    """Whether a file is one of ToMi's."""
    if file.suffix != ".txt":
        return False
    lines = file.data[:4096].decode("utf-8", "replace").splitlines()
    return bool(lines) and lines[0].startswith("1 ") and any("\t" in line for line in lines)


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files; the six about a story count together."""
    del choices
    traces = {file.trunk: file for file in files if file.suffix == ".trace"}
    for file in files:
        if file.suffix == ".txt":
            yield from _drafts(file, traces.get(file.trunk))


def _drafts(file: SourceFile, trace: SourceFile | None) -> Iterator[Draft]:
    asked = list(_questions(file))
    kinds = [None] * len(asked) if trace is None else _traced(trace, len(asked))
    number, place = 0, 0
    before: tuple[str, ...] = ()
    for one, traced in zip(asked, kinds, strict=True):
        number, place = (number, place + 1) if one.story == before else (number + 1, 1)
        before = one.story
        story_id = f"tomi-{slug(file.stem)}-{number:04d}"
        kind, order, condition = _kind(one.question, traced)
        yield Draft(
            item_id=f"{story_id}-{place}",
            where=one.where,
            story="\n".join(one.story),
            question=one.question,
            options=(),
            right=one.answer,
            kind=kind,
            order=order,
            condition=condition,
            category=traced,
            story_id=story_id,
            joint_group=story_id,
        )


def _questions(file: SourceFile) -> Iterator[_Asked]:
    story: list[str] = []
    for number, line in enumerate(file.text().split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{file.path}:{number}"
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise TomSetError(where, f"expected a number and a sentence, found {line!r:.60}")
        if match[1] == "1":
            story = []
        parts = match[2].split("\t")
        if len(parts) == 1:
            story.append(f"{match[1]} {match[2].strip()}")
        elif len(parts) in _QUESTION_PARTS:
            yield _Asked(where, tuple(story), parts[0].strip(), parts[1].strip())
        else:
            raise TomSetError(where, f"expected a question and an answer, found {len(parts)} parts")


def _traced(trace: SourceFile, count: int) -> list[str]:
    """The kind of question of each line."""
    kinds = []
    lines = [line for line in trace.text().split("\n") if line.strip()]
    if len(lines) != count:
        raise TomSetError(
            trace.path, f"expected a line a question, {count:,}, found {len(lines):,}"
        )
    for number, line in enumerate(lines, start=1):
        words = line.strip().split(",")
        if len(words) < 2:
            raise TomSetError(
                f"{trace.path}:{number}",
                f"expected the kinds of question and story at its end, found {line!r:.60}",
            )
        kinds.append(words[-2])
    return kinds


def _kind(question: str, traced: str | None) -> tuple[TomKind, int | None, str | None]:
    """Kind, order and condition.

    A question that needs theory of mind, as the trace has it, is one whose answer is not where
    the thing really is: a false belief.
    """
    condition = None
    if traced is not None:
        condition = "true_belief" if traced.endswith("_no_tom") else "false_belief"
    words = question.casefold()
    if traced == "memory" or (traced is None and "beginning" in words):
        return "control", 0, "memory"
    if traced == "reality" or (traced is None and "really" in words):
        return "control", 0, "reality"
    if (traced or "").startswith("second") or (traced is None and " think" in words):
        return "belief", 2, condition
    return "belief", 1, condition
