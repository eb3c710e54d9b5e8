"""MIRA-Bench, tables 1 and 2: averages from sub-tasks, chance, and counts behind a percentage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from mira.evals.mira_bench.tallies import (
    BoolArray,
    FloatArray,
    row_keys,
    row_members,
    weighted_averages,
)
from mira.evals.papers.records import PaperCheck
from mira.evals.papers.tables import Row, check_cell, read_table

SUBTASKS = ("vc", "mc", "mr", "ct", "mpac", "re", "as", "cr")
AVERAGES = ("perception", "spatial", "decision", "overall")
_CELL = 0.05
"""Percentages are printed with one decimal."""
_CHANCE = {
    "vc": (12.5, "three questions of two options each"),
    "mr": (100 / 27, "three words on each of three axes"),
    "mpac": (25.0, "four options"),
    "re": (100 / 3, "three options"),
    "as": (100 / 6, "six options"),
    "cr": (100 / 3, "three options"),
}
_UNDECIDED = {
    "mc": "follows from the number of candidates of each question, which is not in print",
    "ct": "follows from the number of objects of each picture, which is not in print",
}
_GUESSER = "Random Guess"


def check_mira_tables() -> Iterator[PaperCheck]:
    """Cells of tables 1 and 2 that follow from others."""
    rows = read_table("mira_accuracy")
    for row in rows:
        yield from _averages(row)
    for row in rows:
        if row["row"] == _GUESSER:
            yield from _chance(row)
        elif not row["row"].startswith("Human"):
            yield _whole_questions(row)


def question_counts() -> dict[str, int]:
    """Questions of each sub-task.

    They are not in print: these are whole numbers within the ranges that the printed averages and
    the totals of the levels (8,090, 3,430, 2,620) leave.
    """
    return {row["subtask"]: int(row["questions"]) for row in read_table("mira_questions")}


def averages_of(row: Row, questions: dict[str, int]) -> FloatArray:
    """W-Avg of the three levels and Overall, from the cells of the sub-tasks."""
    values = np.array([float(row[subtask]) for subtask in SUBTASKS])
    weights = np.array([questions[subtask] for subtask in SUBTASKS], dtype=float)
    return weighted_averages(values, weights, _members())[-len(AVERAGES) :]


@cache
def _members() -> BoolArray:
    return row_members(row_keys(SUBTASKS), SUBTASKS)


def _averages(row: Row) -> Iterator[PaperCheck]:
    for column, value in zip(AVERAGES, averages_of(row, question_counts()), strict=True):
        yield check_cell(
            "mira",
            row["table"],
            f"{row['row']} / {column}",
            rule="average-by-questions",
            published=row[column],
            recomputed=float(value),
            tolerance=2 * _CELL,
            reason="is no average of its sub-tasks that weighs them by their questions",
        )


def _chance(row: Row) -> Iterator[PaperCheck]:
    for subtask, (chance, why) in _CHANCE.items():
        yield check_cell(
            "mira",
            row["table"],
            f"{row['row']} / {subtask}",
            rule="chance",
            published=row[subtask],
            recomputed=chance,
            tolerance=_CELL,
            reason=f"{why} give {chance:.1f}; less needs more options in some questions, or draws",
        )
    for subtask, reason in _UNDECIDED.items():
        yield PaperCheck(
            paper="mira",
            table=row["table"],
            cell=f"{row['row']} / {subtask}",
            rule="chance",
            published=row[subtask],
            recomputed=None,
            tolerance=None,
            verdict="not_recomputable",
            reason=reason,
        )


def _whole_questions(row: Row) -> PaperCheck:
    """Collision risk is asked in no protocol, so its accuracies are shares of few questions."""
    questions = question_counts()["cr"]
    right = round(float(row["cr"]) * questions / 100)
    return check_cell(
        "mira",
        row["table"],
        f"{row['row']} / cr",
        rule="share-of-whole-questions",
        published=row["cr"],
        recomputed=100 * right / questions,
        tolerance=_CELL,
        reason=f"is no share of {questions} questions",
    )
