"""The rendered rows of a release against the questions that they show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from export.verify.findings import finding
from mira.release.reader import Row, read_questions, read_rows
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding

_SAID = ("question_id", "image_id", "question", "options", "answer")


def check_preview(release: Path, info: ReleaseInfo) -> Iterator[Finding]:
    """Rows of `qa_preview` that are no questions of `qa`, or say something else.

    Args:
        release: The folder.
        info: What it says of itself; releases of older programs have no such table.
    """
    if "qa_preview" not in {config.name for config in info.configs}:
        return
    shown: dict[str, Row] = {
        row["question_id"]: row for row in read_rows(release, "qa_preview", columns=_SAID)
    }
    for row in read_questions(release, columns=_SAID):
        preview = shown.pop(row["question_id"], None)
        if preview is not None and preview != row:
            odd = [name for name in row if preview[name] != row[name]]
            message = f"expected {', '.join(odd)} as in qa"
            yield finding("preview-stale", release, row["question_id"], message)
    for question_id in shown:
        yield finding("preview-stale", release, question_id, "qa has no such question")
