"""Trials of one run and condition in numbers (paper, Eq. 2 to 5, 9, 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mosaic.conditions import ConditionId
from mira.evals.mosaic.records import MetricName, MosaicCell, MosaicMetric
from mira.evals.mosaic.scoring import TrialScore
from mira.schema.evaluation import Interval

_CELLS_AT_ONCE = 4_000_000
"""Bounds the memory of what is drawn at a time (32 MB)."""


class Values(NamedTuple):
    """What a metric is the mean of."""

    name: MetricName
    """The metric."""
    of_trials: tuple[float, ...]
    """One number a trial; trials that do not tell are left out."""


_SHARES: frozenset[MetricName] = frozenset({"tocs", "tocs_decided", "right", "uncertainty"})
"""Metrics of which a trial is 0 or 1, whose intervals are exact."""


def summarise_cell(
    run: str,
    condition: ConditionId,
    scores: Sequence[TrialScore],
    *,
    n_aborted: int,
    n_unread: int,
    bootstrap: BootstrapPolicy,
    rng: np.random.Generator,
) -> MosaicCell:
    """The cell of a run and a condition.

    Args:
        run: Key of the run.
        condition: The condition.
        scores: Its finished trials.
        n_aborted: How many others broke off.
        n_unread: Turns of the finished ones without a move that could be read.
        bootstrap: How intervals are computed.
        rng: Source of the resamples.
    """
    values = values_of(scores)
    resampled = [one for one in values if one.name not in _SHARES]
    intervals = _resampled_intervals(resampled, bootstrap, rng)
    intervals |= {
        one.name: _exact_interval(one.of_trials, bootstrap.level)
        for one in values
        if one.name in _SHARES and one.of_trials
    }
    means = [
        MosaicMetric(
            name=one.name,
            value=float(np.mean(one.of_trials)) if one.of_trials else None,
            n=len(one.of_trials),
            interval=intervals.get(one.name),
        )
        for one in values
    ]
    neutral = sum(one.choice == -1 for one in scores)
    return MosaicCell(
        run=run,
        condition=condition,
        n=len(scores),
        n_aborted=n_aborted,
        n_neutral=neutral,
        n_unread=n_unread,
        metrics=(*means, *_biases(scores, neutral)),
    )


def values_of(scores: Sequence[TrialScore]) -> tuple[Values, ...]:
    """What the metrics that are means over trials are means of."""
    conforms = tuple(float(one.conforms) for one in scores)
    decided = tuple(float(one.conforms) for one in scores if one.choice != -1)
    return (
        Values("tocs", conforms),
        Values("tocs_decided", decided),
        Values("right", tuple(float(one.participant_score == 1) for one in scores)),
        Values("uncertainty", tuple(float(one.choice == -1) for one in scores)),
        Values("fes", tuple(one.fes for one in scores if one.fes is not None)),
        Values("gas", tuple(float(one.gas) for one in scores if one.gas is not None)),
        Values("tas", tuple(float(one.tas) for one in scores)),
        Values("s", tuple(one.s for one in scores if one.s is not None)),
        Values("s_trajectory", tuple(float(one.s_trajectory) for one in scores)),
        Values("s_gaze", tuple(float(one.s_gaze) for one in scores if one.s_gaze is not None)),
    )


def _biases(scores: Sequence[TrialScore], neutral: int) -> tuple[MosaicMetric, ...]:
    """Positional bias: share of the box that is chosen most, and of the side (Eq. 4)."""
    boxes = [sum(one.choice == box for one in scores) for box in (0, 1)]
    sides = [sum(one.choice_side == side for one in scores) for side in (-1, 1)]
    all_of, decided = len(scores), len(scores) - neutral
    told: tuple[tuple[MetricName, int, int], ...] = (
        ("bias", max(boxes), all_of),
        ("bias_decided", max(boxes), decided),
        ("bias_side", max(sides), decided),
    )
    return tuple(
        MosaicMetric(name=name, value=most / n if n else None, n=n) for name, most, n in told
    )


def _exact_interval(values: Sequence[float], level: float) -> Interval:
    """The interval of Clopper and Pearson, which also says something where all trials are alike."""
    found = binomtest(round(sum(values)), len(values)).proportion_ci(level, method="exact")
    return Interval(
        method="exact binomial (Clopper-Pearson)",
        level=level,
        low=float(found.low),
        high=float(found.high),
    )


def _resampled_intervals(
    values: Sequence[Values], policy: BootstrapPolicy, rng: np.random.Generator
) -> dict[MetricName, Interval]:
    """Percentile intervals of means over trials drawn with replacement, of two trials or more.

    Metrics of as many trials are given the same draws, which are what takes time.
    """
    found: dict[MetricName, Interval] = {}
    tail = (1 - policy.level) / 2
    for n in sorted({len(one.of_trials) for one in values} - {0, 1}):
        alike = [one for one in values if len(one.of_trials) == n]
        told, even = np.array([one.of_trials for one in alike], float).T, np.full(n, 1 / n)
        at_once = max(1, _CELLS_AT_ONCE // n)
        sizes = (
            min(at_once, policy.resamples - done) for done in range(0, policy.resamples, at_once)
        )
        means = np.concatenate([rng.multinomial(n, even, size=size) @ told / n for size in sizes])
        for one, (low, high) in zip(
            alike, np.quantile(means, (tail, 1 - tail), axis=0).T, strict=True
        ):
            found[one.name] = Interval(
                method=f"percentile bootstrap over trials, {policy.resamples} resamples",
                level=policy.level,
                low=float(low),
                high=float(high),
            )
    return found
