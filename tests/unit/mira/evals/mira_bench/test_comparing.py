"""Two runs held against each other."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import binom

from mira.errors import PredictionError
from mira.evals.mira_bench.baselines import oracle_predictions, random_predictions
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.comparing import compare_runs, holm, mcnemar_p
from mira.evals.mira_bench.comparison_table import ComparisonView
from mira.evals.mira_bench.judging import judge_run
from mira.evals.mira_bench.questions import parse_questions
from mira.evals.mira_bench.runs import Run
from mira.schema.evaluation import Decoding, Prediction, RunManifest

POLICY = BootstrapPolicy(resamples=200)
TWO = ("visual_bbox", "bbox_text")


def manifest(**more):
    return RunManifest(
        **{
            "model": "m",
            "decoding": Decoding(),
            "dataset_digest": "d",
            "prompt_version": "1",
            "code_version": "0",
            **more,
        }
    )


def judged(rows, said, name="run", told=None):
    return judge_run(Run(name, Path(name), told, tuple(said)), parse_questions(rows))


def compared(first, second, seed=0):
    rng = np.random.default_rng(seed)
    return compare_runs(first, second, release_digest="d", policy=POLICY, rng=rng)


def guesses(rows, seed):
    return list(random_predictions(rows, rng=np.random.default_rng(seed)))


def of(found, name):
    return next(row for row in found.rows if row.name == name)


def test_a_run_does_not_differ_from_itself(make):
    rows = make.release(8)
    one = judged(rows, guesses(rows, 1))
    for row in compared(one, one).rows:
        assert (row.difference, row.first_alone, row.second_alone) == (0, 0, 0)
        assert row.p_scenes == row.p_mcnemar == 1
        assert row.interval.low == row.interval.high == 0


def test_turning_a_comparison_round_turns_its_signs(make):
    rows = make.release(20)
    one, two = judged(rows, guesses(rows, 1)), judged(rows, guesses(rows, 2))
    there, back = compared(one, two), compared(two, one)
    for row, turned in zip(there.rows, back.rows, strict=True):
        assert row.difference == pytest.approx(-turned.difference)
        assert (row.first_alone, row.second_alone) == (turned.second_alone, turned.first_alone)
        assert row.p_mcnemar == turned.p_mcnemar
        assert row.p_scenes == pytest.approx(turned.p_scenes)
        assert row.interval.low == pytest.approx(-turned.interval.high)


def test_the_oracle_is_better_everywhere_and_seen_to_be(make):
    rows = make.release(30)
    found = compared(judged(rows, guesses(rows, 3)), judged(rows, oracle_predictions(rows)))
    for row in found.rows:
        assert row.second == 1
        assert row.difference == pytest.approx(1 - row.first)
        assert row.first_alone == 0
        assert row.interval.low > 0
        assert row.p_scenes < 0.01
        assert row.p_mcnemar < 0.01


def test_units_are_joint_groups_and_mcnemar_counts_those_that_differ(make):
    rows = [row for k in range(6) for row in make.triple(f"g{k}", scene_id=f"s{k}")]
    right = {one.question_id: one.answer for one in oracle_predictions(rows)}
    wrong = {**right, "g0-0": "no", "g1-1": "yes", "g1-2": "yes", "g2-0": "no"}
    said = [
        [Prediction(question_id=name, answer=answer) for name, answer in answers.items()]
        for answers in (wrong, right)
    ]
    row = of(compared(judged(rows, said[0]), judged(rows, said[1])), "vc")
    assert (row.n_units, row.first_alone, row.second_alone) == (6, 0, 3)
    assert row.p_mcnemar == pytest.approx(0.25)
    # Three scenes count, and two of their eight exchanges are as extreme as this one.
    assert row.p_scenes == pytest.approx(0.25, abs=0.02)
    assert (row.first, row.second) == (0.5, 1.0)


def test_only_what_both_were_heard_on_counts(make):
    rows = [
        make.row(f"q{k}", "mc_003", answer="yes", options=("yes", "no"), scene_id=f"s{k}")
        for k in range(10)
    ]
    first = judged(rows, [Prediction(question_id=f"q{k}", answer="yes") for k in range(7)])
    second = judged(
        rows,
        [Prediction(question_id=f"q{k}", answer="no" if k < 5 else "yes") for k in range(4, 10)],
    )
    found = compared(first, second)
    assert (found.n_pairs, found.n_first_alone, found.n_second_alone) == (3, 4, 3)
    row = of(found, "overall")
    assert (row.first, row.second, row.n_units) == (1.0, pytest.approx(2 / 3), 3)
    nobody = judged(rows, [Prediction(question_id="q9", status="failed")])
    with pytest.raises(PredictionError, match="both were heard on, found none"):
        compared(first, nobody)


def test_runs_in_different_protocols_are_compared_item_by_item(make):
    rows = []
    for protocol in TWO:
        for k in range(8):
            row = make.row(
                f"{protocol}{k}",
                "mc_003",
                answer="yes",
                options=("yes", "no"),
                protocol=protocol,
                scene_id=f"s{k}",
            )
            rows.append({**row, "item_id": f"i{k}"})
    runs = [
        judged(
            rows,
            [
                Prediction(question_id=f"{protocol}{k}", answer="no" if k < wrong else "yes")
                for k in range(8)
            ],
        )
        for protocol, wrong in zip(TWO, (4, 1), strict=True)
    ]
    found = compared(*runs)
    assert found.paired_by == "item"
    assert of(found, "overall").second_alone == 3
    assert [one.setting for one in found.settings] == ["protocol"]


def test_what_else_differs_is_told_and_what_nobody_tells(make):
    rows = make.release(3)
    said = list(oracle_predictions(rows))
    first = judged(rows, said, told=manifest(prompt_version="1", modality="rgb"))
    second = judged(rows, said, told=manifest(prompt_version="2", decoding=Decoding(max_tokens=64)))
    found = compared(first, second)
    assert [(one.setting, one.first, one.second) for one in found.settings] == [
        ("modality", "rgb", "not told"),
        ("prompt", "1", "2"),
        ("longest reply", "2048", "64"),
    ]
    assert found.untold == ()
    plain = judged(rows, said)
    assert {"modality", "prompt", "temperature"} <= set(compared(plain, plain).untold)


def test_scenes_that_are_right_or_wrong_as_a_whole_count_as_few(make):
    rows = [
        make.row(f"q{s}-{k}", "mc_003", answer="yes", options=("yes", "no"), scene_id=f"s{s}")
        for s in range(6)
        for k in range(40)
    ]
    runs = [
        judged(
            rows,
            [
                Prediction(
                    question_id=row["question_id"],
                    answer="yes" if int(row["scene_id"][1]) in right else "no",
                )
                for row in rows
            ],
        )
        for right in ({0, 1}, {0, 1, 2, 3})
    ]
    row = of(compared(*runs), "overall")
    # Eighty questions of two scenes: much to McNemar, and little to whoever draws scenes.
    assert row.p_mcnemar < 1e-20
    assert row.p_scenes == pytest.approx(0.5, abs=0.03)


@pytest.mark.slow
def test_p_by_scenes_is_small_no_more_often_than_it_says(make):
    rows = make.release(12)
    rng = np.random.default_rng(0)
    found = []
    for seed in range(60):
        one, two = (judged(rows, guesses(rows, 2 * seed + side)) for side in (0, 1))
        found.append(of(compared(one, two, int(rng.integers(2**31))), "overall").p_scenes)
    # 15 of 60 wanted below a quarter.
    assert 6 <= sum(p < 0.25 for p in found) <= 24


def test_mcnemar_is_the_exact_binomial_test():
    assert mcnemar_p(0, 0) == 1
    assert mcnemar_p(1, 9) == pytest.approx(2 * binom.cdf(1, 10, 0.5))
    assert mcnemar_p(5, 5) == 1


def test_holm_corrects_in_order_and_never_beyond_1():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx(
        {"a": 0.03, "c": 0.06, "b": 0.06}
    )
    assert holm({"a": 0.9, "b": 0.8}) == {"b": 1.0, "a": 1.0}


@pytest.mark.slow
def test_intervals_of_equal_guessers_hold_no_difference_as_often_as_they_claim(make):
    rows = make.release(40)
    held = 0
    for seed in range(40):
        one, two = (judged(rows, guesses(rows, 2 * seed + side)) for side in (0, 1))
        interval = of(compared(one, two, seed), "overall").interval
        held += interval.low <= 0 <= interval.high
    # 38 of 40 wanted.
    assert held >= 34


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_fits_and_tells_what_is_not_the_same(make, width):
    rows = make.release(6)
    first = judged(rows, guesses(rows, 1), "first model", manifest(modality="rgb"))
    second = judged(rows, oracle_predictions(rows), "second", manifest(modality="rgb_d"))
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(
        ComparisonView(compared(first, second)), highlight=False
    )
    text = stream.getvalue()
    assert "modality: rgb | rgb_d" in text
    assert "Overall" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
