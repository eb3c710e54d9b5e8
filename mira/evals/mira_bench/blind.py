"""A guesser that never sees a picture: it knows how often each answer is right elsewhere."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mira.errors import ReleaseError
from mira.evals.mira_bench.answers import gold_answer, possible_answers
from mira.evals.mira_bench.questions import Question, parse_questions
from mira.evals.mira_bench.tallies import scored_units
from mira.schema.evaluation import Prediction
from mira.taxonomy.catalogue import taxonomy

Unit = tuple[Question, ...]
_Said = tuple[str, ...]
"""What is said to the questions of a unit, in words that mean the same in every unit of a kind."""


class _Kind(NamedTuple):
    """Units that are told apart without a picture."""

    template_ids: tuple[str, ...]
    n_options: int


class _Habits:
    """How often each answer is right among some units, and how often it could have been."""

    def __init__(self) -> None:
        self.unbounded = 0
        self.right: Counter[_Said] = Counter()
        self.offered: Counter[_Said] = Counter()

    def add(self, unit: Unit) -> None:
        offered = _offered_by(unit)
        self.right[_gold_of(unit)] += 1
        self.offered.update(offered or ())
        self.unbounded += offered is None

    def times_possible(self, said: _Said) -> int:
        """How often an answer could have been right."""
        return self.offered[said] + self.unbounded


def blind_predictions(
    rows: Iterable[Mapping[str, Any]],
    *,
    rng: np.random.Generator,
    fit_split: str | None = None,
) -> Iterator[Prediction]:
    """What one would say who knows the habits of a data set and sees no picture.

    It knows template, options and what is right in other scenes, and says what is right there most
    often where it is offered; between answers that are about as good it draws. Candidates go by
    their letter, all other options by what they mean. The questions of a joint group are answered
    together.

    Args:
        rows: Questions of a release; see `QUESTION_COLUMNS`.
        rng: Source of draws.
        fit_split: Learn from this split alone; from all scenes but the question's own by default.

    Raises:
        ReleaseError: There is nothing to learn from, or a right answer cannot be read.
    """
    units = scored_units(parse_questions(rows))
    learnt = [unit for unit in units if fit_split is None or unit[0].split == fit_split]
    if not learnt:
        raise ReleaseError("questions", f"expected some of split {fit_split!r} to learn from")
    everywhere: dict[_Kind, _Habits] = defaultdict(_Habits)
    in_scene: dict[tuple[_Kind, str], _Habits] = defaultdict(_Habits)
    for unit in learnt:
        everywhere[_kind_of(unit)].add(unit)
        in_scene[_kind_of(unit), unit[0].scene_id].add(unit)
    for unit in units:
        kind = _kind_of(unit)
        best = _best(unit, everywhere[kind], without=in_scene[kind, unit[0].scene_id])
        said = best[int(rng.integers(len(best)))]
        for question, word in zip(_in_order(unit), said, strict=True):
            yield Prediction(
                question_id=question.question_id,
                question_sha8=question.sha8,
                answer=_answer_of(word, question),
            )


def _best(unit: Unit, habits: _Habits, *, without: _Habits) -> list[_Said]:
    """Answers within one standard error of the one that is right most often, in their order.

    Where all are alike, leaving a scene out makes its own answers seem rarer; the plain maximum
    would then fall below chance.
    """
    offered = _offered_by(unit)
    rates = {}
    for said in sorted(offered or habits.right):
        right = habits.right[said] - without.right[said]
        times = habits.times_possible(said) - without.times_possible(said)
        rates[said] = _rate(right, times)
    if not rates:
        return [_first_of(unit)]
    best, error = max(rates.values())
    return [said for said, (rate, _) in rates.items() if rate >= best - error]


def _rate(right: int, times: int) -> tuple[float, float]:
    """A share and its standard error."""
    if not times:
        return 0.0, 0.0
    share = right / times
    return share, math.sqrt(share * (1 - share) / times)


def _kind_of(unit: Unit) -> _Kind:
    return _Kind(tuple(one.template_id for one in _in_order(unit)), len(unit[0].choices))


def _in_order(unit: Unit) -> list[Question]:
    return sorted(unit, key=lambda question: question.template_id)


def _gold_of(unit: Unit) -> _Said:
    return tuple(word_of(gold_answer(question), question) for question in _in_order(unit))


def _offered_by(unit: Unit) -> list[_Said] | None:
    """What can be said to a question; None for joint groups, of which all that was right can be."""
    if len(unit) > 1:
        return None
    answers = possible_answers(unit[0])
    return None if answers is None else [(word_of(answer, unit[0]),) for answer in answers]


def _first_of(unit: Unit) -> _Said:
    """Something to say where nothing was learnt."""
    return tuple(
        word_of((possible_answers(question) or ("0",))[0], question) for question in _in_order(unit)
    )


def word_of(answer: str, question: Question) -> str:
    """An answer by what it means; of candidates, which change with the picture, the letter."""
    if _has_meaning(question):
        return next(choice.value for choice in question.choices if choice.label == answer)
    return answer


def _answer_of(word: str, question: Question) -> str:
    if _has_meaning(question):
        return next(choice.label for choice in question.choices if choice.value == word)
    return word


def _has_meaning(question: Question) -> bool:
    """Whether options are lettered words of the taxonomy, the same in every picture."""
    is_lettered = bool(question.choices) and question.format != "yes_no"
    return is_lettered and question.template_id in _templates_of_words()


@cache
def _templates_of_words() -> frozenset[str]:
    known = taxonomy()
    return frozenset(one.id for one in known.templates if one.options in known.option_sets)
