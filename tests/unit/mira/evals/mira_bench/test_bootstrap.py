from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from mira.evals.mira_bench.baselines import random_predictions
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.scoring import score_predictions
from mira.schema.evaluation import Prediction

YES_NO = {"options": ("yes", "no")}


def score(rows, answers, **keys):
    return score_predictions(rows, answers, release_digest="d", **keys)


def test_intervals_are_on_by_default_at_95_percent_and_off_on_request(make):
    rows = make.release(4)
    answers = list(random_predictions(rows, rng=np.random.default_rng(1)))
    intervals = [entry.interval for entry in score(rows, answers).rows]
    assert all(interval is not None and interval.level == 0.95 for interval in intervals)
    assert "1000 resamples" in intervals[0].method
    assert {entry.interval for entry in score(rows, answers, bootstrap=None).rows} == {None}


def test_the_same_generator_gives_the_same_intervals(make):
    rows = make.release(9)
    answers = list(random_predictions(rows, rng=np.random.default_rng(1)))
    once, again, other = (
        score(rows, answers, rng=np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    assert once == again
    assert once != other


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_an_interval_of_a_higher_level_holds_that_of_a_lower_one(make, seed):
    rows = make.release(12)
    answers = list(random_predictions(rows, rng=np.random.default_rng(seed)))
    narrow, wide = (
        score(rows, answers, bootstrap=BootstrapPolicy(resamples=200, level=level)).rows
        for level in (0.5, 0.99)
    )
    for inner, outer in zip(narrow, wide, strict=True):
        assert outer.interval.low <= inner.interval.low <= inner.interval.high
        assert inner.interval.high <= outer.interval.high


def test_one_scene_tells_nothing_of_how_scenes_differ(make):
    rows = [
        make.row("a", "mc_003", answer="yes", scene_id="s0", **YES_NO),
        make.row("b", "mc_003", answer="yes", scene_id="s0", **YES_NO),
        make.row("c", "ct_001", answer="1", scene_id="s1", count_max=3),
    ]
    answers = [Prediction(question_id=name, answer="yes") for name in "ab"]
    table = score(rows, [*answers, Prediction(question_id="c", answer="2")])
    assert make.row_of(table, "mc").interval is None
    assert make.row_of(table, "overall").interval is not None


def test_a_release_of_one_scene_has_intervals_over_its_items_and_says_so(make):
    rows = [
        make.row(name, "mc_003", answer="yes", scene_id="only", **YES_NO) for name in "abcdefgh"
    ]
    answers = [
        Prediction(question_id=name, answer="yes" if name < "e" else "no") for name in "abcdefgh"
    ]
    interval = make.row_of(score(rows, answers), "mc").interval
    assert "items of one scene" in interval.method
    assert 0 < interval.low < 0.5 < interval.high < 1


def test_one_item_asked_in_five_protocols_is_one_item_to_the_interval_of_one_scene(make):
    rows = [
        {
            **make.row(f"{item}-{p}", "mc_003", answer="yes", scene_id="only", **YES_NO),
            "item_id": item,
        }
        for item in "abcdef"
        for p in range(5)
    ]
    answers = [
        Prediction(question_id=row["question_id"], answer="yes" if row["item_id"] < "d" else "no")
        for row in rows
    ]
    alone = [row for row in rows if row["question_id"].endswith("-0")]
    intervals = [
        make.row_of(score(some, [a for a in answers if a.question_id in ids]), "mc").interval
        for some in (rows, alone)
        for ids in [{row["question_id"] for row in some}]
    ]
    widths = [interval.high - interval.low for interval in intervals]
    assert widths[0] == pytest.approx(widths[1], abs=0.1)


def test_answers_that_agree_within_a_scene_widen_the_interval(make):
    rng = np.random.default_rng(5)
    rows, together, apart = [], [], []
    for scene in range(60):
        right = bool(rng.integers(2))
        for place in range(10):
            name = f"{scene}-{place}"
            rows.append(make.row(name, "mc_003", answer="yes", scene_id=f"s{scene}", **YES_NO))
            together.append(Prediction(question_id=name, answer="yes" if right else "no"))
            guess = "yes" if rng.integers(2) else "no"
            apart.append(Prediction(question_id=name, answer=guess))
    clustered, loose = (
        make.row_of(score(rows, answers), "mc").interval for answers in (together, apart)
    )
    ratio = (clustered.high - clustered.low) / (loose.high - loose.low)
    # Ten questions that agree are worth one: the width grows by the root of ten.
    assert ratio == pytest.approx(10**0.5, rel=0.25)


def test_the_interval_of_independent_scenes_is_that_of_a_proportion(make):
    rows = [
        make.row(str(place), "mc_003", answer="yes", scene_id=f"s{place}", **YES_NO)
        for place in range(400)
    ]
    answers = [
        Prediction(question_id=str(place), answer="yes" if place < 120 else "no")
        for place in range(400)
    ]
    interval = make.row_of(score(rows, answers), "mc").interval
    half = 1.96 * (0.3 * 0.7 / 400) ** 0.5
    assert interval.low == pytest.approx(0.3 - half, abs=0.01)
    assert interval.high == pytest.approx(0.3 + half, abs=0.01)


def test_batches_of_resamples_give_what_one_batch_gives(make, monkeypatch):
    rows = make.release(7)
    answers = list(random_predictions(rows, rng=np.random.default_rng(2)))
    whole = score(rows, answers)
    monkeypatch.setattr("mira.evals.mira_bench.bootstrap._CELLS_AT_ONCE", 7 * 64)
    assert score(rows, answers) == whole


@pytest.mark.parametrize("wrong", [{"level": 0.0}, {"level": 1.0}, {"resamples": 0}])
def test_a_policy_outside_its_bounds_is_refused(wrong):
    with pytest.raises(ValidationError):
        BootstrapPolicy(**wrong)
