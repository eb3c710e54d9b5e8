"""Runs in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import get_args

import numpy as np

from mira.errors import PredictionError
from mira.evals.mira_bench.comparing import RunComparison, compare_runs, holm
from mira.evals.mira_bench.judging import JudgedRun, JudgedRuns
from mira.evals.mira_bench.naming import keys_of
from mira.evals.mira_bench.scoring import score_outcomes
from mira.evals.mira_bench.tallies import tally
from mira.evals.run_report.calibrating import calibrate
from mira.evals.run_report.confusing import confusions_of
from mira.evals.run_report.partial import partial_credits
from mira.evals.run_report.policy import RunReportPolicy
from mira.evals.run_report.records import PairScore, RunReport, RunSummary
from mira.evals.run_report.slicing import Traits, slice_scores
from mira.evals.run_tables.records import RunTables
from mira.replies.reading import ReplyClass
from mira.store.version import tool_version


def summarise_runs(
    judged: JudgedRuns,
    traits: Mapping[str, Traits],
    *,
    tables: RunTables | None = None,
    policy: RunReportPolicy,
    seed: int,
) -> RunReport:
    """All numbers of a report; equal input gives equal numbers.

    Args:
        judged: Runs on one release.
        traits: What questions have in common, by their id.
        tables: What else is told of them.
        policy: How it is computed.
        seed: Seed of the resamples; each run and each pair starts from it anew.
    """
    keys = keys_of(judged)
    runs = [
        _summary(run, key, judged.digest, traits, policy=policy, seed=seed)
        for run, key in zip(judged.runs, keys, strict=True)
    ]
    pairs, not_compared = _pairs(judged, keys, policy=policy, seed=seed)
    order = sorted(runs, key=lambda run: (-(run.scores.rows[-1].value or 0), run.key))
    return RunReport(
        tool_version=tool_version(),
        release_digest=judged.digest,
        policy=policy,
        seed=seed,
        runs=tuple(order),
        pairs=pairs,
        tables=tables or RunTables(),
        not_compared=not_compared,
    )


def _summary(
    judged: JudgedRun,
    key: str,
    digest: str,
    traits: Mapping[str, Traits],
    *,
    policy: RunReportPolicy,
    seed: int,
) -> RunSummary:
    classes = Counter(said.kind for said in judged.said.values())
    return RunSummary(
        key=key,
        name=judged.run.name,
        manifest=judged.run.manifest,
        protocol=judged.protocol,
        split=judged.split,
        scores=score_outcomes(
            judged.asked,
            judged.outcomes,
            release_digest=digest,
            protocol=judged.protocol,
            split=judged.split,
            bootstrap=policy.bootstrap,
            rng=np.random.default_rng(seed),
        ),
        overall_by_units=_overall_by_units(judged),
        classes={name: classes[name] for name in get_args(ReplyClass)},
        slices=slice_scores(
            judged, traits, policy=policy.bootstrap, rng=np.random.default_rng(seed)
        ),
        partial=partial_credits(judged, policy=policy.bootstrap, rng=np.random.default_rng(seed)),
        calibration=calibrate(
            judged,
            bins=policy.confidence_bins,
            policy=policy.bootstrap,
            rng=np.random.default_rng(seed),
        ),
        confusions=confusions_of(judged, most_counts=policy.most_counts),
    )


def _overall_by_units(judged: JudgedRun) -> float | None:
    """Share of units that are right, a joint group counting once."""
    counts = tally(judged.asked, judged.outcomes)
    units = counts.units.sum()
    return float(counts.right.sum() / units) if units else None


def _pairs(
    judged: JudgedRuns, keys: list[str], *, policy: RunReportPolicy, seed: int
) -> tuple[tuple[PairScore, ...], tuple[tuple[str, str], ...]]:
    found: dict[tuple[str, str], RunComparison] = {}
    apart: list[tuple[str, str]] = []
    for (one, first), (two, second) in combinations(zip(keys, judged.runs, strict=True), 2):
        try:
            found[one, two] = compare_runs(
                first,
                second,
                release_digest=judged.digest,
                policy=policy.bootstrap,
                rng=np.random.default_rng(seed),
            )
        except PredictionError:
            apart.append((one, two))
    ps = {"\n".join(names): compared.rows[-1].p_scenes for names, compared in found.items()}
    corrected = holm(ps)
    pairs = tuple(
        _pair(names, compared, corrected["\n".join(names)]) for names, compared in found.items()
    )
    return pairs, tuple(apart)


def _pair(names: tuple[str, str], compared: RunComparison, p_holm: float) -> PairScore:
    overall = compared.rows[-1]
    difference, interval = overall.difference or 0.0, overall.interval
    first, second = names
    if difference < 0:
        first, second, difference = second, first, -difference
        if interval is not None:
            turned = {"low": -interval.high, "high": -interval.low}
            interval = interval.model_copy(update=turned)
    return PairScore(
        first=first,
        second=second,
        difference=difference,
        interval=interval,
        n_units=overall.n_units,
        p_scenes=overall.p_scenes,
        p_holm=p_holm,
        p_mcnemar=overall.p_mcnemar,
        settings=tuple(one.setting for one in compared.settings),
    )
