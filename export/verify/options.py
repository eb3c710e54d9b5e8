"""Options and answers of questions against the taxonomy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from export.verify.findings import finding
from export.verify.rows import QuestionRow
from mira.schema.finding import Finding
from mira.taxonomy.catalogue import TaskTemplate, taxonomy

_CHOICES = ("yes_no", "single_choice", "single_choice_plus_text")


def check_options(
    release: Path, question: QuestionRow, template: TaskTemplate
) -> Iterator[Finding]:
    """Options that cannot be told apart, or an answer that is none of them."""
    where = question.question_id
    if question.format != template.format:
        message = f"expected {template.format!r}, found {question.format!r}"
        yield finding("format", release, where, message)
        return
    for name in ("label", "value", "text"):
        found = [getattr(option, name) for option in question.options]
        if len(set(found)) != len(found):
            yield finding("options", release, where, f"each {name} once is expected: {found}")
    words = taxonomy().option_sets.get(template.options or "", ())
    values = [option.value for option in question.options]
    if isinstance(words, tuple) and words and not set(values) <= set(words):
        message = f"expected values of {list(words)}, found {values}"
        yield finding("options", release, where, message)
    if expected := _expected_answer(question):
        message = f"expected {expected}, found {question.answer!r}"
        yield finding("answer", release, where, message)


def _expected_answer(question: QuestionRow) -> str | None:
    """In words, what the answer should be but is not."""
    answer = question.answer
    if question.format in _CHOICES:
        labels = [option.label for option in question.options]
        return None if answer in labels else f"one of {labels}"
    if question.format == "count":
        most = question.count_max
        counts = answer.isascii() and answer.isdigit() and (most is None or int(answer) <= most)
        return None if counts else f"a number up to {most}"
    axes = taxonomy().option_sets["axes"]
    words = answer.split(",")
    if isinstance(axes, dict) and len(words) == len(axes):
        known = zip(words, axes.values(), strict=True)
        return None if all(word in allowed for word, allowed in known) else "a word of each axis"
    return "three words with commas"
