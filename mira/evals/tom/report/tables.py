"""Numbers of a report as tables for spreadsheets and for papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mira.evals.tom.records import ALL_SOURCES, RowGroup, TomRow
from mira.evals.tom.report.records import TomReport, TomSummary
from mira.evals.tom.titles import title_of
from mira.report.csv_tables import format_csv
from mira.report.latex import escape_latex
from mira.schema.evaluation import Interval

TABLE_NAMES = ("scores.csv", "gaps.csv", "replies.csv", "scores.tex")
_IN_LATEX: tuple[RowGroup, ...] = ("overall", "order", "joint")
_DIGITS = 6
_Column = tuple[str, RowGroup, str]
"""Source, group and name of a row."""


def format_tables(report: TomReport) -> dict[str, bytes]:
    """All tables of a report by file name."""
    return {
        "scores.csv": format_csv(
            (
                *("replies", "source", "group", "row", "accuracy", "low", "high", "chance"),
                *("units", "questions", "unparsable", "unscored"),
            ),
            (line for one in report.replies for line in _score_lines(one)),
        ),
        "gaps.csv": format_csv(
            (
                *("replies", "source", "applied", "told", "used", "difference", "low", "high"),
                *("pairs", "told_alone", "used_alone", "p_mcnemar"),
            ),
            (line for one in report.replies for line in _gap_lines(one)),
        ),
        "replies.csv": format_csv(
            ("replies", "class", "questions"),
            (
                (one.key, *pair)
                for one in report.replies
                for pair in sorted(one.scores.classes.items())
            ),
        ),
        "scores.tex": format_latex(report).encode(),
    }


def format_latex(report: TomReport) -> str:
    """Overall, orders and joint scores as a LaTeX table that needs `booktabs`."""
    columns = _columns(report)
    sources = list(dict.fromkeys(source for source, _, _ in columns))
    widths = {source: sum(one[0] == source for one in columns) for source in sources}
    heads = [
        f"\\multicolumn{{{width}}}{{c}}{{{escape_latex(source)}}}"
        for source, width in widths.items()
    ]
    rows = {(r.source, r.group, r.name): r for one in report.replies for r in one.scores.rows}
    names = [escape_latex(title_of(rows[column])) for column in columns]
    lines = [
        f"% {escape_latex(report.run)}, questions {report.items_digest[:12]}, accuracy in per cent",
        f"\\begin{{tabular}}{{l{'r' * len(columns)}}}",
        "\\toprule",
        f" & {' & '.join(heads)} \\\\",
        f" & {' & '.join(names)} \\\\",
        "\\midrule",
        f"\\textit{{chance}} & {' & '.join(_cell(rows[one].chance) for one in columns)} \\\\",
        "\\midrule",
        *(_tex_line(one, columns) for one in report.replies),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    if any(not one.scores.complete for one in report.replies):
        lines.append("% $^\\dagger$ questions without a reply are left out; see scores.csv")
    return "\n".join(lines) + "\n"


def _columns(report: TomReport) -> list[_Column]:
    """Rows of the scores that the table has as columns, those of a source together."""
    found = dict.fromkeys(
        (row.source, row.group, row.name)
        for one in report.replies
        for row in one.scores.rows
        if row.group in _IN_LATEX and row.source != ALL_SOURCES
    )
    sources = list(dict.fromkeys(source for source, _, _ in found))
    return sorted(found, key=lambda one: (sources.index(one[0]), _IN_LATEX.index(one[1]), one[2]))


def _tex_line(one: TomSummary, columns: list[_Column]) -> str:
    rows = {(row.source, row.group, row.name): row for row in one.scores.rows}
    mark = "" if one.scores.complete else "$^\\dagger$"
    cells = (_cell(rows[column].value if column in rows else None) for column in columns)
    return f"{escape_latex(one.key)}{mark} & {' & '.join(cells)} \\\\"


def _cell(value: float | None) -> str:
    return "--" if value is None else f"{100 * value:.1f}"


def _score_lines(one: TomSummary) -> Iterator[tuple[Any, ...]]:
    for row in one.scores.rows:
        yield (
            *(one.key, row.source, row.group, row.name),
            *_figures(row),
            *(row.n_units, row.n, row.n_unparsable, row.n_unscored),
        )


def _gap_lines(one: TomSummary) -> Iterator[tuple[Any, ...]]:
    for gap in one.scores.gaps:
        yield (
            *(one.key, gap.source, gap.applied),
            *(_short(value) for value in (gap.explicit, gap.used, gap.difference)),
            *_ends(gap.interval),
            *(gap.n_pairs, gap.explicit_alone, gap.used_alone, f"{gap.p_mcnemar:.6g}"),
        )


def _figures(row: TomRow) -> tuple[float | None, ...]:
    return (_short(row.value), *_ends(row.interval), _short(row.chance))


def _ends(interval: Interval | None) -> tuple[float | None, ...]:
    return (None, None) if interval is None else (_short(interval.low), _short(interval.high))


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
