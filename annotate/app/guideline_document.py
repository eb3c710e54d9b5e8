"""`docs/guidelines.md`: the guidelines on paper."""

from __future__ import annotations

from collections.abc import Iterator

from annotate.app.guidelines import Guideline, guidelines
from mira.taxonomy.catalogue import taxonomy

_HEAD = """# How answers are decided

For who answers and who reviews. [The desk](app.md) shows the same beside each question, by key `G`.
Made of `annotate/app/guidelines.yaml` by `scripts/make_guidelines`.
"""


def guideline_document() -> str:
    """The document, as Markdown."""
    parts = [_HEAD]
    for subtask in taxonomy().subtasks:
        parts.append(f"\n## {subtask.name}\n")
        for guideline in guidelines():
            if taxonomy().template(guideline.template_id).subtask == subtask.id:
                parts.extend(_section(guideline))
    return "".join(parts)


def _section(guideline: Guideline) -> Iterator[str]:
    yield f"\n### `{guideline.template_id}`: {guideline.asks}\n\n"
    yield "".join(f"- {line}\n" for line in guideline.rule)
    for title, meanings in (("answer", guideline.answers), ("direction", guideline.directions)):
        if meanings:
            rows = (f"| {word.replace('_', ' ')} | {told} |\n" for word, told in meanings.items())
            yield f"\n| {title} | when it holds |\n|---|---|\n{''.join(rows)}"
    example = guideline.example
    yield f"\n> **For example.** {example.scene}\n>\n> **{example.answer}**: {example.why}\n"
    yield f"\n**Cannot be told?** {guideline.unsure}\n"
