"""Scores as tables of text in the form of the paper's tables 2 to 7."""

from __future__ import annotations

from collections.abc import Iterator

from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.forms import METRIC_TITLES, NONE, Form, Row, format_number, format_p, stars
from mira.evals.mosaic.inference import FACTORS, TESTED
from mira.evals.mosaic.records import Factor, MetricName, MosaicScores, MosaicTest, TestName
from mira.evals.mosaic.statistics import binomial_p

_FACTORS: dict[Factor, str] = {"mode": "Mode", "tom": "ToM", "mode x tom": "Mode×ToM"}
_TITLES = {one.id: one.title for one in CONDITIONS}


def paper_forms(scores: MosaicScores) -> tuple[Form, ...]:
    """Tables 2 to 7 of the paper, those without rows left out."""
    forms = (
        _reward_sides(scores),
        _conformance(scores),
        _independence(scores),
        _factors(scores),
        _between_runs(scores),
        _visual(scores),
    )
    return tuple(form for form in forms if form.rows)


def _tests(scores: MosaicScores, name: TestName) -> Iterator[MosaicTest]:
    return (one for one in scores.tests if one.test == name)


def _reward_sides(scores: MosaicScores) -> Form:
    rows: list[Row] = []
    for condition in CONDITIONS:
        tests = [one for one in _tests(scores, "reward-side") if one.condition == condition.id]
        rows += [
            (condition.title, one.run or "", str(one.successes), f"{one.n:,}", format_p(one.p))
            for one in tests
        ]
        if len(tests) > 1:
            k, n = sum(one.successes or 0 for one in tests), sum(one.n for one in tests)
            told = (f"{k:,}", f"{n:,}", format_p(binomial_p(k, n)))
            rows.append((condition.title, "all runs", *told))
    return Form(
        name="table-2",
        title="Table 2: where the reward lay",
        note="k: trials with the reward in box 1. Exact two-sided binomial test against one half.",
        header=("Condition", "Run", "k", "n", "p"),
        rows=tuple(rows),
        words=2,
    )


def _conformance(scores: MosaicScores) -> Form:
    return Form(
        name="table-3",
        title="Table 3: TOCS against chance",
        note="Exact two-sided binomial test of TOCS against 0.5; neutral trials do not conform.",
        header=("Run", "Condition", "TOCS", "n", "p", ""),
        rows=tuple(
            (
                one.run or "",
                _title(one),
                format_number((one.successes or 0) / one.n),
                f"{one.n:,}",
                format_p(one.p),
                stars(one.p),
            )
            for one in _tests(scores, "conformance")
        ),
        words=2,
    )


def _independence(scores: MosaicScores) -> Form:
    return Form(
        name="table-4",
        title="Table 4: does the choice depend on where the reward lies?",
        note="Chi-square of 2 x 2 trials with Yates' correction; neutral trials are left out. "
        f"{NONE}: a box was never chosen, or never held the reward.",
        header=("Run", "Condition", "χ²", "n", "p", ""),
        rows=tuple(
            (
                one.run or "",
                _title(one),
                _statistic(one),
                f"{one.n:,}",
                format_p(one.p),
                stars(one.p),
            )
            for one in _tests(scores, "independence")
        ),
        words=2,
    )


def _factors(scores: MosaicScores) -> Form:
    run_of = _run_of(scores, "scheirer-ray-hare")
    return Form(
        name="table-5",
        title="Table 5: effects of interaction mode and order of theory of mind",
        note="Scheirer-Ray-Hare test, corrected for ties; p times the number of tests that were "
        f"run, {run_of} (Bonferroni). {NONE}: not applicable.",
        header=("Run", "Metric", *(cell for name in _FACTORS.values() for cell in (name, "p"))),
        rows=tuple(
            (run.key, METRIC_TITLES[metric], *cells)
            for run in scores.runs
            for metric in TESTED
            for cells in [_effects(scores, run.key, metric)]
        ),
        words=2,
    )


def _effects(scores: MosaicScores, run: str, metric: MetricName) -> Row:
    found = {
        one.factor: one
        for one in _tests(scores, "scheirer-ray-hare")
        if (one.run, one.metric) == (run, metric)
    }
    tests = [found[factor] for factor in FACTORS]
    return tuple(cell for one in tests for cell in (_statistic(one), _p_with_stars(one.p_adjusted)))


def _between_runs(scores: MosaicScores) -> Form:
    run_of = _run_of(scores, "kruskal-wallis")
    return Form(
        name="table-6",
        title="Table 6: do runs differ?",
        note="Kruskal-Wallis test across runs; p times the number of tests that were run, "
        f"{run_of} (Bonferroni). {NONE}: not applicable.",
        header=("Condition", "Metric", "H", "n", "p", ""),
        rows=tuple(
            (
                _title(one),
                METRIC_TITLES[one.metric] if one.metric else "",
                _statistic(one),
                f"{one.n:,}",
                format_p(one.p_adjusted),
                stars(one.p_adjusted),
            )
            for one in _tests(scores, "kruskal-wallis")
        ),
        words=2,
    )


def _visual(scores: MosaicScores) -> Form:
    """TOCS by what the agents were shown; nothing where no run tells."""
    told = [run for run in scores.runs if run.visual]
    return Form(
        name="table-7",
        title="Table 7: TOCS by what the agents were shown",
        note="",
        header=("Run", "Shown", *(one.title for one in CONDITIONS)),
        rows=tuple(
            (
                run.key,
                (run.visual or "").replace("_", " + "),
                *(
                    format_number(cell.metric("tocs").value) if cell else NONE
                    for cell in (scores.cell(run.key, one.id) for one in CONDITIONS)
                ),
            )
            for run in told
        ),
        words=2,
    )


def _title(test: MosaicTest) -> str:
    return _TITLES[test.condition] if test.condition else ""


def _statistic(test: MosaicTest) -> str:
    return NONE if test.statistic is None else f"{test.statistic:,.2f}"


def _p_with_stars(p: float | None) -> str:
    return f"{format_p(p)} {stars(p)}".rstrip()


def _run_of(scores: MosaicScores, name: TestName) -> int:
    return sum(one.p is not None for one in _tests(scores, name))
