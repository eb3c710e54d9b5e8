"""What a model's confidence is worth."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.tallies import BoolArray, FloatArray
from mira.evals.run_report.records import Calibration, ConfidenceBin


def calibrate(judged: JudgedRun, *, bins: int) -> Calibration | None:
    """Confidence of a run against how often it is right; None where it gave none.

    Args:
        judged: The run.
        bins: Bins of equal width between 0 and 1.
    """
    read = [
        (said.confidence, judged.outcomes[name] is Outcome.RIGHT)
        for name, said in judged.said.items()
        if said.answer is not None
    ]
    told = [(confidence, right) for confidence, right in read if confidence is not None]
    if not told:
        return None
    confidence = np.array([one for one, _ in told])
    right = np.array([one for _, one in told])
    found = _bins(confidence, right, bins)
    gaps = sum(one.n * abs(one.accuracy - one.mean_confidence) for one in found)
    return Calibration(
        n=len(told),
        n_without=len(read) - len(told),
        mean_confidence=float(confidence.mean()),
        accuracy=float(right.mean()),
        expected_error=gaps / len(told),
        brier=float(((confidence - right) ** 2).mean()),
        auroc=_auroc(confidence, right),
        bins=found,
    )


def _bins(confidence: FloatArray, right: BoolArray, bins: int) -> tuple[ConfidenceBin, ...]:
    places = np.minimum((confidence * bins).astype(int), bins - 1)
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


def _auroc(confidence: FloatArray, right: BoolArray) -> float | None:
    n_right = int(right.sum())
    n_wrong = len(right) - n_right
    if not n_right or not n_wrong:
        return None
    ranks = rankdata(confidence)[right].sum()
    return float((ranks - n_right * (n_right + 1) / 2) / (n_right * n_wrong))
