"""Baselines as makers of predictions: what a score means is seen beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mira.evals.mira_bench.answers import gold_answer, possible_answers, read_answer
from mira.evals.mira_bench.questions import Question, parse_questions
from mira.replies.bare_answers import canonical_choice
from mira.schema.evaluation import Prediction

Rows = Iterable[Mapping[str, Any]]
_NOT_SURE = "not_sure"


def oracle_predictions(rows: Rows) -> Iterator[Prediction]:
    """The right answer to every question; scores 100 % unless scoring is at fault.

    Args:
        rows: Questions of a release; see `QUESTION_COLUMNS`.

    Raises:
        ReleaseError: A question has no right answer that a reply could give.
    """
    for question in parse_questions(rows):
        yield _answered(question, gold_answer(question))


def random_predictions(rows: Rows, *, rng: np.random.Generator) -> Iterator[Prediction]:
    """A uniform guess at every question: options, each axis by itself, counts 0 to N.

    A count whose N the release does not know has no uniform guess; it is given as failed, so
    that the table shows it as unscored.

    Args:
        rows: Questions of a release; see `QUESTION_COLUMNS`.
        rng: Source of the guesses.

    Raises:
        ReleaseError: A question of choices has no options.
    """
    for question in parse_questions(rows):
        answers = possible_answers(question)
        if answers is None:
            yield Prediction(question_id=question.question_id, status="failed")
        else:
            yield _answered(question, answers[int(rng.integers(len(answers)))])


def majority_predictions(rows: Rows) -> Iterator[Prediction]:
    """The most frequent right answer of the question's template, among those it allows.

    It knows the answers of the release it is scored on: a bound on what their imbalance alone is
    worth, and no model.

    Args:
        rows: Questions of a release; see `QUESTION_COLUMNS`.

    Raises:
        ReleaseError: A question has no right answer that a reply could give.
    """
    questions = parse_questions(rows)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        counts[question.template_id][gold_answer(question)] += 1
    ranking = {
        template: [answer for answer, _ in sorted(counter.items(), key=lambda of: (-of[1], of[0]))]
        for template, counter in counts.items()
    }
    for question in questions:
        allowed = (a for a in ranking[question.template_id] if read_answer(a, question) == a)
        yield _answered(question, next(allowed))


def not_sure_predictions(rows: Rows) -> Iterator[Prediction]:
    """`not sure` to every question; where that is no option, nothing that could be right.

    What it scores is the share of questions that nobody can answer.

    Args:
        rows: Questions of a release; see `QUESTION_COLUMNS`.
    """
    for question in parse_questions(rows):
        labels = [
            canonical_choice(choice, question.format)
            for choice in question.choices
            if choice.value == _NOT_SURE
        ]
        if labels:
            yield _answered(question, labels[0])
        else:
            yield Prediction(
                question_id=question.question_id,
                question_sha8=question.sha8,
                raw_text="not sure",
                status="abstained",
            )


def _answered(question: Question, answer: str) -> Prediction:
    return Prediction(question_id=question.question_id, question_sha8=question.sha8, answer=answer)
