"""What a model's confidence is worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from mira.evals.mira_bench.bootstrap import BootstrapPolicy, percentile_interval, scene_draws
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.tallies import BoolArray, FloatArray
from mira.evals.run_report.records import Calibration, ConfidenceBin
from mira.schema.evaluation import Interval

IntArray = npt.NDArray[np.int_]


def calibrate(
    judged: JudgedRun,
    *,
    bins: int,
    policy: BootstrapPolicy | None = None,
    rng: np.random.Generator | None = None,
) -> Calibration | None:
    """Confidence of a run against how often it is right; None where it gave none.

    Args:
        judged: The run.
        bins: Bins of equal width between 0 and 1.
        policy: How the interval of the calibration error is computed; None for none.
        rng: Source of its resamples; one of seed 0 when absent.
    """
    read = [
        (judged.said[one.question_id].confidence, one)
        for one in judged.asked
        if judged.said[one.question_id].answer is not None
    ]
    told = [(confidence, one) for confidence, one in read if confidence is not None]
    if not told:
        return None
    confidence = np.array([one for one, _ in told])
    right = np.array([judged.outcomes[one.question_id] is Outcome.RIGHT for _, one in told])
    scenes = [one.scene_id for _, one in told]
    found = _bins(confidence, right, bins)
    gaps = sum(one.n * abs(one.accuracy - one.mean_confidence) for one in found)
    return Calibration(
        n=len(told),
        n_without=len(read) - len(told),
        mean_confidence=float(confidence.mean()),
        accuracy=float(right.mean()),
        expected_error=gaps / len(told),
        expected_error_interval=None
        if policy is None
        else _error_interval(
            confidence,
            right,
            scenes,
            bins,
            policy=policy,
            rng=np.random.default_rng(0) if rng is None else rng,
        ),
        brier=float(((confidence - right) ** 2).mean()),
        auroc=_auroc(confidence, right),
        bins=found,
    )


def _bins(confidence: FloatArray, right: BoolArray, bins: int) -> tuple[ConfidenceBin, ...]:
    places = _places(confidence, bins)
    return tuple(
        ConfidenceBin(
            low=place / bins,
            high=(place + 1) / bins,
            n=int(mine.sum()),
            mean_confidence=float(confidence[mine].mean()),
            accuracy=float(right[mine].mean()),
        )
        for place in range(bins)
        if (mine := places == place).any()
    )


def _places(confidence: FloatArray, bins: int) -> IntArray:
    return np.asarray(np.minimum((confidence * bins).astype(int), bins - 1))


def _error_interval(
    confidence: FloatArray,
    right: BoolArray,
    scenes: Sequence[str],
    bins: int,
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
) -> Interval | None:
    """Of the calibration error, worked out anew for each draw of scenes."""
    names = sorted(set(scenes))
    if len(names) < 2:
        return None
    row_of = {name: row for row, name in enumerate(names)}
    rows = np.array([row_of[one] for one in scenes])
    excess, n = np.zeros((2, len(names), bins))
    np.add.at(excess, (rows, _places(confidence, bins)), right - confidence)
    np.add.at(n, (rows, _places(confidence, bins)), 1)
    draws = [
        np.abs(counts @ excess).sum(axis=1) / (counts @ n).sum(axis=1)
        for counts in scene_draws(len(names), policy=policy, rng=rng)
    ]
    return percentile_interval(np.concatenate(draws), policy, over="scenes")


def _auroc(confidence: FloatArray, right: BoolArray) -> float | None:
    n_right = int(right.sum())
    n_wrong = len(right) - n_right
    if not n_right or not n_wrong:
        return None
    ranks = rankdata(confidence)[right].sum()
    return float((ranks - n_right * (n_right + 1) / 2) / (n_right * n_wrong))
