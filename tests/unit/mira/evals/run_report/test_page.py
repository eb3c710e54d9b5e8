"""Reports on runs: numbers, tables, the page."""

from __future__ import annotations

import csv

import pytest

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.run_report.page import run_report_page
from mira.evals.run_report.policy import RunReportPolicy
from mira.evals.run_report.summarising import keys_of, summarise_runs
from mira.evals.run_report.tables import TABLE_NAMES, format_tables
from mira.schema.evaluation import Prediction

POLICY = RunReportPolicy(bootstrap=BootstrapPolicy(resamples=50), least_questions=1)


def rows(small, n=12):
    return [small.row(f"q{k}", "mc_003", scene_id=f"s{k}") for k in range(n)]


def said(n_right, n=12, **more):
    return [
        Prediction(question_id=f"q{k}", answer="yes" if k < n_right else "no", **more)
        for k in range(n)
    ]


def summarised(small, questions, *runs):
    together = small.together(questions, *runs)
    traits = {one.question_id: (("template", one.template_id),) for one in together.questions}
    return summarise_runs(together, traits, policy=POLICY, seed=0)


def test_the_most_accurate_run_comes_first_and_pairs_tell_who_is_better(small):
    questions = rows(small)
    good = small.judged(questions, said(11), name="good", modality="rgb")
    bad = small.judged(questions, said(3), name="bad", modality="rgb_d")
    report = summarised(small, questions, bad, good)
    assert [run.key for run in report.runs] == ["good", "bad"]
    (pair,) = report.pairs
    assert (pair.second, pair.first) == ("good", "bad")
    assert pair.difference == pytest.approx(8 / 12)
    assert pair.interval.low <= pair.difference <= pair.interval.high
    assert pair.settings == ("modality",)
    assert pair.p_mcnemar == pytest.approx(2 * 0.5**8)
    assert pair.p_holm == pair.p_scenes == pytest.approx(2 * 0.5**8, abs=0.005)
    assert report == summarised(small, questions, bad, good)


def test_runs_of_one_name_are_told_apart_by_what_differs(small):
    questions = rows(small)
    runs = [
        small.judged(questions, said(5), name="x", modality="rgb"),
        small.judged(questions, said(6), name="x", modality="rgb_dm"),
        small.judged(questions, said(6), name="y"),
        small.judged(questions, said(6), name="y"),
    ]
    assert keys_of(small.together(questions, *runs)) == ["x, RGB", "x, RGB-DM", "y (1)", "y (2)"]


def test_runs_without_a_common_question_are_told_as_not_compared(small):
    questions = rows(small)
    ones = small.judged(questions, said(3)[:4], name="ones")
    twos = small.judged(questions, said(9)[6:], name="twos")
    report = summarised(small, questions, ones, twos)
    assert report.pairs == ()
    assert report.not_compared == (("ones", "twos"),)


def test_replies_are_counted_by_class_and_those_never_asked_are_no_reply(small):
    questions = rows(small, 5)
    replies = [
        Prediction(question_id="q0", raw_text='{"final_answer": "yes"'),
        Prediction(question_id="q1", raw_text="<think>so"),
        Prediction(question_id="q2", raw_text="I'm sorry, I can't help with that."),
        Prediction(question_id="q3", status="failed"),
    ]
    (run,) = summarised(small, questions, small.judged(questions, replies, name="r")).runs
    assert {name: count for name, count in run.classes.items() if count} == {
        "repaired": 1,
        "truncated": 1,
        "refused": 1,
        "failed": 2,
    }
    assert not run.scores.complete


def test_tables_hold_the_numbers_of_the_report(small):
    questions = rows(small)
    one = small.judged(questions, said(9, confidence=0.75), name="50% & more_<b>", modality="rgb")
    report = summarised(small, questions, one, small.judged(questions, said(2)))
    files = format_tables(report)
    assert set(files) == set(TABLE_NAMES)
    lines = list(csv.DictReader(files["scores.csv"].decode().splitlines()))
    overall = next(line for line in lines if line["row"] == "overall" and line["modality"] == "rgb")
    assert float(overall["accuracy"]) == 0.75
    assert float(overall["chance"]) == 0.5
    assert float(overall["chance_normalised"]) == 0.5
    latex = files["scores.tex"].decode()
    assert r"50\% \& more\_<b> & -- & 75.0 &" in latex
    assert latex.count(r"\\") == 5
    widths = {
        line.count("&") for line in latex.splitlines() if line.endswith(r"W-Avg & Overall \\")
    }
    assert widths == {12}


def test_the_page_stands_alone_and_runs_nothing_of_what_it_shows(small):
    questions = rows(small)
    evil = "<script>alert(1)</script>"
    runs = [
        small.judged(questions, said(9, confidence=0.8), name=evil, modality="rgb"),
        small.judged(questions, said(4)[:10], name="cut", modality="rgb"),
        small.judged(questions, said(4)),
    ]
    report = summarised(small, questions, *runs)
    page = run_report_page(report, examples={})
    assert page == run_report_page(report, examples={})
    assert evil not in page
    assert "&lt;script&gt;alert(1)" in page
    for outside in ('src="http', 'href="http', "@import", "url("):
        assert outside not in page
    assert "2 of 12 questions have no reply" in page
    assert "Of plain nobody knows how it was asked" in page
    assert "75.0" in page


def test_a_run_that_was_never_heard_has_a_page_too(small):
    questions = rows(small, 3)
    silent = [Prediction(question_id=f"q{k}", status="failed") for k in range(3)]
    report = summarised(small, questions, small.judged(questions, silent, name="silent"))
    page = run_report_page(report, examples={})
    assert "3 of 3 questions have no reply" in page
    assert format_tables(report)["scores.tex"]
