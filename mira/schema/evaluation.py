"""Records of replies and scores."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.schema.record import Record, RootRecord

PredictionStatus = Literal["parsed", "repaired", "unparsable", "refused", "failed"]
"""`failed`: the model was never heard, so there is nothing to score."""


class Prediction(Record):
    """What a model said to one question."""

    question_id: str
    """The question, as the release names it."""
    raw_text: str | None = None
    """The reply as it came; absent when the call failed."""
    answer: str | None = None
    """The reply read as an answer; absent when it could not be read."""
    status: PredictionStatus = "parsed"
    """How the reading went."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    """What the model gave for its own certainty."""


class Interval(Record):
    """An interval of a metric."""

    method: str
    """How it was computed."""
    level: float
    """Nominal coverage."""
    low: float
    """Lower end."""
    high: float
    """Upper end."""


class MetricResult(Record):
    """One number of a score table, in the range 0 to 1."""

    name: str
    """Sub-task id, `level:<level>` or `overall`."""
    group: Literal["subtask", "level", "overall"]
    """Kind of row."""
    value: float | None
    """Accuracy; absent when nothing could be scored."""
    chance: float | None
    """Expected accuracy of uniform guessing; absent when a question does not bound its answers."""
    n: int
    """Questions in the release."""
    n_units: int
    """Units scored: joint groups for visibility, questions elsewhere."""
    n_unparsable: int
    """Replies without a readable answer, refusals among them; they count as wrong."""
    n_unscored: int
    """Questions without a reply: failed or missing; they count for nothing."""
    interval: Interval | None = None
    """Interval of the value, where one was asked for."""


class ScoreTable(RootRecord):
    """Scores of one set of predictions on one release."""

    release_digest: str
    """Logical digest of the release."""
    protocol: str | None
    """The one protocol scored; absent for all."""
    split: str | None = None
    """The one split scored; absent for all."""
    complete: bool
    """Whether every question had a reply."""
    rows: tuple[MetricResult, ...]
    """Sub-tasks in the taxonomy's order, then levels, then overall."""
