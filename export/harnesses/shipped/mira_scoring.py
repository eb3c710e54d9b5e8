"""Read replies to mirror questions and score them; needs Python 3.10 alone.

A reply is a bare answer, or holds a JSON object whose `final_answer` is one, or what is nearly
such an object. Nothing is guessed between two answers, and nothing that is missing is filled in.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mira.replies.bare_answers import AnswerForm, Choice, read_bare_answer
from mira.replies.reading import read_reply

RIGHT, WRONG, UNPARSABLE, UNSCORED = "right", "wrong", "unparsable", "unscored"
SCORING_NAME = "scoring.json"
Record = dict[str, Any]
Axes = Mapping[str, Sequence[str]]
"""The words of each axis."""


def read_scoring(folder: Path) -> Record:
    """What stands beside the questions: the right answers, sub-tasks and words of axes."""
    content: Record = json.loads((folder / SCORING_NAME).read_text("utf-8"))
    return content


def score_replies(scoring: Record, replies: Mapping[str, str | None]) -> Record:
    """Accuracy by sub-task, by level and overall.

    Args:
        scoring: As `read_scoring` gives it.
        replies: What was said to a question, by its id; None where the call failed. A question
            that is missing was not asked, and both are left out of every accuracy.

    Returns:
        `complete`: whether all was scored. `rows`: each with `name`, `value` (a share of 1; None
        where nothing was scored), `n`, `n_unparsable` and `n_unscored` (questions).
    """
    asked: dict[str, list[list[str]]] = defaultdict(list)
    for subtask, questions in _units(scoring["questions"]):
        asked[subtask].append([judge(one, replies.get(one["id"]), scoring) for one in questions])
    counts = {
        one["id"]: _count(asked[one["id"]]) for one in scoring["subtasks"] if one["id"] in asked
    }
    levels: dict[str, list[Record]] = {}
    for one in scoring["subtasks"]:
        if one["id"] in counts:
            levels.setdefault(one["level"], []).append(counts[one["id"]])
    rows = [_row(name, [count]) for name, count in counts.items()]
    rows += [_row(f"level:{level}", members) for level, members in levels.items()]
    rows.append(_row("overall", list(counts.values())))
    return {"complete": not rows[-1]["n_unscored"], "rows": rows}


def flat_scores(table: Record) -> Record:
    """The table as one mapping: overall, levels and sub-tasks by name, and the counts of all."""
    rows = table["rows"]
    ordered = sorted(rows, key=lambda row: (row != rows[-1], not row["name"].startswith("level:")))
    counts = {key: rows[-1][key] for key in ("n", "n_unparsable", "n_unscored")}
    return {**{row["name"]: row["value"] for row in ordered}, **counts}


def prediction_line(question_id: str, reply: str | None) -> str:
    """A reply as a line of the JSON lines that `mira eval score` reads."""
    said = {"status": "failed"} if reply is None else {"raw_text": reply}
    return json.dumps({"question_id": question_id, **said}) + "\n"


def judge(question: Record, reply: str | None, scoring: Record) -> str:
    """What became of a question: right, wrong, unparsable or unscored."""
    if reply is None:
        return UNSCORED
    answer = answer_of_reply(reply, question, scoring["axes"])
    if answer is None:
        return UNPARSABLE
    return RIGHT if answer == question["answer"] else WRONG


def read_answer(text: str, question: Record, axes: Axes) -> str | None:
    """The answer that a bare text is, or None.

    It comes as in the record: a label; `yes`, `no` or `not_sure`; a number in digits; three words
    with commas (horizontal, vertical, depth).
    """
    return read_bare_answer(text, _form_of(question, axes))


def answer_of_reply(text: str, question: Record, axes: Axes) -> str | None:
    """The one answer that a reply gives, or None."""
    return read_reply(text, _form_of(question, axes)).answer


def _form_of(question: Record, axes: Axes) -> AnswerForm:
    choices = (Choice(one["label"], one["value"], one["text"]) for one in question["choices"])
    return AnswerForm(question["format"], tuple(choices), axes)


def _units(questions: list[Record]) -> list[tuple[str, list[Record]]]:
    """Questions by what counts as one: those of a joint group, else each for itself."""
    units: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for one in questions:
        key = ("joint", one["joint_group"]) if one["joint_group"] else ("one", one["id"])
        units[key].append(one)
    return [(unit[0]["subtask"], unit) for unit in units.values()]


def _count(units: list[list[str]]) -> Record:
    scored = [unit for unit in units if UNSCORED not in unit]
    every = [outcome for unit in units for outcome in unit]
    right = sum(set(unit) == {RIGHT} for unit in scored)
    return {
        "value": right / len(scored) if scored else None,
        "n": len(every),
        "n_unparsable": every.count(UNPARSABLE),
        "n_unscored": every.count(UNSCORED),
    }


def _row(name: str, members: list[Record]) -> Record:
    """An average weighed by questions; a sub-task of which nothing was scored is left out."""
    heard = [one for one in members if one["value"] is not None]
    total = sum(one["n"] for one in heard)
    value = sum(one["value"] * one["n"] for one in heard) / total if heard else None
    counts = {key: sum(one[key] for one in members) for key in ("n", "n_unparsable", "n_unscored")}
    return {"name": name, "value": value, **counts}
