"""Makers of replies that need no model, as replies: what a score means is seen beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from mira.evals.tom.asking import item_sha8
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction

BaselineName = Literal["oracle", "random", "majority", "first", "longest"]


def baseline_replies(
    items: Sequence[TomItem], name: BaselineName, *, rng: np.random.Generator
) -> Iterator[Prediction]:
    """What a maker that needs no model says to every item.

    `oracle` gives the right answer; `random` a uniform guess; `majority` the right answer that is
    most frequent in the item's category, or its letter; `first` the first option; `longest` the
    option with the most letters. Where nothing is offered, all but the oracle and the majority
    say nothing, which is given as failed, so that it shows as unscored.

    Args:
        items: All questions of a run.
        name: Who answers.
        rng: Source of the guesses.
    """
    if name == "majority":
        yield from _majority(items)
        return
    makers: Mapping[str, Callable[[TomItem], str | None]] = {
        "oracle": lambda item: item.answer,
        "random": lambda item: (
            item.options[int(rng.integers(len(item.options)))].label if item.options else None
        ),
        "first": lambda item: item.options[0].label if item.options else None,
        "longest": _longest,
    }
    for item in items:
        yield _said(item, makers[name](item))


def _majority(items: Sequence[TomItem]) -> Iterator[Prediction]:
    """It knows the answers it is scored on: a bound on what their imbalance alone is worth."""
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for item in items:
        counts[_alike(item)][item.answer] += 1
    for item in items:
        ranked = sorted(counts[_alike(item)].items(), key=lambda of: (-of[1], of[0]))
        labels = {option.label for option in item.options}
        allowed = (answer for answer, _ in ranked if not labels or answer in labels)
        yield _said(item, next(allowed))


def _alike(item: TomItem) -> tuple[str, ...]:
    return item.source, item.category or item.kind, "options" if item.options else "words"


def _longest(item: TomItem) -> str | None:
    if not item.options:
        return None
    return max(item.options, key=lambda option: len(option.value)).label


def _said(item: TomItem, answer: str | None) -> Prediction:
    return Prediction(
        question_id=item.item_id,
        question_sha8=item_sha8(item),
        answer=answer,
        status="parsed" if answer is not None else "failed",
    )
