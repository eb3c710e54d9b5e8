"""Scores and baselines of a release on disk: what the command line and other tools call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from mira.errors import ReleaseError
from mira.evals.mira_bench.baselines import (
    majority_predictions,
    not_sure_predictions,
    oracle_predictions,
    random_predictions,
)
from mira.evals.mira_bench.blind import blind_predictions
from mira.evals.mira_bench.questions import QUESTION_COLUMNS
from mira.evals.mira_bench.runs import read_run
from mira.evals.mira_bench.scoring import score_predictions
from mira.release.question_sets import read_questions, set_digest, split_names
from mira.release.reader import Row
from mira.schema.evaluation import Prediction, ScoreTable

BaselineKind = Literal["oracle", "random", "majority", "blind", "always-not-sure"]


@dataclass(frozen=True)
class ScoredReplies:
    """A score table with what it was made from.

    Attributes:
        table: The scores.
        questions: All questions of the release, the `QUESTION_COLUMNS` of each.
        replies: What the file says.
    """

    table: ScoreTable
    questions: tuple[Row, ...]
    replies: tuple[Prediction, ...]


def score_release(
    release: Path,
    predictions: Path,
    *,
    protocol: str | None = None,
    split: str | None = None,
    rng: np.random.Generator | None = None,
) -> ScoredReplies:
    """Score a run, or a file of predictions, on a release.

    Args:
        release: The folder.
        predictions: The folder of a run, or a file; see `read_run`.
        protocol: Score this referring protocol alone; that of the run by default.
        split: Score this split alone; that of the run by default.
        rng: Source of the resamples of intervals.

    Raises:
        ReleaseError: The folder is no release, has no such split, or cannot be scored.
        PredictionError: The file cannot be read, or answers no or other questions.
    """
    _require_split(release, split)
    questions = tuple(read_questions(release, columns=QUESTION_COLUMNS))
    run = read_run(predictions, question_ids={row["question_id"] for row in questions})
    if run.manifest is not None:
        protocol, split = protocol or run.manifest.protocol, split or run.manifest.split
    replies = run.predictions
    table = score_predictions(
        questions,
        replies,
        release_digest=set_digest(release),
        protocol=protocol,
        split=split,
        rng=rng,
    )
    return ScoredReplies(table, questions, replies)


def baseline_predictions(
    release: Path,
    kind: BaselineKind,
    *,
    rng: np.random.Generator,
    split: str | None = None,
    fit_split: str | None = None,
) -> Iterator[Prediction]:
    """What a maker that needs no model says to every question of a release.

    Args:
        release: The folder.
        kind: Who answers.
        rng: Source of guesses.
        split: Answer this split alone.
        fit_split: Split that `blind` learns from; all scenes but a question's own by default.

    Raises:
        ReleaseError: The folder is no release, or holds no such question.
    """
    _require_split(release, split)
    _require_split(release, fit_split)
    if kind == "blind":
        return _blind_predictions(release, rng=rng, split=split, fit_split=fit_split)
    rows: Iterable[Row] = tuple(read_questions(release, columns=QUESTION_COLUMNS, split=split))
    if not rows:
        raise ReleaseError(release, "holds no question")
    if kind == "random":
        return random_predictions(rows, rng=rng)
    makers = {
        "oracle": oracle_predictions,
        "majority": majority_predictions,
        "always-not-sure": not_sure_predictions,
    }
    return makers[kind](rows)


def _blind_predictions(
    release: Path, *, rng: np.random.Generator, split: str | None, fit_split: str | None
) -> Iterator[Prediction]:
    """Predictions learnt from questions that need not be among those that are answered."""
    rows = tuple(read_questions(release, columns=QUESTION_COLUMNS))
    if not rows:
        raise ReleaseError(release, "holds no question")
    asked = {row["question_id"] for row in rows if split in (None, row["split"])}
    said = blind_predictions(rows, rng=rng, fit_split=fit_split)
    return (one for one in said if one.question_id in asked)


def _require_split(release: Path, split: str | None) -> None:
    known = split_names(release)
    if split is not None and split not in known:
        raise ReleaseError(
            release, f"expected one of its splits ({', '.join(known)}), found {split!r}"
        )
