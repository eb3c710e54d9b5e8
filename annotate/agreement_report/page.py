"""The page on which coordinators see whether annotators agree, and what to talk about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotate.agreement_report.cards import Card
from annotate.agreement_report.disputes import Dispute
from annotate.agreement_report.drift import plot_drift
from annotate.agreement_report.figures import x_of_share, y_of_share
from annotate.agreement_report.listing import anchors_of, count_reasons, decks_of, rows_of
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.records import AgreementReport, RoundSummary
from annotate.agreement_report.rounds import ComparedRound
from annotate.agreement_report.sections import CHOICE_WORDS, section_of, tracks_of
from annotate.agreement_report.words import (
    NOTHING,
    format_interval,
    format_iou,
    format_label,
    format_percent_interval,
    format_share,
)
from mira.report.page import render_page

_TEMPLATE = Path(__file__).parent / "templates" / "agreement_page.html.j2"
_METHODS = {"polygon": "of polygons, exact", "pixel": "of pixels"}
_FEWEST_POINTS = 60
"""Of the scatter of a single round."""
_FORMATS = {
    "iou": format_iou,
    "interval": format_interval,
    "share": format_share,
    "percent_interval": format_percent_interval,
    "label": format_label,
}


def agreement_page(
    rounds: Sequence[ComparedRound],
    *,
    report: AgreementReport,
    disputes: Sequence[Sequence[Dispute]],
    cards: Sequence[Sequence[Card]],
) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        rounds: What was compared.
        report: Its numbers.
        disputes: Those of each round, what matters most first.
        cards: Cards of each round.
    """
    anchors = anchors_of(cards)
    rows = rows_of(rounds, disputes, anchors)
    most = report.policy.rows_per_page
    n_cards = sum(map(len, cards))
    numbers = _numbers_with_section(report)
    return render_page(
        _TEMPLATE,
        report=report,
        rounds=[
            _round(k, summary, has_section=k in numbers)
            for k, summary in enumerate(report.rounds, start=1)
        ],
        bound=_common_bound(report.rounds),
        sections=_sections(rounds, report),
        n_without_section=len(rounds) - len(numbers),
        rows=rows[:most],
        n_more_rows=max(0, len(rows) - most),
        reasons=count_reasons(disputes),
        decks=decks_of(rounds, disputes, cards, anchors),
        n_cards=n_cards,
        n_without_card=len(rows) - n_cards,
        pairs=[(pair, tracks_of(pair.mean)) for pair in report.pairs],
        drift=plot_drift(report.people),
        columns=_columns(report.rounds),
        headings=_columns(report.rounds, otherwise=("Annotator", "Auditor")),
        choice_words=CHOICE_WORDS,
        methods=sorted({_METHODS[summary.method] for summary in report.rounds}),
        policy=_policy_rows(report.policy),
        nothing=NOTHING,
        fmt=_FORMATS,
        n_disputes=len(rows),
        x_of_share=x_of_share,
        y_of_share=y_of_share,
    )


def _round(number: int, summary: RoundSummary, *, has_section: bool) -> dict[str, Any]:
    mean = summary.mean
    return {
        "number": number,
        "has_section": has_section,
        "summary": summary,
        "mean": mean,
        "tracks": tracks_of(mean),
        "when": "" if summary.at is None else f"{summary.at:%Y-%m-%d %H:%M}",
    }


def _columns(
    rounds: Sequence[RoundSummary], *, otherwise: tuple[str, str] = ("annotator", "auditor")
) -> tuple[str, str]:
    """What both sides are called: by name where they are the same two in all rounds."""
    people = {(summary.annotator, summary.auditor) for summary in rounds}
    return people.pop() if len(people) == 1 else otherwise


def _common_bound(rounds: Sequence[RoundSummary]) -> float | None:
    """The bound of all rounds; None where they differ or have none."""
    bounds = {summary.bound for summary in rounds}
    return bounds.pop() if len(bounds) == 1 else None


def _sections(rounds: Sequence[ComparedRound], report: AgreementReport) -> list[dict[str, Any]]:
    """Figures of all rounds together, where there are several, and of those that have their own."""
    policy = report.policy
    numbers = _numbers_with_section(report)
    points = max(_FEWEST_POINTS, policy.points_per_plot // max(1, len(numbers)))
    found = [
        section_of(
            summary.summary,
            number=number,
            pairs=compared.comparison.pairs,
            title=summary.title,
            people=(summary.annotator, summary.auditor),
            bound=summary.bound,
            policy=policy.model_copy(update={"points_per_plot": points}),
        )
        for number, (compared, summary) in enumerate(
            zip(rounds, report.rounds, strict=True), start=1
        )
        if number in numbers
    ]
    if len(rounds) > 1 and report.total is not None:
        everybody = section_of(
            report.total,
            number=0,
            pairs=[pair for compared in rounds for pair in compared.comparison.pairs],
            title="All rounds",
            people=_columns(report.rounds),
            bound=_common_bound(report.rounds),
            policy=policy,
        )
        found.insert(0, everybody)
    return found


def _numbers_with_section(report: AgreementReport) -> set[int]:
    """Rounds with figures of their own, from 1: those with the lowest means."""
    means = [summary.mean for summary in report.rounds]
    order = sorted(
        range(len(means)), key=lambda k: 2.0 if (mean := means[k]) is None else mean.mean_iou
    )
    return {k + 1 for k in order[: report.policy.sections_per_page]}


def _policy_rows(policy: ReportPolicy) -> list[tuple[str, Any, str]]:
    """Name, value and meaning of each bound."""
    return [
        (name, getattr(record, name), (field.description or "").replace("`", ""))
        for record in (policy, policy.agreement)
        for name, field in type(record).model_fields.items()
        if name != "agreement"
    ]
