"""Read replies to mirror questions and score them; needs Python 3.10 alone.

A reply is read strictly: it is one bare answer, or one JSON object whose `final_answer` is one.
Nothing is guessed between two answers, and nothing that is missing is filled in.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

RIGHT, WRONG, UNPARSABLE, UNSCORED = "right", "wrong", "unparsable", "unscored"
SCORING_NAME = "scoring.json"
Record = dict[str, Any]
Axes = Mapping[str, Sequence[str]]
"""The words of each axis."""
_SYNONYMS = {"upper": "above", "lower": "below", "back": "behind"}
_WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(?:\.0+)?")


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
    answer = read_reply(reply, question, scoring["axes"])
    if answer is None:
        return UNPARSABLE
    return RIGHT if answer == question["answer"] else WRONG


def read_reply(text: str, question: Record, axes: Axes) -> str | None:
    """The one answer that a reply gives, or None."""
    text = text.strip()
    bare = _final_answer(text) if text.startswith("{") else text
    return None if bare is None else read_answer(bare, question, axes)


def read_answer(text: str, question: Record, axes: Axes) -> str | None:
    """The answer that a bare text is, or None.

    It comes as in the record: a label; `yes`, `no` or `not_sure`; a number in digits; three words
    with commas (horizontal, vertical, depth).
    """
    text = _plain(text)
    if question["format"] == "count":
        match = _WHOLE_NUMBER.fullmatch(text)
        return str(int(match[1])) if match else None
    if question["format"] == "spatial_3d_axes":
        return _read_axes(text, axes)
    if question["format"] == "single_choice_plus_text":
        return _read_choice_and_words(text, question)
    return _read_choice(text, question)


def _final_answer(text: str) -> str | None:
    try:
        document = json.loads(text, parse_constant=_refuse)
        # Half of a pair of code units is no text, in whatever key it hides.
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    value = document.get("final_answer")
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return ", ".join(value)
    return value if isinstance(value, str) else None


def _refuse(name: str) -> None:
    raise ValueError(f"no JSON: {name}")


def _read_choice(text: str, question: Record) -> str | None:
    choices = question["choices"]
    found = [one for one in choices if text == _plain(one["label"])]
    found = found or [one for one in choices if text in _names(one, question)]
    if len(found) != 1:
        return None
    return str(found[0]["value" if question["format"] == "yes_no" else "label"])


def _names(choice: Record, question: Record) -> set[str]:
    label, words = _plain(choice["label"]), _plain(choice["text"])
    names = {words, *(f"{label}{sign} {words}" for sign in ".):")} if words else set()
    return names | {_plain(choice["value"])} if question["format"] == "yes_no" else names


def _read_choice_and_words(text: str, question: Record) -> str | None:
    """A choice, or its label with `.`, `)` or `:` and then words that are no choice."""
    named = _read_choice(text, question)
    label, _, words = text.partition(" ")
    if named is not None or not label.endswith((".", ")", ":")):
        return named
    return None if _read_choice(words, question) else _read_choice(label[:-1], question)


def _read_axes(text: str, axes: Axes) -> str | None:
    """One word an axis; a word of several axes goes, in order, to those that have none yet."""
    text = re.sub(r"same[ -]depth", "same_depth", re.sub(r"\s+of$", "", text))
    found: dict[str, str] = {}
    shared: list[str] = []
    for word in filter(None, re.split(r"[\s,;/-]+", text)):
        known = _SYNONYMS.get(word, word)
        owners = [axis for axis, words in axes.items() if known in words]
        if len(owners) > 1:
            shared.append(known)
        elif not owners or owners[0] in found:
            return None
        else:
            found[owners[0]] = known
    open_axes = [axis for axis in axes if axis not in found]
    if len(shared) != len(open_axes):
        return None
    for axis, word in zip(open_axes, shared, strict=True):
        if word not in axes[axis]:
            return None
        found[axis] = word
    return ",".join(found[axis] for axis in axes)


def _plain(text: str) -> str:
    text = " ".join(text.replace("_", " ").casefold().split())
    return (text[:-1] if text.endswith(".") else text).rstrip()


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
