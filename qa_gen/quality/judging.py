"""Which numbers of a report are outside the bounds of its policy."""

from __future__ import annotations

from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.records import Guessing, Margins, QualityReport, TemplateQuality
from qa_gen.quality.reporting import FindingList


def judge(report: QualityReport, findings: FindingList) -> None:
    """Tell which numbers are out of bounds.

    Args:
        report: The numbers, and the policy.
        findings: Where it is told.
    """
    known = {template.template_id for template in report.templates}
    for row in taxonomy().templates:
        if row.id not in known:
            findings.add("template-missing", row.id, "expected items, found none")
    for template in report.templates:
        _judge_template(template, report, findings)
    for subtask in report.subtasks:
        # Templates are told by themselves; a sub-task of its own kind is one that counts jointly.
        if taxonomy().subtask(subtask.subtask).joint:
            _judge_guessing(subtask.subtask, subtask.guessing, report, findings)
    for margins in report.margins:
        _judge_margins(margins, report, findings)


def _judge_template(
    template: TemplateQuality, report: QualityReport, findings: FindingList
) -> None:
    policy, name = report.policy, template.template_id
    if template.items < policy.least_items:
        message = f"expected {policy.least_items} items or more, found {template.items}"
        findings.add("few-items", name, message)
        return
    _judge_gold(template, report, findings)
    _judge_guessing(name, template.guessing, report, findings)
    places = template.positions
    if (
        places is not None
        and places.p is not None
        and places.p < policy.position_p
        and places.excess > policy.position_excess
    ):
        letter = max(places.counts, key=lambda one: places.counts[one] - places.expected[one])
        findings.add(
            "position-lopsided",
            name,
            f"expected {letter} to be right {places.expected[letter]:.0f} times, found "
            f"{places.counts[letter]} (p = {places.p:.1g})",
        )
    _judge_repeats(template, report, findings)


def _judge_gold(template: TemplateQuality, report: QualityReport, findings: FindingList) -> None:
    most, name = report.policy.commonest_share, template.template_id
    groups = {"": template.gold} if template.commonest_share is not None else {}
    groups |= {f"{axis}: ": words for axis, words in report.axes.get(name, {}).items()}
    for group, counts in groups.items():
        total = sum(counts.values())
        if not total:
            continue
        word = max(counts, key=lambda one: counts[one])
        if counts[word] > most * total:
            findings.add(
                "gold-lopsided",
                name,
                f"{group}expected no answer in more than {_percent(most)} of the items, found "
                f"{word!r} in {_percent(counts[word] / total)}",
            )


def _judge_guessing(
    name: str, guessing: Guessing, report: QualityReport, findings: FindingList
) -> None:
    policy, excess = report.policy, guessing.excess
    if excess is None or guessing.units < policy.least_items or excess <= policy.blind_excess:
        return
    findings.add(
        "blind-guess",
        name,
        f"expected guesses without the picture to be right at most "
        f"{_points(policy.blind_excess)} more often than chance, found "
        f"{_percent(guessing.accuracy)} against {_percent(guessing.chance)}",
    )


def _judge_repeats(template: TemplateQuality, report: QualityReport, findings: FindingList) -> None:
    policy, repeats, name = report.policy, report.repeats, template.template_id
    bounds = (
        ("fact-repeated", repeats.facts, template.items, policy.fact_share),
        ("scene-repeated", repeats.in_scene, repeats.worded.get(name, 0), policy.scene_share),
    )
    for code, counts, total, most in bounds:
        again = counts.get(name, 0)
        if again > most * total:
            message = f"expected at most {_percent(most)} of {total}, found {again}"
            findings.add(code, name, message)


def _judge_margins(margins: Margins, report: QualityReport, findings: FindingList) -> None:
    policy = report.policy
    if margins.items >= policy.least_items and margins.near > policy.near_share * margins.items:
        findings.add(
            "near-threshold",
            margins.template_id,
            f"expected at most {_percent(policy.near_share)} of {margins.items} margins in "
            f"{margins.unit} near a close call, found {margins.near}",
        )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _points(share: float) -> str:
    return f"{100 * share:.0f} points"
