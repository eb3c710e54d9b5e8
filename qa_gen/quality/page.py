"""The page on which one sees what a set of questions holds, and whether it is worth asking."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from mira.report.page import render_page
from mira.schema.finding import Finding
from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.bars import Part, heat_of, heats_of, letter_bars, parts_of
from qa_gen.quality.cards import SOURCE_WORDS, decks_of
from qa_gen.quality.codes import CODES
from qa_gen.quality.examples import Example
from qa_gen.quality.figures import plot_ring, plot_spread
from qa_gen.quality.policy import QualityPolicy
from qa_gen.quality.records import QualityReport, TemplateQuality

_TEMPLATE = Path(__file__).parent / "templates" / "quality_page.html.j2"
_SPREADS = {
    "pictures_a_scene": ("Pictures of a scene", "scenes"),
    "items_a_scene": ("Items of a scene", "scenes"),
    "items_a_picture": ("Items of a picture", "pictures"),
    "objects_a_picture": ("Objects of a picture that are named", "pictures"),
    "options_an_item": ("Options to choose from, 0 where the answer is free", "items"),
}
_COLLECTED = {
    "by_source": "Source of the pictures",
    "by_environment": "Place",
    "by_lighting": "Light",
    "by_surface": "Reflective surfaces",
}
_WORDS_A_BIN = 10


class FindingGroup(NamedTuple):
    """Findings of one code."""

    code: str
    meaning: str
    severity: str
    findings: tuple[Finding, ...]
    more: int
    """Findings that are not listed."""


def quality_page(report: QualityReport, *, examples: Sequence[Example]) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        report: The numbers.
        examples: Items to look through.
    """
    return render_page(
        _TEMPLATE,
        report=report,
        levels=_levels(report),
        ring=plot_ring(report.templates),
        sources=parts_of(_total_sources(report), names=SOURCE_WORDS),
        protocols=parts_of(
            report.protocols, names={row.id: row.name for row in taxonomy().protocols}
        ),
        collected=_collected(report),
        groups=_finding_groups(report),
        templates=[_template(one, report) for one in report.templates],
        places=[
            (one.template_id, one.positions, letter_bars(one.positions))
            for one in report.templates
            if one.positions is not None
        ],
        axes=heats_of(report.axes),
        directions=[heat_of(name, rows) for name, rows in report.directions.items()],
        spreads=_spreads(report),
        decks=decks_of(examples),
        policy=_policy_rows(report.policy),
        version=version("mira-toolkit"),
    )


def _levels(report: QualityReport) -> list[dict[str, Any]]:
    found = []
    for level in taxonomy().levels:
        own = [one for one in report.subtasks if one.level == level.id]
        if own:
            questions = sum(one.questions for one in own)
            rows = [{"name": taxonomy().subtask(one.subtask).name, "numbers": one} for one in own]
            found.append(
                {
                    "level": level,
                    "items": sum(one.items for one in own),
                    "questions": questions,
                    "share": questions / max(1, report.questions),
                    "subtasks": rows,
                }
            )
    return found


def _template(one: TemplateQuality, report: QualityReport) -> dict[str, Any]:
    axes = report.axes.get(one.template_id, {})
    golds = [(axis, parts_of(words)) for axis, words in axes.items()]
    letters = one.positions is not None and one.evenness is None and one.commonest_share is None
    if not golds:
        counts = one.positions.counts if letters and one.positions else one.gold
        golds = [("", parts_of(counts, order=_option_values(one.template_id)))]
    return {
        "numbers": one,
        "subtask": taxonomy().subtask(one.subtask).name,
        "golds": golds,
        "by_letter": letters,
        "is_count": taxonomy().template(one.template_id).format == "count",
        "sources": parts_of(one.by_source, names=SOURCE_WORDS),
        "warned": any(
            finding.where == one.template_id and finding.severity != "info"
            for finding in report.findings
        ),
    }


def _option_values(template_id: str) -> tuple[str, ...]:
    values = taxonomy().option_sets.get(taxonomy().template(template_id).options or "")
    return values if isinstance(values, tuple) else ()


def _total_sources(report: QualityReport) -> dict[str, int]:
    total = dict.fromkeys(SOURCE_WORDS, 0)
    for one in report.templates:
        for source, count in one.by_source.items():
            total[source] = total.get(source, 0) + count
    return {source: count for source, count in total.items() if count}


def _collected(report: QualityReport) -> list[tuple[str, tuple[Part, ...]]]:
    if report.collection is None:
        return []
    bars = (
        (title, parts_of(getattr(report.collection, name))) for name, title in _COLLECTED.items()
    )
    return [(title, parts) for title, parts in bars if parts]


def _finding_groups(report: QualityReport) -> list[FindingGroup]:
    return [
        FindingGroup(code, CODES[code], own[0].severity, own, report.not_listed.get(code, 0))
        for code, found in groupby(report.findings, key=lambda finding: finding.code)
        if (own := tuple(found))
    ]


def _spreads(report: QualityReport) -> list[dict[str, Any]]:
    found = [
        {"title": title, "noun": noun, "figure": figure}
        for name, (title, noun) in _SPREADS.items()
        if (figure := plot_spread(getattr(report.shape, name), noun))
    ]
    for protocol, spread in report.shape.words_a_question.items():
        figure = plot_spread(spread, "questions", step=_WORDS_A_BIN)
        if figure:
            title = f"Words of a question, {taxonomy().protocol(protocol).name.lower()}"
            found.append({"title": title, "noun": "questions", "figure": figure})
    return found


def _policy_rows(policy: QualityPolicy) -> list[tuple[str, Any, str]]:
    """Name, value and meaning of each bound."""
    return [
        (name, getattr(policy, name), (field.description or "").replace("`", ""))
        for name, field in type(policy).model_fields.items()
        if name not in ("spatial", "schema_version")
    ]
