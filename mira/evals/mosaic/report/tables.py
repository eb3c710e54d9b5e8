"""Numbers of a report as tables for spreadsheets and for papers."""

from __future__ import annotations

from collections.abc import Iterator

from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.evaluating import Evaluation
from mira.evals.mosaic.failures import TITLES
from mira.evals.mosaic.forms import Form, format_number
from mira.evals.mosaic.paper_forms import paper_forms
from mira.evals.mosaic.records import MetricName, MosaicScores
from mira.evals.mosaic.scoring import TrialScore
from mira.report.csv_tables import format_csv
from mira.report.latex import escape_latex

TABLE_NAMES = (
    *("metrics.csv", "tests.csv", "trials.csv", "gaze_sweep.csv", "failures.csv"),
    "tables.tex",
)
_SIGNS = {"χ²": r"$\chi^2$", "×": r"$\times$", "–": "--", "<": "$<$", "-0.": "$-$0."}
_MAIN: tuple[MetricName, ...] = ("tocs", "uncertainty", "bias_decided", "tas", "gas", "fes", "s")
_TEST_COLUMNS = (
    *("test", "run", "condition", "metric", "factor", "n", "successes"),
    *("statistic", "p", "p_adjusted", "reason"),
)


def format_tables(evaluation: Evaluation) -> dict[str, bytes]:
    """All tables of a report by file name."""
    scores = evaluation.scores
    return {
        "metrics.csv": _metrics(scores),
        "tests.csv": format_csv(
            _TEST_COLUMNS,
            ([_short(getattr(one, name)) for name in _TEST_COLUMNS] for one in scores.tests),
        ),
        "trials.csv": _trials(evaluation),
        "gaze_sweep.csv": format_csv(
            ("run", "condition", "threshold", "n", "gas", "s_gaze"),
            (
                (one.run, one.condition, one.threshold, one.n, _short(one.gas), _short(one.s_gaze))
                for one in scores.sweep
            ),
        ),
        "failures.csv": format_csv(
            ("run", "condition", "failure", "times", "n"),
            ((one.run, one.condition, one.failure, one.times, one.n) for one in scores.failures),
        ),
        "tables.tex": format_latex(scores).encode(),
    }


def format_latex(scores: MosaicScores) -> str:
    """All tables of the report as LaTeX that needs `booktabs`, figures 2 and 3 as one in front."""
    return "\n\n".join(_latex(form) for form in (_signals(scores), *paper_forms(scores))) + "\n"


def _signals(scores: MosaicScores) -> Form:
    """Figures 2 and 3 as a table."""
    heads = ("TOCS", "UR", "PB", "TAS", "GAS", "FES", "S")
    return Form(
        name="figures-2-3",
        title="Figures 2 and 3 in numbers",
        note=f"theta_g = {scores.policy.gaze_threshold:g}; PB over non-neutral trials",
        header=("Run", "Condition", *heads, "n"),
        rows=tuple(
            (
                run.key,
                condition.title,
                *(format_number(cell.metric(name).value) for name in _MAIN),
                str(cell.n),
            )
            for run in scores.runs
            for condition in CONDITIONS
            if (cell := scores.cell(run.key, condition.id))
        ),
        words=2,
    )


def _latex(form: Form) -> str:
    columns = "l" * form.words + "r" * (len(form.header) - form.words)
    lines = [
        f"% {' '.join(form.title.split())}",
        f"% {' '.join(form.note.split())}",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        _latex_row(form.header),
        "\\midrule",
        *map(_latex_row, form.rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines)


def _latex_row(cells: tuple[str, ...]) -> str:
    texts = map(escape_latex, (" ".join(cell.split()) for cell in cells))
    return " & ".join(map(_with_signs, texts)) + r" \\"


def _with_signs(text: str) -> str:
    for sign, written in _SIGNS.items():
        text = text.replace(sign, written)
    return text


def _metrics(scores: MosaicScores) -> bytes:
    header = ("run", "condition", "trials", "aborted", "neutral", "unread")
    return format_csv(
        (*header, "metric", "value", "low", "high", "n"),
        (
            (
                *(cell.run, cell.condition, cell.n, cell.n_aborted, cell.n_neutral, cell.n_unread),
                *(one.name, _short(one.value)),
                _short(one.interval.low if one.interval else None),
                _short(one.interval.high if one.interval else None),
                one.n,
            )
            for cell in scores.cells
            for one in cell.metrics
        ),
    )


def _trials(evaluation: Evaluation) -> bytes:
    fields = tuple(TrialScore.model_fields)

    def rows() -> Iterator[tuple[object, ...]]:
        for run, judged in evaluation.judged.items():
            for one in judged:
                values = (_short(getattr(one.score, name)) for name in fields)
                tags = (one.failures[name] for name in TITLES)
                yield (run, *values, *(None if tag is None else int(tag) for tag in tags))

    return format_csv(("run", *fields, *TITLES), rows())


def _short(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return float(f"{value:.6g}") if isinstance(value, float) else value
