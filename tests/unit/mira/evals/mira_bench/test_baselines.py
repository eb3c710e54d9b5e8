from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.evals.mira_bench.baselines import (
    majority_predictions,
    oracle_predictions,
    random_predictions,
)
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.scoring import score_predictions

PROTOCOLS = ("bbox_text", "visual_mask")


def score(rows, answers, **keys):
    return score_predictions(rows, answers, release_digest="d", **keys)


@settings(max_examples=15, deadline=None)
@given(scenes=st.integers(1, 8), protocols=st.integers(1, 2))
def test_the_oracle_is_right_everywhere(make, scenes, protocols):
    rows = make.release(scenes, protocols=PROTOCOLS[:protocols])
    table = score(rows, oracle_predictions(rows), bootstrap=None)
    assert {entry.value for entry in table.rows} == {1.0}
    assert table.complete


def test_random_guesses_are_right_as_often_as_chance_says(make):
    rows = make.release(30)
    seeds = 40
    tables = [
        score(rows, random_predictions(rows, rng=np.random.default_rng(seed)), bootstrap=None)
        for seed in range(seeds)
    ]
    for place, entry in enumerate(tables[0].rows):
        values = np.array([table.rows[place].value for table in tables])
        spread = values.std(ddof=1) / seeds**0.5
        assert abs(values.mean() - entry.chance) < 4 * spread, entry.name


@pytest.mark.slow
def test_intervals_of_random_guesses_hold_chance_as_often_as_they_claim(make):
    rows = make.release(50)
    seeds = 50
    policy = BootstrapPolicy(resamples=200)
    held = Counter()
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        for entry in score(rows, random_predictions(rows, rng=rng), rng=rng, bootstrap=policy).rows:
            held[entry.name] += entry.interval.low <= entry.chance <= entry.interval.high
    # 47.5 of 50 wanted; rare events (mr: 4 right of 100) and the noise of 50 seeds cost some.
    assert min(held.values()) >= 42, held
    assert held["overall"] >= 44


def test_random_guesses_use_every_answer(make):
    rows = make.release(300)
    guesses = random_predictions(rows, rng=np.random.default_rng(0))
    by_template: dict[str, set[str]] = {}
    for row, guess in zip(rows, guesses, strict=True):
        by_template.setdefault(row["template_id"], set()).add(guess.answer)
    assert by_template["ac_001"] == {"yes", "no", "not_sure"}
    assert by_template["ct_001"] == {str(count) for count in range(7)}
    assert by_template["mc_002"] == {"A", "B"}
    assert len(by_template["mr_001"]) == 27


def test_a_count_without_a_bound_is_not_guessed(make):
    rows = [make.row("c", "ct_001", answer="1")]
    (guess,) = random_predictions(rows, rng=np.random.default_rng(0))
    assert (guess.answer, guess.status) == (None, "failed")


def test_the_majority_answer_is_taken_by_template(make):
    answers = ("yes", "no", "no")
    rows = [
        make.row(str(place), "mc_003", answer=answer, options=("yes", "no"))
        for place, answer in enumerate(answers)
    ]
    rows.append(make.row("cr", "ac_004", answer="yes", options=("yes", "no", "not_sure")))
    assert [guess.answer for guess in majority_predictions(rows)] == ["no", "no", "no", "yes"]


def test_the_majority_answer_is_one_that_the_question_allows(make):
    rows = [make.row(f"q{i}", "mc_001", answer="C", options=("x", "y", "z")) for i in range(3)]
    rows.append(make.row("short", "mc_001", answer="B", options=("x", "y")))
    assert [guess.answer for guess in majority_predictions(rows)] == ["C", "C", "C", "B"]
