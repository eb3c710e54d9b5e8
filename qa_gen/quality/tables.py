"""The numbers of a report as tables for spreadsheets and plots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mira.report.csv_tables import format_csv
from qa_gen.quality.records import QualityReport

TABLE_NAMES = ("templates.csv", "answers.csv", "positions.csv", "spread.csv", "findings.csv")
"""The tables."""
TEMPLATE_COLUMNS = (
    "template_id",
    "subtask",
    "level",
    "items",
    "questions",
    "pictures",
    "by_annotator",
    "by_auto",
    "by_simulated",
    "commonest_share",
    "evenness",
    "blind_accuracy",
    "chance",
    "facts_repeated",
    "repeated_in_scene",
)
"""Of `templates.csv`: a row a template."""
ANSWER_COLUMNS = ("template_id", "axis", "direction", "answer", "items")
"""Of `answers.csv`: a row for each answer of a template, of an axis, and of a direction."""
POSITION_COLUMNS = ("template_id", "letter", "items", "expected")
"""Of `positions.csv`: a row for each letter that could be right."""
SPREAD_COLUMNS = ("what", "number", "count")
"""Of `spread.csv`: how many scenes, pictures, items or questions have so many of something."""
FINDING_COLUMNS = ("severity", "code", "where", "message")
"""Of `findings.csv`."""

Row = tuple[Any, ...]


def format_tables(report: QualityReport) -> dict[str, bytes]:
    """The tables by file name; equal reports give equal bytes."""
    findings = ((f.severity, f.code, f.where, f.message) for f in report.findings)
    tables = (
        format_csv(TEMPLATE_COLUMNS, _template_rows(report)),
        format_csv(ANSWER_COLUMNS, _answer_rows(report)),
        format_csv(POSITION_COLUMNS, _position_rows(report)),
        format_csv(SPREAD_COLUMNS, _spread_rows(report)),
        format_csv(FINDING_COLUMNS, findings),
    )
    return dict(zip(TABLE_NAMES, tables, strict=True))


def _template_rows(report: QualityReport) -> Iterator[Row]:
    for one in report.templates:
        yield (
            one.template_id,
            one.subtask,
            one.level,
            one.items,
            one.questions,
            one.pictures,
            *(one.by_source.get(source, 0) for source in ("annotator", "auto", "simulated")),
            one.commonest_share,
            one.evenness,
            one.guessing.accuracy,
            one.guessing.chance,
            report.repeats.facts.get(one.template_id, 0),
            report.repeats.in_scene.get(one.template_id, 0),
        )


def _answer_rows(report: QualityReport) -> Iterator[Row]:
    for one in report.templates:
        name = one.template_id
        yield from ((name, None, None, word, count) for word, count in one.gold.items())
        for axis, words in report.axes.get(name, {}).items():
            yield from ((name, axis, None, word, count) for word, count in words.items())
        for direction, words in report.directions.get(name, {}).items():
            yield from ((name, None, direction, word, count) for word, count in words.items())


def _position_rows(report: QualityReport) -> Iterator[Row]:
    for one in report.templates:
        if one.positions is not None:
            for letter, count in one.positions.counts.items():
                yield one.template_id, letter, count, one.positions.expected[letter]


def _spread_rows(report: QualityReport) -> Iterator[Row]:
    shape = report.shape
    for name in type(shape).model_fields:
        spread = getattr(shape, name)
        if name == "words_a_question":
            for protocol, own in spread.items():
                yield from ((f"{name}, {protocol}", number, n) for number, n in own.items())
        else:
            yield from ((name, number, n) for number, n in spread.items())
