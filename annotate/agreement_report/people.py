"""Each person over time: who drifts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain

from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.summary import MeanIou
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.pooling import summarise_together
from annotate.agreement_report.records import (
    PersonRound,
    PersonSummary,
    RoundSummary,
    Trend,
    mean_of_all,
)
from annotate.agreement_report.rounds import ComparedRound

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def summarise_people(
    rounds: Sequence[ComparedRound],
    summaries: Sequence[RoundSummary],
    policy: ReportPolicy,
) -> tuple[PersonSummary, ...]:
    """All people of some rounds, by name.

    Args:
        rounds: The rounds.
        summaries: The same in numbers.
        policy: Intervals, and when a trend is told.
    """
    names = sorted({*chain.from_iterable((r.annotator, r.auditor) for r in rounds)})
    found = []
    for person in names:
        steps = sorted(
            (
                _person_round(person, summary)
                for summary in summaries
                if _took_part(person, summary)
            ),
            key=lambda step: step.at or _LONG_AGO,
        )
        found.append(
            PersonSummary(
                person=person,
                as_annotator=_mean([r for r in rounds if r.annotator == person], policy.agreement),
                as_auditor=_mean([r for r in rounds if r.auditor == person], policy.agreement),
                rounds=tuple(steps),
                trend=_trend(steps, policy),
            )
        )
    return tuple(found)


def _took_part(person: str, summary: RoundSummary) -> bool:
    return person in (summary.annotator, summary.auditor)


def _person_round(person: str, summary: RoundSummary) -> PersonRound:
    drew = summary.annotator == person
    mean = summary.mean
    return PersonRound(
        title=summary.title,
        role="annotator" if drew else "auditor",
        partner=summary.auditor if drew else summary.annotator,
        at=summary.at,
        n_images=summary.summary.n_images,
        mean_iou=mean.mean_iou if mean else None,
        interval=mean.interval if mean else None,
    )


def _trend(steps: Sequence[PersonRound], policy: ReportPolicy) -> Trend | None:
    """Apart only where two intervals do not meet: stricter than a test at their level."""
    told = [step for step in steps if step.role == "annotator" and step.at]
    if len(told) < 2:
        return None
    first, last = told[0], told[-1]
    if min(first.n_images, last.n_images) < policy.trend_images:
        return None
    if first.interval is None or last.interval is None:
        return None
    if last.interval.high < first.interval.low:
        return Trend(direction="fell", first=first, last=last)
    if last.interval.low > first.interval.high:
        return Trend(direction="rose", first=first, last=last)
    return None


def _mean(rounds: Sequence[ComparedRound], policy: AgreementPolicy) -> MeanIou | None:
    images = [image for compared in rounds for image in compared.comparison.images]
    return mean_of_all(summarise_together(images, policy))
