"""Records of replies and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from mira.schema.qa import Modality, Protocol
from mira.schema.record import Record, RootRecord, UpgradeStep, unchanged

PredictionStatus = Literal[
    "parsed", "repaired", "truncated", "refused", "abstained", "unparsable", "failed"
]
"""What became of a reply. `truncated`: it ends too soon, perhaps behind its answer. `abstained`: it
says that there is nothing to say. `failed`: the model was never heard, so there is nothing to
score."""


class Decoding(Record):
    """How replies were sampled."""

    temperature: float | None = Field(default=0.0, ge=0)
    """0 takes the likeliest token; absent where the model does not take one."""
    max_tokens: int = Field(default=2048, gt=0)
    """Longest reply, thinking included."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Other settings, under the provider's names."""


class Usage(Record):
    """What a run took."""

    input_tokens: int = Field(default=0, ge=0)
    """Tokens that went in, pictures included as the provider counts them."""
    output_tokens: int = Field(default=0, ge=0)
    """Tokens that came out, thinking included."""
    cost_usd: float | None = Field(default=None, ge=0)
    """What the provider charges; absent where nobody knows."""
    wall_s: float | None = Field(default=None, ge=0)
    """From the first call to the last reply."""


class RunManifest(RootRecord):
    """All that decides the predictions of one run of one model: `run.json` of its folder."""

    CURRENT_VERSION: ClassVar[int] = 3
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged, 2: unchanged}

    model: str
    """Name of the model, provider and version included."""
    decoding: Decoding
    """How replies were sampled."""
    dataset_digest: str
    """Logical digest of the release or data set."""
    prompt_version: str
    """Version of the prompt's wording."""
    protocol: Protocol | None = None
    """The one protocol asked; absent for all, and for episodes."""
    modality: Modality | None = None
    """Pictures that went along; absent for episodes."""
    style: dict[str, Any] = Field(default_factory=dict)
    """What the pictures look like where that is not the default: fields of `RenderStyle`."""
    code_version: str
    """Version of the program that ran it."""
    name: str | None = None
    """What tables call it; that of the model, or of its folder, by default."""
    split: str | None = None
    """The one split asked; absent for all."""
    limit: int | None = Field(default=None, ge=1)
    """How many questions were asked at most; absent for all."""
    release: str | None = None
    """Where the release lies, from the folder of the run; looked for there when none is named."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Versions of the programs that took part, such as the runner and the server, by name."""
    usage: Usage | None = None
    """What it took; absent where nobody counted."""


class Prediction(Record):
    """What a model said to one question."""

    question_id: str
    """The question, as the release names it."""
    raw_text: str | None = None
    """The reply as it came; absent when the call failed."""
    repair_text: str | None = None
    """The reply to being shown `raw_text` and asked for its answer once more; absent where nobody
    asked. It is read only where `raw_text` gives no answer."""
    answer: str | None = None
    """The reply read as an answer; absent when it could not be read."""
    question_sha8: str | None = None
    """`question_sha8` of the question that was answered; a release with another one refuses it."""
    status: PredictionStatus = "parsed"
    """How the reading went."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    """What the model gave for its own certainty."""


class Score(Record):
    """What one item or episode is worth, or why nobody knows."""

    value: float | None = None
    """The score; absent when there was nothing to score, which differs from 0."""
    unscored_reason: str | None = None
    """Why there is no score, such as a call that failed; absent with one."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.value is None) == (self.unscored_reason is None):
            found = "neither" if self.value is None else "both"
            raise ValueError(f"unscored_reason: expected it or a value, found {found}")
        return self


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
