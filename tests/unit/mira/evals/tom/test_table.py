"""Scores that people can read on any terminal."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from mira.evals.tom.scoring import score_items
from mira.evals.tom.table import TomScoresView
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction


def shown(items: list[TomItem], said: dict[str, str], width: int, **how: Any) -> str:
    predictions = [Prediction(question_id=name, answer=answer) for name, answer in said.items()]
    scores = score_items(items, predictions, run="ours")
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None, **how).print(TomScoresView(scores))
    return stream.getvalue()


@pytest.mark.parametrize("width", [24, 34, 45, 60, 80, 120])
def test_numbers_are_whole_at_every_width_and_columns_that_go_are_named(
    width: int, make_item: Callable[..., TomItem]
) -> None:
    items = [
        make_item("x", options="a|b", story="s"),
        make_item("y", options="a|b", story="t", kind="action"),
    ]
    text = shown(items, {"x": "A", "y": "A"}, width)
    assert text.count("100.0") >= 2
    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    words = " ".join(text.split())
    table, _, gone = words.partition("Not shown for want of width: ")
    for name in ("chance", "interval"):
        assert (name in table) is (name not in gone)
    assert bool(gone) is (width < 80)


def test_scores_that_are_not_complete_say_so_first(make_item: Callable[..., TomItem]) -> None:
    items = [make_item("x", options="a|b"), make_item("y", options="a|b", question="other?")]
    assert "INCOMPLETE: 1 of 2 questions" in shown(items, {"x": "A"}, 100)
    assert "INCOMPLETE" not in shown(items, {"x": "A", "y": "B"}, 100)
