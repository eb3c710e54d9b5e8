"""Records of an evaluation of MOSAIC."""

from __future__ import annotations

from typing import Literal

from mira.evals.mosaic.conditions import ConditionId
from mira.evals.mosaic.policy import MosaicPolicy
from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord

MetricName = Literal[
    "tocs",
    "tocs_decided",
    "right",
    "uncertainty",
    "bias",
    "bias_decided",
    "bias_side",
    "fes",
    "gas",
    "tas",
    "s",
    "s_trajectory",
    "s_gaze",
]
"""What a cell is measured by."""
TestName = Literal[
    "reward-side", "conformance", "independence", "scheirer-ray-hare", "kruskal-wallis"
]
"""Tests of the paper's tables 2, 3, 4, 5 and 6."""
Factor = Literal["mode", "tom", "mode x tom"]
"""Interaction mode, order of theory of mind, and both together beyond that."""
FailureName = Literal[
    "frame-misalignment", "unfounded-bias", "signal-ignored", "reasoning-action-dissociation"
]
"""Ways to fail that the paper describes (appendix H)."""


class MosaicMetric(Record):
    """One number of a cell."""

    name: MetricName
    """What it is."""
    value: float | None
    """The number; absent where no trial tells."""
    n: int
    """Trials that it is of."""
    interval: Interval | None = None
    """Of a mean over trials: exact for shares of trials, resampled for others, from two trials on.
    Absent for biases."""


class MosaicCell(Record):
    """One run in one condition."""

    run: str
    """Key of the run."""
    condition: ConditionId
    """The condition."""
    n: int
    """Trials that were played to their end."""
    n_aborted: int
    """Trials that broke off, which count for nothing."""
    n_neutral: int
    """Finished trials in which no box was chosen."""
    n_unread: int
    """Turns of finished trials in which a reply named no move that could be read."""
    metrics: tuple[MosaicMetric, ...]
    """All metrics, in a fixed order."""

    def metric(self, name: MetricName) -> MosaicMetric:
        """One of the metrics."""
        return next(one for one in self.metrics if one.name == name)


class MosaicTest(Record):
    """One test, or why it could not be made."""

    test: TestName
    """Which."""
    run: str | None = None
    """Key of the run; absent for a test across runs."""
    condition: ConditionId | None = None
    """The condition; absent for a test across conditions."""
    metric: MetricName | None = None
    """What was measured; absent for counts."""
    factor: Factor | None = None
    """Whose effect, in the test of factors."""
    n: int
    """Trials that went in."""
    successes: int | None = None
    """Of a binomial test: rewards in box 1, or conforming trials."""
    table: tuple[int, int, int, int] | None = None
    """Of a chi-square test: reward in box 0 with box 0 and 1 chosen, then the same in box 1."""
    statistic: float | None = None
    """Chi-square or H."""
    p: float | None = None
    """Its p-value; absent where the test does not apply."""
    p_adjusted: float | None = None
    """The same times the number of tests of that name that were run (Bonferroni); absent for tests
    that the paper does not correct."""
    reason: str | None = None
    """Why the test does not apply; absent where it does."""


class SweptGaze(Record):
    """Gaze scored with another threshold."""

    run: str
    """Key of the run."""
    condition: ConditionId
    """The condition."""
    threshold: float
    """The threshold."""
    n: int
    """Trials that tell gaze and face."""
    gas: float | None
    """Gaze alignment; absent without such trials."""
    s_gaze: float | None
    """Sensitivity to gaze."""


class FailureCount(Record):
    """How often trials fail in one way."""

    run: str
    """Key of the run."""
    condition: ConditionId
    """The condition."""
    failure: FailureName
    """The way."""
    times: int
    """Trials with the tag."""
    n: int
    """Finished trials whose log tells enough to decide."""


class MosaicRun(Record):
    """Trials that are scored together."""

    key: str
    """What distinguishes it in tables."""
    name: str
    """Name of the run that they are from."""
    model: str | None
    """Model under test; absent where agents are scripted or human."""
    visual: str | None
    """What the agents were shown; absent where nobody tells."""
    licence: str | None
    """Licence of the run; absent where nobody said."""
    n: int
    """Trials that were played to their end."""
    n_aborted: int
    """Trials that broke off."""


class MosaicScores(RootRecord):
    """Scores of runs of MOSAIC."""

    tool_version: str
    """Version of the program."""
    policy: MosaicPolicy
    """Thresholds that decided it."""
    seed: int
    """Seed of the resamples."""
    runs: tuple[MosaicRun, ...]
    """Runs in the order given."""
    cells: tuple[MosaicCell, ...]
    """Runs by condition; conditions without trials are left out."""
    tests: tuple[MosaicTest, ...]
    """All tests."""
    sweep: tuple[SweptGaze, ...]
    """Gaze by threshold."""
    failures: tuple[FailureCount, ...]
    """Tags by condition."""

    def cell(self, run: str, condition: ConditionId) -> MosaicCell | None:
        """The cell of a run and a condition; None where no trial was played."""
        found = (one for one in self.cells if (one.run, one.condition) == (run, condition))
        return next(found, None)
