"""`scoring.json`: what the shipped scorer knows of the questions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from export.harnesses.bundling import bundle_scorer
from export.harnesses.shipped import mira_scoring
from mira.errors import ReleaseError
from mira.release.asking import axis_words
from mira.release.reader import Row
from mira.taxonomy.catalogue import taxonomy


def write_scorer(root: Path, questions: Iterable[Row]) -> None:
    """Write the scorer and its file of right answers.

    Args:
        root: The folder of the harness.
        questions: Rows of `qa` that are asked.

    Raises:
        ReleaseError: A right answer is none that a reply could give, or a question has no place
            among the sub-tasks.
    """
    records = [_question(row) for row in questions]
    present = {record["subtask"] for record in records}
    head = {
        "axes": axis_words(),
        "subtasks": [
            {"id": one.id, "level": one.level} for one in taxonomy().subtasks if one.id in present
        ],
    }
    # A line a question, so that two files can be compared by eye.
    lines = b",\n".join(map(orjson.dumps, records))
    content = orjson.dumps(head)[:-1] + b',"questions":[\n' + lines + b"\n]}\n"
    (root / mira_scoring.SCORING_NAME).write_bytes(content)
    (root / "mira_scoring.py").write_text(bundle_scorer(), "utf-8")


def copy_shipped(root: Path, *names: str) -> None:
    """Copy files that run in the folder as they are."""
    for name in names:
        source = Path(mira_scoring.__file__).with_name(name)
        (root / name).write_bytes(source.read_bytes())


def _question(row: Row) -> dict[str, Any]:
    record = {
        "id": row["question_id"],
        "subtask": row["subtask"],
        "format": row["format"],
        "joint_group": row["joint_group"] if _is_joint(row) else None,
        "choices": [
            {"label": one["label"], "value": one["value"], "text": one["text"] or ""}
            for one in row["options"] or ()
        ],
    }
    answer = mira_scoring.read_answer(row["answer"], record, axis_words())
    if answer is None:
        problem = f"answer: expected one of format {row['format']}, found {row['answer']!r}"
        raise ReleaseError(row["question_id"], problem)
    return {**record, "answer": answer}


def _is_joint(row: Row) -> bool:
    known = {one.id: one.joint for one in taxonomy().subtasks}
    if row["subtask"] not in known:
        problem = f"subtask: expected one of the taxonomy, found {row['subtask']!r}"
        raise ReleaseError(row["question_id"], problem)
    if known[row["subtask"]] and row["joint_group"] is None:
        problem = f"joint_group: {row['subtask']} is scored jointly, found none"
        raise ReleaseError(row["question_id"], problem)
    return known[row["subtask"]]
