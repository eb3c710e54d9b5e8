"""The questions of this folder as a task of lmms-eval."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from PIL import Image

FOLDER = Path(__file__).resolve().parent
_FAILED = "[LMMS_EVAL_REQUEST_FAILED"
"""What the harness puts in place of a reply that never came."""
_COUNTS = {"unparsable": "n_unparsable", "unscored": "n_unscored"}
Entry = dict[str, Any]


@cache
def _scorer() -> ModuleType:
    """The scorer beside this file, whatever else is called so."""
    path = FOLDER / "mira_scoring.py"
    spec = importlib.util.spec_from_file_location("mira_scoring", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def doc_to_visual(doc: dict[str, Any]) -> list[Image.Image]:
    """The pictures of a question in their order."""
    pictures = []
    for path in doc["images"]:
        with Image.open(FOLDER / path) as picture:
            pictures.append(picture.convert("RGB"))
    return pictures


def doc_to_text(doc: dict[str, Any], _options: object = None) -> str:
    """The text that goes with them."""
    return str(doc["prompt"])


def doc_to_target(doc: dict[str, Any], _options: object = None) -> str:
    """The right answer."""
    return str(doc["answer"])


def process_results(doc: dict[str, Any], results: list[Any]) -> dict[str, Entry]:
    """The reply, for every figure it counts in."""
    # A model that refuses may say nothing at all, which is no answer but was heard.
    reply = results[0] if isinstance(results[0], str) else ""
    said = None if reply.startswith(_FAILED) else reply
    entry = {"question_id": doc["question_id"], "raw_text": said}
    names = ("overall", *_COUNTS, f"level_{doc['level']}", doc["subtask"])
    return dict.fromkeys(names, entry)


def _table(entries: list[Entry]) -> dict[str, Any]:
    """Scores of all questions of the folder: those that were not asked are unscored."""
    scorer = _scorer()
    replies = {entry["question_id"]: entry["raw_text"] for entry in entries}
    table: dict[str, Any] = scorer.score_replies(scorer.read_scoring(FOLDER), replies)
    return table


def _accuracy_of(name: str) -> Callable[[list[Entry]], float]:
    def accuracy(entries: list[Entry]) -> float:
        value = {row["name"]: row["value"] for row in _table(entries)["rows"]}[name]
        return float("nan") if value is None else float(value)

    return accuracy


def _count_of(key: str) -> Callable[[list[Entry]], int]:
    def count(entries: list[Entry]) -> int:
        return int(_table(entries)["rows"][-1][key])

    return count


def __getattr__(name: str) -> Callable[[list[Entry]], float]:
    """`aggregate_<figure>`, one for each figure of the task file."""
    figure = name.removeprefix("aggregate_")
    if figure == name:
        raise AttributeError(name)
    if figure in _COUNTS:
        return _count_of(_COUNTS[figure])
    return _accuracy_of(figure.replace("level_", "level:", 1))
