"""What the report says in numbers: of each round, of each two people, of each person."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotate.agreement.overlaps import Method
from annotate.agreement.summary import AgreementSummary, LinkScore, MeanIou
from annotate.agreement_report.policy import ReportPolicy
from mira.schema.audit import Agreement
from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord, UtcDatetime


class RoundSummary(Record):
    """One comparison of two people's drawings."""

    title: str
    """What it is called."""
    batch_id: str | None
    """The batch; absent outside an audit."""
    round: int | None
    """1 or 2; absent outside an audit."""
    annotator: str
    """Whose drawings come first."""
    auditor: str
    """Whose come second."""
    at: UtcDatetime | None
    """When it was scored, UTC; absent outside an audit."""
    bound: float | None
    """Mean IoU to reach; absent where there is none."""
    verdict: Literal["passed", "failed"] | None
    """Whether it was reached; absent without a bound."""
    method: Method
    """How areas were measured."""
    disputes: int = Field(ge=0)
    """Shapes and choices to talk about."""
    summary: AgreementSummary
    """The numbers."""

    @property
    def mean(self) -> MeanIou | None:
        """The mean of all shapes; None where neither drew any."""
        return mean_of_all(self.summary)


class PairSummary(Record):
    """Two people over all rounds in which they met, whoever came first."""

    people: tuple[str, str]
    """Both, by name."""
    n_rounds: int = Field(ge=1)
    """Rounds in which they met."""
    n_images: int = Field(ge=0)
    """Images that both drew."""
    mean: MeanIou | None
    """Mean of all shapes; absent where neither drew any."""
    links: LinkScore
    """Links, the first of `people` held against the second."""
    agreements: tuple[Agreement, ...]
    """Choices beside shapes."""


class PersonRound(Record):
    """One round of a person."""

    title: str
    """The round."""
    role: Literal["annotator", "auditor"]
    """Whether the person's drawings were judged, or were the blind ones."""
    partner: str
    """The other person."""
    at: UtcDatetime | None
    """When it was scored, UTC; absent outside an audit."""
    n_images: int = Field(ge=0)
    """Images compared."""
    mean_iou: float | None
    """Mean of all shapes; absent where neither drew any."""
    interval: Interval | None
    """Its interval; absent with shapes on fewer than two images."""


class Trend(Record):
    """The first and the last round as annotator, where their intervals do not meet."""

    direction: Literal["fell", "rose"]
    """Where the last lies."""
    first: PersonRound
    """The first round."""
    last: PersonRound
    """The last one, perhaps with another partner."""


class PersonSummary(Record):
    """One person over time."""

    person: str
    """Who."""
    as_annotator: MeanIou | None
    """Over all rounds in which their drawings were judged; absent without any."""
    as_auditor: MeanIou | None
    """Over all rounds in which theirs were the blind ones; absent without any."""
    rounds: tuple[PersonRound, ...]
    """By time."""
    trend: Trend | None
    """How the last round as annotator differs from the first; absent where their intervals meet,
    or one of them has too few images to tell."""


class AgreementReport(RootRecord):
    """All that a report says in numbers: what `report.json` holds."""

    tool_version: str
    """Version of MIRA that made it."""
    policy: ReportPolicy
    """Bounds that were used."""
    total: AgreementSummary | None
    """All rounds together, a group of means for each `round` in place of `image`; absent without a
    round."""
    rounds: tuple[RoundSummary, ...]
    """Round by round."""
    pairs: tuple[PairSummary, ...]
    """Two people each, by name."""
    people: tuple[PersonSummary, ...]
    """Person by person, by name."""


def mean_of_all(summary: AgreementSummary) -> MeanIou | None:
    """The mean of all shapes; None where neither drew any."""
    return next((mean for mean in summary.means if mean.group == "all"), None)
