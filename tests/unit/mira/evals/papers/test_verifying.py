"""Published tables, recomputed from each other."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.evals.papers.mira_tables import AVERAGES, averages_of, question_counts
from mira.evals.papers.tables import read_table
from mira.evals.papers.verifying import judge_checks, verify_papers

GOLDEN = Path(__file__).parents[6] / "shared" / "golden"


@pytest.fixture(scope="module")
def report():
    return verify_papers()


def test_as_many_cells_reproduce_as_the_tables_allow(report):
    counts = Counter((one.rule, one.verdict) for one in report.checks)
    reproduced = {rule: n for (rule, verdict), n in counts.items() if verdict == "reproduces"}
    assert reproduced == {
        "average-by-questions": 17 * 4,
        "chance": 5,
        "share-of-whole-questions": 14,
        "average-of-metrics": 276,
        "mean-over-levels": 270,
        "mean-over-models": 15,
        "overall-by-episodes": 72 * 3 - 31 + 6 * 4,
        "overall-by-steps": 6,
        "constant-policy": 3 * 3 * 4,
        "exact-binomial": 28,
        "chi-square-of-whole-trials": 4,
        "p-of-chi-square": 43,
    }
    assert report.reproduced == sum(reproduced.values())


def test_every_cell_that_does_not_reproduce_is_known_and_says_why(report):
    assert report.clean
    others = [one for one in report.checks if one.verdict != "reproduces"]
    assert len(others) == 33 + 2
    assert all(one.reason for one in others)
    assert all(one.known == (one.verdict == "differs") for one in others)
    assert not any(one.reason for one in report.checks if one.verdict == "reproduces")


def test_missing_episodes_are_told_where_they_explain_a_row(report):
    reasons = {one.cell: one.reason for one in report.checks if one.table == "IV"}
    # 20 of 48 and 0 of 17 make the printed 0.308.
    assert "48 Human and 17 Robot" in reasons["GLM-4.5V-106B / overall / tsr"]


def test_weights_by_triples_do_not_reproduce_the_averages_of_mira():
    counts = question_counts()
    assert sum(counts.values()) == 14_140
    collapsed = {**counts, "vc": counts["vc"] // 3}
    rows = read_table("mira_accuracy")

    def fails(row, weights):
        printed = np.array([float(row[name]) for name in AVERAGES])
        return np.abs(averages_of(row, weights) - printed).max() > 0.1 + 1e-9

    assert len(rows) == 17
    assert sum(fails(row, collapsed) for row in rows) >= 16
    assert not any(fails(row, counts) for row in rows)


def test_counts_of_questions_are_within_the_ranges_that_the_tables_leave():
    for row in read_table("mira_questions"):
        assert int(row["fewest"]) <= int(row["questions"]) <= int(row["most"])


def test_one_more_cell_that_differs_or_one_fewer_is_not_clean(report):
    first = next(one for one in report.checks if one.verdict == "differs")
    key = (first.paper, first.table, first.cell, first.rule)
    assert judge_checks([first], known=frozenset({key})).clean
    more = judge_checks([first], known=frozenset())
    assert not more.clean
    assert not more.checks[0].known
    fewer = judge_checks([], known=frozenset({key}))
    assert not fewer.clean
    assert fewer.not_differing == (" / ".join(key),)


def test_the_command_lists_what_differs_and_exits_0():
    done = CliRunner().invoke(app, ["eval", "verify-papers"])
    assert done.exit_code == 0
    assert "276 of 276" in done.stdout
    assert "974 cells reproduce, 33 do not" in done.stdout
    told = json.loads(CliRunner().invoke(app, ["eval", "verify-papers", "--json"]).stdout)
    assert told["clean"]
    assert len(told["checks"]) == 974 + 33 + 2


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden tables are not on this machine")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("mira_accuracy", ("mira_tables_1_2",)),
        ("reach_levels", tuple(f"mirrorbench_table_{n}" for n in ("IV", "V", "VI", "VII"))),
        ("reach_means", ("mirrorbench_table_II",)),
        ("reach_over_models", ("mirrorbench_table_III",)),
        ("reach_constant_policies", ("mirrorbench_golden_constant_policies",)),
        ("mosaic_conformance", ("mosaic_table3_tocs_binomial",)),
        ("mosaic_independence", ("mosaic_table4_chi2",)),
    ],
)
def test_every_figure_of_the_package_is_one_of_the_golden_tables(ours, theirs):
    def numbers(rows, columns):
        cells = (row[column] for row in rows for column in columns(row))
        return Counter(float(cell.lstrip("<")) for cell in cells if cell.strip())

    labels = {"row", "table", "level", "group", "policy", "condition", "model", "note"}
    computed = {"k_of_50", "p_exact_two_sided", "reproduces", "consistent"}
    computed |= {"p_from_chi2_df1_low", "p_high"}
    golden = []
    for name in theirs:
        golden += list(csv.DictReader((GOLDEN / f"{name}.csv").read_text("utf-8").splitlines()))
    mine = numbers(read_table(ours), lambda row: [c for c in row if c not in labels])
    assert mine == numbers(golden, lambda row: [c for c in row if c not in labels | computed])
