"""Numbers of a report as tables for spreadsheets and for papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mira.evals.mira_bench.subtasks import is_control, level_name, subtasks_in_order
from mira.evals.run_report.records import RunReport, RunSummary
from mira.evals.run_tables.formats import sheets_csv, sheets_latex
from mira.evals.run_tables.layout import sheets_of
from mira.release.question_files import CONTROL
from mira.report.csv_tables import format_csv
from mira.report.latex import escape_latex
from mira.schema.evaluation import Interval, MetricResult
from mira.taxonomy.catalogue import taxonomy

TABLE_NAMES = (
    *("scores.csv", "slices.csv", "replies.csv", "calibration.csv", "pairs.csv"),
    *("partial.csv", "scores.tex", "tables.csv", "tables.tex"),
)
_DIGITS = 6


def format_tables(report: RunReport) -> dict[str, bytes]:
    """All tables of a report by file name."""
    sheets = sheets_of(report.tables)
    return {
        "scores.csv": _scores(report),
        "slices.csv": format_csv(
            ("run", "by", "value", "accuracy", "low", "high", "questions", "heard"),
            (
                (run.key, one.by, one.value, *_figures(one.accuracy, one.interval), *counts)
                for run in report.runs
                for one in run.slices
                for counts in [(one.n, one.n_heard)]
            ),
        ),
        "replies.csv": format_csv(
            ("run", "class", "questions"),
            ((run.key, *pair) for run in report.runs for pair in run.classes.items()),
        ),
        "calibration.csv": format_csv(
            ("run", "low", "high", "answers", "mean_confidence", "accuracy"),
            (
                (run.key, *map(_short, (one.low, one.high)), one.n, *map(_short, means))
                for run in report.runs
                if run.calibration
                for one in run.calibration.bins
                for means in [(one.mean_confidence, one.accuracy)]
            ),
        ),
        "partial.csv": format_csv(
            ("run", "subtask", "what", "credit", "low", "high", "questions"),
            (
                (run.key, one.subtask, one.what, *_figures(one.value, one.interval), one.n)
                for run in report.runs
                for one in run.partial
            ),
        ),
        "pairs.csv": _pairs(report),
        "scores.tex": format_latex(report).encode(),
        "tables.csv": sheets_csv(sheets),
        "tables.tex": sheets_latex(sheets).encode(),
    }


def chance_normalised(row: MetricResult) -> float | None:
    """Accuracy on a scale where uniform guessing is 0 and all right is 1."""
    if row.value is None or row.chance is None or row.chance >= 1:
        return None
    return (row.value - row.chance) / (1 - row.chance)


def format_latex(report: RunReport) -> str:
    """The scores as a LaTeX table that needs `booktabs`: sub-tasks of a level, then its average."""
    present = {row.name for run in report.runs for row in run.scores.rows}
    controls = subtasks_in_order([name for name in present if is_control(name)])
    levels = [
        (level.name, [one.id for one in taxonomy().subtasks if one.level == level.id], level.id)
        for level in taxonomy().levels
    ]
    if controls:
        levels = [(level_name(CONTROL), list(controls), CONTROL)]
    names = [name for _, subtasks, level in levels for name in (*subtasks, f"level:{level}")]
    heads = [
        f"\\multicolumn{{{len(subtasks) + 1}}}{{c}}{{{escape_latex(title)}}}"
        for title, subtasks, _ in levels
    ]
    columns = [
        head for _, subtasks, _ in levels for head in (*(s.upper() for s in subtasks), "W-Avg")
    ]
    lines = [
        f"% Release {report.release_digest}, accuracy in per cent",
        f"\\begin{{tabular}}{{l{'r' * (len(names) + 1)}}}",
        "\\toprule",
        f" & {' & '.join(heads)} & \\\\",
        f"Run & {' & '.join(columns)} & Overall \\\\",
        "\\midrule",
        *_chance_line(report, names),
        *(_tex_line(run, names) for run in report.runs),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    if any(not run.scores.complete for run in report.runs):
        lines.append("% $^\\dagger$ questions without a reply are left out; see scores.csv")
    return "\n".join(lines) + "\n"


def _chance_line(report: RunReport, names: Sequence[str]) -> Iterator[str]:
    """Chance, where it is the same for all runs."""
    found = {tuple(_cells(run, names, "chance")) for run in report.runs}
    if len(found) == 1:
        yield f"\\textit{{chance}} & {' & '.join(found.pop())} \\\\"
        yield "\\midrule"


def _tex_line(run: RunSummary, names: Sequence[str]) -> str:
    mark = "" if run.scores.complete else "$^\\dagger$"
    return f"{escape_latex(run.key)}{mark} & {' & '.join(_cells(run, names, 'value'))} \\\\"


def _cells(run: RunSummary, names: Sequence[str], field: str) -> list[str]:
    rows = {row.name: row for row in run.scores.rows}
    values = [getattr(rows[n], field) if n in rows else None for n in (*names, "overall")]
    return ["--" if value is None else f"{100 * value:.1f}" for value in values]


def _pairs(report: RunReport) -> bytes:
    header = ("first", "second", "difference", "low", "high", "units")
    lines = (
        (
            *(one.first, one.second),
            *_figures(one.difference, one.interval),
            one.n_units,
            *(f"{p:.6g}" for p in (one.p_scenes, one.p_holm, one.p_mcnemar)),
            "; ".join(one.settings),
        )
        for one in report.pairs
    )
    return format_csv((*header, "p_scenes", "p_holm", "p_mcnemar", "differing"), lines)


def _scores(report: RunReport) -> bytes:
    header = (
        *("run", "name", "protocol", "modality", "split", "row", "group", "accuracy", "low"),
        *("high", "chance", "chance_normalised", "questions", "units", "unparsable"),
        *("unscored", "overall_by_units"),
    )
    return format_csv(header, (line for run in report.runs for line in _score_lines(run)))


def _score_lines(run: RunSummary) -> Iterator[tuple[Any, ...]]:
    modality = run.manifest.modality if run.manifest else None
    for row in run.scores.rows:
        yield (
            *(run.key, run.name, run.protocol, modality, run.split, row.name, row.group),
            *_figures(row.value, row.interval),
            *(_short(row.chance), _short(chance_normalised(row))),
            *(row.n, row.n_units, row.n_unparsable, row.n_unscored),
            _short(run.overall_by_units) if row.group == "overall" else None,
        )


def _figures(value: float | None, interval: Interval | None) -> tuple[float | None, ...]:
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return tuple(_short(one) for one in (value, *ends))


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
