"""From predictions to a score table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mira.errors import PredictionError
from mira.evals.mira_bench.bootstrap import BootstrapPolicy, bootstrap_intervals
from mira.evals.mira_bench.outcomes import Outcome, judge
from mira.evals.mira_bench.questions import Question, parse_questions, select_questions
from mira.evals.mira_bench.tallies import (
    FloatArray,
    RowKey,
    Tallies,
    row_keys,
    row_members,
    tally,
)
from mira.schema.evaluation import Interval, MetricResult, Prediction, ScoreTable

_DEFAULT_BOOTSTRAP = BootstrapPolicy()


def score_predictions(
    questions: Iterable[Mapping[str, Any]],
    predictions: Iterable[Prediction],
    *,
    release_digest: str,
    protocol: str | None = None,
    split: str | None = None,
    bootstrap: BootstrapPolicy | None = _DEFAULT_BOOTSTRAP,
    rng: np.random.Generator | None = None,
) -> ScoreTable:
    """Exact accuracy by sub-task, level and overall, with chance and intervals.

    The three visibility questions of one object and protocol are right only when all are
    (MIRA-Bench, table 1: "joint"); a group with an unscored question is unscored. Averages weigh
    sub-tasks by their questions; a sub-task of which nothing was scored is left out of them, and
    the table is not complete.

    Args:
        questions: All questions of the release; see `QUESTION_COLUMNS`. Their order and that of
            the predictions make no difference.
        predictions: At most one a question, of any of the release.
        release_digest: Logical digest of the release.
        protocol: Score this referring protocol alone.
        split: Score this split alone.
        bootstrap: How intervals are computed; None for none.
        rng: Source of the resamples; one of seed 0 when absent.

    Raises:
        ReleaseError: A question cannot be scored, or none is left.
        PredictionError: A prediction names no question of the release, or one twice.
    """
    released = parse_questions(questions)
    by_question = predictions_by_question(predictions, released)
    asked = select_questions(released, protocol=protocol, split=split)
    outcomes = {q.question_id: judge(q, by_question.get(q.question_id)) for q in asked}
    return score_outcomes(
        asked,
        outcomes,
        release_digest=release_digest,
        protocol=protocol,
        split=split,
        bootstrap=bootstrap,
        rng=rng,
    )


def score_outcomes(
    asked: tuple[Question, ...],
    outcomes: Mapping[str, Outcome],
    *,
    release_digest: str,
    protocol: str | None = None,
    split: str | None = None,
    bootstrap: BootstrapPolicy | None = _DEFAULT_BOOTSTRAP,
    rng: np.random.Generator | None = None,
) -> ScoreTable:
    """The table of questions that are judged already; see `score_predictions`.

    Args:
        asked: The questions that count.
        outcomes: What became of each, by question id.
        release_digest: Logical digest of the release.
        protocol: The one protocol they are of, for the title.
        split: The one split they are of, for the title.
        bootstrap: How intervals are computed; None for none.
        rng: Source of the resamples; one of seed 0 when absent.
    """
    tallies = tally(asked, outcomes)
    return ScoreTable(
        release_digest=release_digest,
        protocol=protocol,
        split=split,
        complete=not tallies.unscored.any(),
        rows=_rows(
            tallies,
            _intervals(
                asked,
                outcomes,
                tallies,
                bootstrap,
                np.random.default_rng(0) if rng is None else rng,
            ),
        ),
    )


def predictions_by_question(
    predictions: Iterable[Prediction], questions: Iterable[Question]
) -> dict[str, Prediction]:
    """Predictions by the question they answer.

    Raises:
        PredictionError: One names no question of the release, or one twice, or the question has
            changed since.
    """
    known = {question.question_id: question for question in questions}
    found: dict[str, Prediction] = {}
    for prediction in predictions:
        name = prediction.question_id
        if name not in known:
            raise PredictionError(name, "expected a question of this release, found none")
        if name in found:
            raise PredictionError(name, "expected one prediction a question, found two")
        if prediction.question_sha8 not in (None, known[name].sha8):
            raise PredictionError(
                name,
                "the question, its options or its answer changed since this reply was given",
                "ask again, or score on the release that was asked",
            )
        found[name] = prediction
    return found


def _intervals(
    asked: tuple[Question, ...],
    outcomes: Mapping[str, Outcome],
    tallies: Tallies,
    bootstrap: BootstrapPolicy | None,
    rng: np.random.Generator,
) -> tuple[Interval | None, ...] | None:
    """Intervals over scenes; with a single scene over its items, which is all there is.

    The second tell how far chance moves the scores of this one scene and nothing of other scenes;
    their method says so.
    """
    if bootstrap is None:
        return None
    over = "scenes"
    if len(tallies.units) == 1:
        tallies, over = tally(asked, outcomes, by_item=True), "the items of one scene"
    members = row_members(row_keys(tallies.subtasks), tallies.subtasks)
    return bootstrap_intervals(tallies, members, policy=bootstrap, rng=rng, over=over)


def _rows(
    tallies: Tallies, intervals: tuple[Interval | None, ...] | None
) -> tuple[MetricResult, ...]:
    keys = row_keys(tallies.subtasks)
    members = row_members(keys, tallies.subtasks)
    each_scene_once = np.ones((1, len(tallies.units)))
    values = tallies.accuracies(each_scene_once, members)[0]
    chances = tallies.chances(members)
    counts = {
        "n": tallies.questions,
        "n_units": tallies.units,
        "n_unparsable": tallies.unparsable,
        "n_unscored": tallies.unscored,
    }
    totals = {name: members @ array.sum(axis=0) for name, array in counts.items()}
    return tuple(
        _row(
            key,
            row,
            values=values,
            chances=chances,
            totals=totals,
            interval=intervals[row] if intervals else None,
        )
        for row, key in enumerate(keys)
    )


def _row(
    key: RowKey,
    row: int,
    *,
    values: FloatArray,
    chances: FloatArray,
    totals: Mapping[str, FloatArray],
    interval: Interval | None,
) -> MetricResult:
    return MetricResult(
        name=key.name,
        group=key.group,
        value=_known(values[row]),
        chance=_known(chances[row]),
        interval=interval,
        **{name: int(total[row]) for name, total in totals.items()},
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
