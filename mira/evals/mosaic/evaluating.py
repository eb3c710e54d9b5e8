"""From trials to scores, tests, the sweep and tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mira.evals.mosaic.cells import summarise_cell
from mira.evals.mosaic.conditions import CONDITIONS, ConditionId
from mira.evals.mosaic.failures import TITLES, failures_of
from mira.evals.mosaic.inference import run_tests
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.records import (
    FailureCount,
    FailureName,
    MosaicCell,
    MosaicRun,
    MosaicScores,
    SweptGaze,
)
from mira.evals.mosaic.scoring import TrialScore, alignment, score_trial, sensitivity
from mira.evals.mosaic.signals import gaze_signals, majority
from mira.evals.mosaic.sources import TrialGroup
from mira.evals.mosaic.trials import Trial
from mira.store.version import tool_version


class JudgedTrial(NamedTuple):
    """A finished trial with what came of it."""

    trial: Trial
    """What happened."""
    score: TrialScore
    """What it is worth."""
    failures: dict[FailureName, bool | None]
    """Its tags; None where the log does not tell."""


class Evaluation(NamedTuple):
    """Runs in numbers, and their trials."""

    scores: MosaicScores
    """The numbers."""
    judged: dict[str, tuple[JudgedTrial, ...]]
    """Finished trials by key of the run."""


def evaluate(groups: Sequence[TrialGroup], policy: MosaicPolicy, *, seed: int) -> Evaluation:
    """All that is said of runs; equal trials give equal records.

    Args:
        groups: Runs with their trials, keys told apart.
        policy: Thresholds.
        seed: Seed of the resamples.
    """
    judged = {
        group.key: tuple(
            JudgedTrial(one, score_trial(one, policy), failures_of(one, policy))
            for one in group.trials
            if not one.aborted
        )
        for group in groups
    }
    rng = np.random.default_rng(seed)
    scores = MosaicScores(
        tool_version=tool_version(),
        policy=policy,
        seed=seed,
        runs=tuple(_run(group, judged[group.key]) for group in groups),
        cells=tuple(
            cell for group in groups for cell in _cells(group, judged[group.key], policy, rng)
        ),
        tests=run_tests({key: [one.score for one in of] for key, of in judged.items()}),
        sweep=tuple(_sweep(judged, policy)),
        failures=tuple(_failures(judged)),
    )
    return Evaluation(scores, judged)


def _run(group: TrialGroup, judged: Sequence[JudgedTrial]) -> MosaicRun:
    return MosaicRun(
        key=group.key,
        name=group.name,
        model=group.model,
        visual=group.visual,
        licence=group.licence,
        n=len(judged),
        n_aborted=len(group.trials) - len(judged),
    )


def _cells(
    group: TrialGroup,
    judged: Sequence[JudgedTrial],
    policy: MosaicPolicy,
    rng: np.random.Generator,
) -> Iterator[MosaicCell]:
    for condition in CONDITIONS:
        played = [trial for trial in group.trials if trial.condition == condition]
        if played:
            yield summarise_cell(
                group.key,
                condition.id,
                [one.score for one in judged if one.score.condition == condition.id],
                n_aborted=sum(trial.aborted for trial in played),
                n_unread=sum(trial.n_unread for trial in played if not trial.aborted),
                bootstrap=policy.bootstrap,
                rng=rng,
            )


def _by_condition(
    judged: Mapping[str, Sequence[JudgedTrial]],
) -> Iterator[tuple[str, ConditionId, list[JudgedTrial]]]:
    for key, of_run in judged.items():
        for condition in CONDITIONS:
            found = [one for one in of_run if one.score.condition == condition.id]
            if found:
                yield key, condition.id, found


def _sweep(
    judged: Mapping[str, Sequence[JudgedTrial]], policy: MosaicPolicy
) -> Iterator[SweptGaze]:
    for key, condition, of_cell in _by_condition(judged):
        for threshold in policy.swept_gaze_thresholds:
            signals = [(one.score, gaze_signals(one.trial, threshold)) for one in of_cell]
            told = [(score, majority(found)) for score, found in signals if found is not None]
            yield SweptGaze(
                run=key,
                condition=condition,
                threshold=threshold,
                n=len(told),
                gas=_mean(alignment(box, score.reward_box) for score, box in told),
                s_gaze=_mean(sensitivity(score.choice, box) for score, box in told),
            )


def _failures(judged: Mapping[str, Sequence[JudgedTrial]]) -> Iterator[FailureCount]:
    for key, condition, of_cell in _by_condition(judged):
        for name in TITLES:
            told = [found for one in of_cell if (found := one.failures[name]) is not None]
            yield FailureCount(
                run=key, condition=condition, failure=name, times=sum(told), n=len(told)
            )


def _mean(values: Iterable[float]) -> float | None:
    told = list(values)
    return float(np.mean(told)) if told else None
