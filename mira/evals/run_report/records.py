"""Records of a report on runs."""

from __future__ import annotations

from mira.evals.run_report.policy import RunReportPolicy
from mira.evals.run_tables.records import RunTables
from mira.schema.evaluation import Interval, RunManifest, ScoreTable
from mira.schema.record import Record, RootRecord


class SliceScore(Record):
    """Accuracy on the questions that have something in common, each question for itself."""

    by: str
    """What they have in common, such as `protocol`."""
    value: str
    """Which."""
    n: int
    """Questions."""
    n_heard: int
    """Questions with a reply."""
    accuracy: float | None
    """Share of these that are right; absent where there are none."""
    interval: Interval | None
    """Of the accuracy; absent where fewer than two scenes were heard on."""


class ConfidenceBin(Record):
    """Replies with about the same confidence."""

    low: float
    """Lower end, in the bin."""
    high: float
    """Upper end; in the bin only where it is 1."""
    n: int
    """Replies."""
    mean_confidence: float
    """Their mean confidence."""
    accuracy: float
    """Share of them that is right."""


class Calibration(Record):
    """What a model's confidence is worth; of readable answers that came with one."""

    n: int
    """Such answers."""
    n_without: int
    """Readable answers without a confidence."""
    mean_confidence: float
    """How sure the model says it is, on average."""
    accuracy: float
    """How often it is right."""
    expected_error: float
    """Expected calibration error: how far confidence and accuracy of a bin are apart, on average
    over answers (Guo et al. 2017). Of few answers it is too large: chance alone sets them apart."""
    expected_error_interval: Interval | None = None
    """Of the calibration error, over scenes; absent where fewer than two scenes have any."""
    brier: float
    """Mean squared difference of confidence and being right; 0.25 for who always says 0.5."""
    auroc: float | None
    """How probable it is that a right answer has more confidence than a wrong one; absent where all
    are right, or wrong."""
    bins: tuple[ConfidenceBin, ...]
    """Bins that hold any."""


class PartialCredit(Record):
    """How much of an answer is right, where parts of it can be; no part of any accuracy."""

    subtask: str
    """Sub-task id."""
    what: str
    """What is credited."""
    n: int
    """Questions that were heard on."""
    value: float
    """Mean credit, 0 to 1."""
    interval: Interval | None
    """Of the mean; absent where fewer than two scenes were heard on."""


class Confusion(Record):
    """How often what was right was answered how."""

    title: str
    """What was asked."""
    said: tuple[str, ...]
    """Columns: what was answered; the last is no readable answer."""
    gold: tuple[str, ...]
    """Rows: what is right."""
    times: tuple[tuple[int, ...], ...]
    """A row of counts for each right answer."""


class RunSummary(Record):
    """One run in numbers."""

    key: str
    """What distinguishes it on the page and in tables."""
    name: str
    """What it is called."""
    manifest: RunManifest | None
    """What decided it; absent for a plain file of predictions."""
    protocol: str | None
    """The one protocol that was asked; absent for all."""
    split: str | None
    """The one split that was asked; absent for all."""
    scores: ScoreTable
    """Accuracy by sub-task, level and overall."""
    overall_by_units: float | None
    """Overall where a visibility triple counts once and not three times; absent without scores."""
    classes: dict[str, int]
    """Questions by what became of the reply, in the order of `ReplyClass`; `failed` holds those
    that were never asked too."""
    slices: tuple[SliceScore, ...]
    """Accuracy by what questions have in common."""
    partial: tuple[PartialCredit, ...] = ()
    """Credit for parts of answers."""
    calibration: Calibration | None
    """What its confidence is worth; absent where it gave none."""
    confusions: tuple[Confusion, ...]
    """Tables of answers."""


class PairScore(Record):
    """Two runs of a report, overall, on what both were heard on."""

    first: str
    """Key of the run that is less accurate."""
    second: str
    """Key of the other."""
    difference: float
    """How much more accurate the second is."""
    interval: Interval | None
    """Of the difference."""
    n_units: int
    """Units both were heard on."""
    p_scenes: float
    """How probable so large a difference is between equally good runs, by exchange of scenes."""
    p_holm: float
    """The same, corrected for the number of pairs (Holm 1979)."""
    p_mcnemar: float
    """McNemar's exact test, which takes units for independent."""
    settings: tuple[str, ...]
    """Settings, the model apart, that differ."""


class RunReport(RootRecord):
    """Runs on one release."""

    tool_version: str
    """Version of the program."""
    release_digest: str
    """Logical digest of the release."""
    policy: RunReportPolicy
    """How it was computed."""
    seed: int
    """Seed of the resamples."""
    runs: tuple[RunSummary, ...]
    """The most accurate first."""
    pairs: tuple[PairScore, ...]
    """All pairs of runs that can be compared."""
    tables: RunTables = RunTables()
    """What changes with pictures, protocols and styles, and what follows from what."""
    not_compared: tuple[tuple[str, str], ...] = ()
    """Pairs that have nothing in common."""
