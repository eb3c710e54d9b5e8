"""The tests of the paper's tables 2 to 6, on the trials of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mira.evals.mosaic.cells import values_of
from mira.evals.mosaic.conditions import CONDITIONS, ConditionId
from mira.evals.mosaic.records import Factor, MetricName, MosaicTest
from mira.evals.mosaic.scoring import TrialScore
from mira.evals.mosaic.statistics import (
    binomial_p,
    bonferroni,
    chi_square_p,
    kruskal_wallis,
    scheirer_ray_hare,
    yates_chi_square,
)

TESTED: tuple[MetricName, ...] = ("tocs", "tas", "gas", "s", "fes")
"""Metrics that are compared between conditions and between runs."""
ScoresByRun = Mapping[str, Sequence[TrialScore]]
FACTORS: tuple[Factor, ...] = ("mode", "tom", "mode x tom")
"""Effects on a metric of one run."""
_CORRECTED = ("scheirer-ray-hare", "kruskal-wallis")
_SAME = "all values are the same"


def run_tests(scores: ScoresByRun) -> tuple[MosaicTest, ...]:
    """All tests, p-values of factors and of runs corrected for how many were run.

    Args:
        scores: Finished trials by key of the run.
    """
    tests = [
        *(test for run, of in scores.items() for test in _tests_of_run(run, of)),
        *_between_runs(scores),
    ]
    run_of = {
        name: sum(one.test == name and one.p is not None for one in tests) for name in _CORRECTED
    }
    return tuple(
        one.model_copy(update={"p_adjusted": bonferroni(one.p, run_of[one.test])})
        if one.test in run_of and one.p is not None
        else one
        for one in tests
    )


def _tests_of_run(run: str, scores: Sequence[TrialScore]) -> Iterator[MosaicTest]:
    for condition in CONDITIONS:
        if of_condition := _of(scores, condition.id):
            yield _reward_side(run, condition.id, of_condition)
            yield _conformance(run, condition.id, of_condition)
            yield _independence(run, condition.id, of_condition)
    for metric in TESTED:
        yield from _factors(run, metric, scores)


def _reward_side(run: str, condition: ConditionId, scores: Sequence[TrialScore]) -> MosaicTest:
    k = sum(one.reward_box for one in scores)
    return MosaicTest(
        test="reward-side",
        run=run,
        condition=condition,
        n=len(scores),
        successes=k,
        p=binomial_p(k, len(scores)),
    )


def _conformance(run: str, condition: ConditionId, scores: Sequence[TrialScore]) -> MosaicTest:
    k = sum(one.conforms for one in scores)
    return MosaicTest(
        test="conformance",
        run=run,
        condition=condition,
        metric="tocs",
        n=len(scores),
        successes=k,
        p=binomial_p(k, len(scores)),
    )


def _independence(run: str, condition: ConditionId, scores: Sequence[TrialScore]) -> MosaicTest:
    """Box chosen against box of the reward; trials without a choice are left out."""
    pairs = [(one.reward_box, one.choice) for one in scores if one.choice != -1]
    table = (
        pairs.count((0, 0)),
        pairs.count((0, 1)),
        pairs.count((1, 0)),
        pairs.count((1, 1)),
    )
    value = yates_chi_square(table)
    return MosaicTest(
        test="independence",
        run=run,
        condition=condition,
        n=len(pairs),
        table=table,
        statistic=value,
        p=None if value is None else chi_square_p(value),
        reason="a box was never chosen, or never held the reward" if value is None else None,
    )


def _factors(run: str, metric: MetricName, scores: Sequence[TrialScore]) -> Iterator[MosaicTest]:
    """Effects of mode and order on a metric of a run."""
    values: list[float] = []
    modes: list[bool] = []
    orders: list[bool] = []
    n_conditions = 0
    for condition in CONDITIONS:
        found = _values(_of(scores, condition.id), metric)
        n_conditions += bool(found)
        values += found
        modes += [condition.mode == "competitive"] * len(found)
        orders += [condition.tom_order == 1] * len(found)
    found_effects = scheirer_ray_hare(values, modes, orders)
    reason = None
    if found_effects is None:
        complete = n_conditions == len(CONDITIONS)
        reason = _SAME if complete else "a condition has no trials that tell it"
    for place, factor in enumerate(FACTORS):
        effect = None if found_effects is None else found_effects[place]
        yield MosaicTest(
            test="scheirer-ray-hare",
            run=run,
            metric=metric,
            factor=factor,
            n=len(values),
            statistic=None if effect is None else effect.value,
            p=None if effect is None else effect.p,
            reason=reason,
        )


def _between_runs(scores: ScoresByRun) -> Iterator[MosaicTest]:
    """Whether runs differ, by condition and metric; nothing for one run."""
    if len(scores) < 2:
        return
    for condition in CONDITIONS:
        for metric in TESTED:
            groups = [_values(_of(of_run, condition.id), metric) for of_run in scores.values()]
            told = [group for group in groups if group]
            found = kruskal_wallis(told)
            reason = None
            if found is None:
                reason = _SAME if len(told) > 1 else "fewer than two runs have trials that tell it"
            yield MosaicTest(
                test="kruskal-wallis",
                condition=condition.id,
                metric=metric,
                n=sum(map(len, told)),
                statistic=None if found is None else found.value,
                p=None if found is None else found.p,
                reason=reason,
            )


def _of(scores: Sequence[TrialScore], condition: ConditionId) -> list[TrialScore]:
    return [one for one in scores if one.condition == condition]


def _values(scores: Sequence[TrialScore], metric: MetricName) -> list[float]:
    return next(list(one.of_trials) for one in values_of(scores) if one.name == metric)
