"""Several rounds in numbers: each, all together, by two people, by person and time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotate.agreement.comparison import ImageComparison
from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.summary import AgreementSummary, summarise
from annotate.agreement_report.people import summarise_people
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.pooling import summarise_together
from annotate.agreement_report.records import (
    AgreementReport,
    PairSummary,
    RoundSummary,
    mean_of_all,
)
from annotate.agreement_report.rounds import ComparedRound
from mira.store.version import tool_version


class CountedRound(NamedTuple):
    """A round with how much of it is to be talked about."""

    compared: ComparedRound
    """The round."""
    disputes: int
    """Shapes and choices to talk about."""


def summarise_rounds(rounds: Sequence[CountedRound], *, policy: ReportPolicy) -> AgreementReport:
    """All numbers of some rounds; the same rounds give the same."""
    bounds = policy.agreement
    summaries = tuple(_round_summary(counted, bounds) for counted in rounds)
    compared = [counted.compared for counted in rounds]
    return AgreementReport(
        tool_version=tool_version(),
        policy=policy,
        total=_total(compared, summaries, bounds),
        rounds=summaries,
        pairs=_pairs(compared, bounds),
        people=summarise_people(compared, summaries, policy),
    )


def _round_summary(counted: CountedRound, policy: AgreementPolicy) -> RoundSummary:
    compared = counted.compared
    return RoundSummary(
        title=compared.title,
        batch_id=compared.batch_id,
        round=compared.round,
        annotator=compared.annotator,
        auditor=compared.auditor,
        at=compared.at,
        bound=compared.bound,
        verdict=compared.verdict,
        method=compared.method,
        disputes=counted.disputes,
        summary=summarise(compared.comparison, policy=policy),
    )


def _total(
    rounds: Sequence[ComparedRound], summaries: Sequence[RoundSummary], policy: AgreementPolicy
) -> AgreementSummary | None:
    if not rounds:
        return None
    images = [image for compared in rounds for image in compared.comparison.images]
    total = summarise_together(images, policy)
    of_rounds = tuple(
        summary.mean.model_copy(update={"group": "round", "name": summary.title})
        for summary in summaries
        if summary.mean is not None
    )
    return total.model_copy(update={"means": total.means + of_rounds})


def _pairs(rounds: Sequence[ComparedRound], policy: AgreementPolicy) -> tuple[PairSummary, ...]:
    met: dict[tuple[str, str], list[ComparedRound]] = {}
    for compared in rounds:
        one, other = sorted((compared.annotator, compared.auditor))
        met.setdefault((one, other), []).append(compared)
    found = []
    for people, theirs in sorted(met.items()):
        images = [
            image if compared.annotator == people[0] else _turned(image)
            for compared in theirs
            for image in compared.comparison.images
        ]
        summary = summarise_together(images, policy)
        found.append(
            PairSummary(
                people=people,
                n_rounds=len(theirs),
                n_images=len(images),
                mean=mean_of_all(summary),
                links=summary.links,
                agreements=summary.agreements,
            )
        )
    return tuple(found)


def _turned(image: ImageComparison) -> ImageComparison:
    """The same comparison with the other person first."""
    pairs = tuple(
        pair._replace(
            first_id=pair.second_id,
            second_id=pair.first_id,
            first_label=pair.second_label,
            second_label=pair.first_label,
        )
        for pair in image.pairs
    )
    links = image.links._replace(n_first=image.links.n_second, n_second=image.links.n_first)
    return image._replace(pairs=pairs, links=links)
