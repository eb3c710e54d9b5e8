"""MuMA-ToM (Shi et al., 2025), its text: one JSON document, four questions an episode.

Episodes are told twice, with their questions and in `texts.json`. The telling that stands with the
questions is asked: in the other some people have another name than in their questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile, field, require_object, text_field
from mira.schema.episode import TomKind

_TEXTS = "texts"
_OPTION = re.compile(r"^\s*([A-Z])\)\s*", re.MULTILINE)
_KINDS: Mapping[str, tuple[TomKind, int | None]] = {
    "belief": ("belief", 1),
    "social_goal": ("state", None),
    "belief_of_goal": ("belief", 2),
}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": ""}
_NAME = re.compile(r"\b[A-Z][a-z]+\b")


def recognises(file: SourceFile) -> bool:
    """Whether a file is MuMA-ToM's with the questions."""
    head = file.data[: 1 << 20]
    return file.suffix == ".json" and b'"answers"' in head and b'"labels"' in head


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files."""
    del choices
    texts: dict[str, Any] = {}
    for file in files:
        if file.suffix == ".json" and file.stem == _TEXTS:
            texts |= require_object(file.json(), file.path)
    for file in files:
        if file.suffix == ".json" and file.stem != _TEXTS:
            for key, row in require_object(file.json(), file.path).items():
                where = f"{file.path}: {key}"
                yield from _drafts(require_object(row, where), key, where, texts.get(key))


def _drafts(row: Mapping[str, Any], key: str, where: str, text: Any) -> Iterator[Draft]:
    told = row.get("description", text)
    if not isinstance(told, str):
        raise TomSetError(f"{where}: description", "expected text, found none")
    story = _decoded(told)
    asked, answers, labels = (
        require_object(field(row, name, where), f"{where}: {name}")
        for name in ("questions", "answers", "labels")
    )
    for number in asked:
        label = text_field(labels, number, f"{where}: labels")
        if label not in _KINDS:
            raise TomSetError(
                f"{where}: labels.{number}", f"expected one of {', '.join(_KINDS)}: {label!r:.60}"
            )
        kind, order = _KINDS[label]
        question, *parts = _OPTION.split(text_field(asked, number, f"{where}: questions"))
        right = _OPTION.sub("", text_field(answers, number, f"{where}: answers"), count=1)
        yield Draft(
            item_id=f"mumatom-{slug(key)}-{slug(number)}",
            where=f"{where}.questions.{number}",
            story=story,
            question=question.strip(),
            options=tuple(option.strip() for option in parts[1::2]),
            right=right.strip(),
            kind=kind,
            order=order,
            category=label,
            story_id=f"mumatom-{slug(key)}",
            names=_people(right),
        )


def _people(right: str) -> tuple[str, ...]:
    """Names in a right answer: words with a capital that do not begin it."""
    return tuple(dict.fromkeys(match[0] for match in _NAME.finditer(right) if match.start()))


def _decoded(text: str) -> str:
    """Text of what looks like a Python literal of bytes, as the set gives it."""
    if text[:2] not in ("b'", 'b"'):
        return text.strip()
    inner = text[2:].removesuffix(text[1])

    def plain(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPED.get(code, code)

    decoded = _ESCAPE.sub(plain, inner)
    try:
        return decoded.encode("latin-1").decode("utf-8").strip()
    except UnicodeError:
        return decoded.strip()
