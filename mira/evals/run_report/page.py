"""The page on which one sees how good models are, and how sure one can be of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mira.evals.mira_bench.subtasks import (
    level_of,
    levels_in_order,
    name_of,
    subtasks_in_order,
)
from mira.evals.mira_bench.titles import title_of_row
from mira.evals.run_report.figures import parts_of, reliability_of, track_of
from mira.evals.run_report.gallery import Example
from mira.evals.run_report.radar import Radar, radar_of
from mira.evals.run_report.records import RunReport, RunSummary
from mira.evals.run_report.tables import chance_normalised
from mira.evals.run_tables.formats import plain_cell
from mira.evals.run_tables.layout import sheets_of
from mira.evals.run_tables.sheets import Sheet, p_text, span
from mira.report.page import render_page
from mira.schema.evaluation import MetricResult

_TEMPLATE = Path(__file__).parent / "templates" / "run_report.html.j2"
CLASS_WORDS = {
    "parsed": "read",
    "repaired": "read after repair",
    "truncated": "cut short",
    "refused": "refused",
    "abstained": "abstained",
    "unparsable": "unreadable",
    "failed": "no reply",
}


def run_report_page(report: RunReport, *, examples: Mapping[str, Sequence[Example]]) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        report: The numbers.
        examples: Wrong answers that are shown, by the key of the run.
    """
    plain = [run.key for run in report.runs if run.manifest is None]
    return render_page(
        _TEMPLATE,
        report=report,
        runs=[_run(run, number) for number, run in enumerate(report.runs, start=1)],
        levels=_levels(report),
        forest=_forest(report),
        radar=_radar(report),
        sheets=[_sheet(one) for one in sheets_of(report.tables)],
        partial=_partial(report),
        slices=_slices(report),
        incomplete=[run for run in report.runs if not run.scores.complete],
        plain=plain,
        unlike=sorted(
            {
                setting
                for pair in report.pairs
                if pair.first not in plain and pair.second not in plain
                for setting in pair.settings
            }
        ),
        pairs=sorted(report.pairs, key=lambda pair: (pair.p_holm, -pair.difference)),
        class_words=CLASS_WORDS,
        decks=[(run.key, examples[run.key]) for run in report.runs if examples.get(run.key)],
    )


def _run(run: RunSummary, number: int) -> dict[str, Any]:
    rows = {row.name: row for row in run.scores.rows}
    overall = run.scores.rows[-1]
    return {
        "number": number,
        "summary": run,
        "modality": run.manifest.modality if run.manifest else None,
        "rows": rows,
        "overall": overall,
        "track": _track(overall, run.key),
        "normalised": chance_normalised(overall),
        "parts": parts_of(run.classes),
        "total": sum(run.classes.values()),
        "cut_rate": _rate(run, "truncated"),
        "reliability": reliability_of(run.calibration) if run.calibration else None,
    }


def _rate(run: RunSummary, name: str) -> float | None:
    """Share of the replies that were heard."""
    heard = sum(run.classes.values()) - run.classes["failed"]
    return run.classes[name] / heard if heard else None


def _track(row: MetricResult, title: str) -> Any:
    return track_of(row.value, row.interval, chance=row.chance, title=title)


def _names(report: RunReport, group: str) -> list[str]:
    """Rows of a kind that any run has, in the order of the taxonomy."""
    present = {row.name for run in report.runs for row in run.scores.rows if row.group == group}
    if group == "subtask":
        return list(subtasks_in_order(present))
    known = [f"level:{level}" for level in levels_in_order()]
    return [name for name in known if name in present]


def _levels(report: RunReport) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Levels with their sub-tasks: name of the row, title, and the same of each sub-task."""
    subtasks = _names(report, "subtask")
    return [
        (
            name,
            title_of_row(name, "level"),
            [(one, name_of(one)) for one in subtasks if f"level:{level_of(one)}" == name],
        )
        for name in _names(report, "level")
    ]


def _forest(report: RunReport) -> list[dict[str, Any]]:
    """A figure a sub-task: every run with its interval."""
    figures = []
    for name in _names(report, "subtask"):
        rows = [
            (run, next((row for row in run.scores.rows if row.name == name), None))
            for run in report.runs
        ]
        figures.append(
            {
                "title": name_of(name),
                "id": name,
                "rows": [
                    (run.key, row, _track(row, run.key)) for run, row in rows if row is not None
                ],
            }
        )
    return figures


def _radar(report: RunReport) -> Radar | None:
    """The most accurate runs, by sub-task."""
    axes = [(one, name_of(one)) for one in _names(report, "subtask")]
    values = {run.key: {row.name: row.value for row in run.scores.rows} for run in report.runs}
    return radar_of(axes, values)


def _sheet(sheet: Sheet) -> dict[str, Any]:
    """A table as the template takes it."""
    return {
        "sheet": sheet,
        "lines": [
            (
                line,
                [
                    (cell, plain_cell(cell._replace(p=None)), span(cell), p_text(cell.p))
                    for cell in line.cells
                ],
            )
            for line in sheet.lines
        ],
    }


def _partial(report: RunReport) -> list[tuple[str, list[Any]]]:
    """A row for each part that is credited, a cell a run."""
    by_run = [{(one.subtask, one.what): one for one in run.partial} for run in report.runs]
    names = {key: None for of in by_run for key in of}
    order = {one: k for k, one in enumerate(subtasks_in_order({key[0] for key in names}))}
    return [
        (
            f"{name_of(subtask)}, {what}",
            [
                one and (one, track_of(one.value, one.interval, chance=None, title=run.key))
                for run, of in zip(report.runs, by_run, strict=True)
                for one in [of.get((subtask, what))]
            ],
        )
        for subtask, what in sorted(names, key=lambda key: order[key[0]])
    ]


def _slices(report: RunReport) -> list[dict[str, Any]]:
    """A table for each thing that questions may have in common."""
    by_run = [{(one.by, one.value): one for one in run.slices} for run in report.runs]
    keys = dict.fromkeys(key for slices in by_run for key in slices)
    groups: dict[str, list[tuple[str, list[Any]]]] = {}
    for by, value in keys:
        found = [slices.get((by, value)) for slices in by_run]
        if max(one.n for one in found if one) < report.policy.least_questions:
            continue
        cells = [
            one and (one, track_of(one.accuracy, one.interval, chance=None, title=run.key))
            for run, one in zip(report.runs, found, strict=True)
        ]
        groups.setdefault(by, []).append((value, cells))
    return [{"by": by, "rows": rows} for by, rows in groups.items() if len(rows) > 1]
