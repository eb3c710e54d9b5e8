"""Confidence, tables of answers and slices of a run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.run_report.calibrating import calibrate
from mira.evals.run_report.confusing import NO_ANSWER, confusions_of
from mira.evals.run_report.partial import partial_credits
from mira.evals.run_report.slicing import slice_scores, traits_of
from mira.schema.evaluation import Prediction

POLICY = BootstrapPolicy(resamples=50)


def sure(small, pairs):
    rows = [small.row(f"q{k}", "mc_003") for k in range(len(pairs))]
    said = [
        Prediction(question_id=f"q{k}", answer="yes" if right else "no", confidence=confidence)
        for k, (confidence, right) in enumerate(pairs)
    ]
    return small.judged(rows, said)


def test_confidence_is_held_against_how_often_it_is_right(small):
    found = calibrate(
        sure(small, [(0.95, True), (0.95, False), (0.15, False), (1.0, True)]), bins=10
    )
    assert (found.n, found.n_without, found.accuracy) == (4, 0, 0.5)
    assert found.mean_confidence == pytest.approx(0.7625)
    assert [(one.low, one.n, one.accuracy) for one in found.bins] == [
        (0.1, 1, 0.0),
        (0.9, 3, pytest.approx(2 / 3)),
    ]
    gap = abs(2 / 3 - (0.95 + 0.95 + 1) / 3)
    assert found.expected_error == pytest.approx((3 * gap + 0.15) / 4)
    assert found.brier == pytest.approx((0.05**2 + 0.95**2 + 0.15**2) / 4)
    # Of four pairs of a right and a wrong answer: three and a half in the right order.
    assert found.auroc == pytest.approx(3.5 / 4)


def test_a_run_without_confidence_has_no_calibration(small):
    assert calibrate(sure(small, [(None, True)]), bins=10) is None
    found = calibrate(sure(small, [(None, True), (0.5, True)]), bins=10)
    assert (found.n, found.n_without, found.auroc) == (1, 1, None)


@given(
    pairs=st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30),
    bins=st.integers(2, 20),
)
def test_bins_hold_every_answer_once_and_errors_are_shares(small, pairs, bins):
    found = calibrate(sure(small, pairs), bins=bins)
    assert sum(one.n for one in found.bins) == len(pairs)
    assert 0 <= found.expected_error <= 1
    assert 0 <= found.brier <= 1
    assert all(one.low - 1e-9 <= one.mean_confidence <= one.high + 1e-9 for one in found.bins)


def test_tables_of_answers_go_by_what_words_mean(small):
    actions = ("stop", "move_left", "none")
    rows = [
        small.row("a", "ac_002", words=actions, answer="A"),
        small.row("b", "ac_002", words=actions[::-1], answer="C"),
        small.row("c", "ac_002", words=actions, answer="B"),
        small.row("m", "mc_001", words=("1", "2"), answer="A"),
        small.row("r", "mr_001", answer="left,above,front"),
        small.row("n", "ct_001", answer="14"),
    ]
    said = [
        Prediction(question_id="a", answer="A"),
        Prediction(question_id="b", answer="C"),
        Prediction(question_id="c", raw_text="No idea."),
        Prediction(question_id="m", answer="B"),
        Prediction(question_id="r", answer="left, below, front"),
        Prediction(question_id="n", answer="2"),
    ]
    found = {one.title: one for one in confusions_of(small.judged(rows, said), most_counts=12)}
    assert set(found) == {
        *(f"Mirror-to-real inference, {axis}" for axis in ("horizontal", "vertical", "depth")),
        *("Counting", "Next action"),
    }
    action = found["Next action"]
    assert action.gold == ("move_left", "stop")
    assert action.said == ("move_left", "stop", NO_ANSWER)
    assert action.times == ((0, 0, 1), (0, 2, 0))
    vertical = found["Mirror-to-real inference, vertical"]
    assert (vertical.gold, vertical.said) == (("above",), ("above", "below", NO_ANSWER))
    assert found["Counting"].gold == ("over 12",)


def test_who_was_never_heard_is_in_no_table(small):
    rows = [small.row("a", "mc_003")]
    said = [Prediction(question_id="a", status="failed")]
    assert confusions_of(small.judged(rows, said), most_counts=9) == ()


def test_slices_count_each_question_by_what_its_picture_is(small):
    rows = [small.row(f"q{k}", "mc_003", scene_id=f"s{k}") for k in range(4)]
    table = [
        {
            "question_id": f"q{k}",
            "image_id": f"i{k}",
            "answer_source": "auto",
            "marks": [{"role": "slot", "box_xyxy_px": [0, 0, 10 * (k + 1), 10]}],
        }
        for k in range(4)
    ]
    scenes = [
        {
            "image_id": f"i{k}",
            "environment": "indoor" if k < 2 else None,
            "lighting": "day",
            "source": "drawn",
            "width_px": 100,
            "height_px": 50,
            "depth_kind": None,
            "surfaces": [{"surface_type": "glass"}] * k,
        }
        for k in range(3)
    ]
    said = [
        Prediction(question_id="q0", answer="yes"),
        Prediction(question_id="q1", answer="no"),
        Prediction(question_id="q2", status="failed"),
        Prediction(question_id="q3", answer="yes"),
    ]
    judged = small.judged(rows, said)
    traits = traits_of(judged.asked, table, scenes)
    found = {
        (one.by, one.value): one
        for one in slice_scores(judged, traits, policy=POLICY, rng=np.random.default_rng(0))
    }
    every = found["template", "mc_003"]
    assert (every.n, every.n_heard, every.accuracy) == (4, 3, pytest.approx(2 / 3))
    assert every.interval.low <= every.accuracy <= every.interval.high
    assert found["environment", "indoor"].accuracy == 0.5
    lost = found["environment", "not told"]
    assert (lost.n, lost.n_heard, lost.accuracy, lost.interval) == (1, 0, None, None)
    assert found["surfaces", "1"].n == 1
    assert found["surface type", "glass"].n == 2
    # 100 and 200 of 5,000 pixels; the picture of q3 is not there.
    assert found["smallest box", "1 to 5 %"].n == 2
    assert found["depth", "none"].n == 3


def test_the_calibration_error_has_an_interval_over_scenes(small):
    pairs = [(0.9, True), (0.8, False), (0.35, True), (0.4, False), (0.1, False), (0.95, True)]
    judged = sure(small, pairs)
    policy = BootstrapPolicy(resamples=400)
    found = calibrate(judged, bins=5, policy=policy, rng=np.random.default_rng(3))

    def error(drawn):
        confidence, right = np.array([pairs[k] for k in drawn], dtype=float).T
        places = np.minimum((confidence * 5).astype(int), 4)
        gaps = [
            abs(right[places == k].mean() - confidence[places == k].mean()) * (places == k).mean()
            for k in set(places)
        ]
        return sum(gaps)

    assert found.expected_error == pytest.approx(error(range(6)))
    # Each question is a scene of its own: the same draws, worked out anew from the pairs.
    counts = np.random.default_rng(3).multinomial(6, np.full(6, 1 / 6), size=400)
    errors = [error(np.repeat(np.arange(6), one)) for one in counts]
    low, high = np.quantile(errors, (0.025, 0.975))
    assert found.expected_error_interval.low == pytest.approx(low)
    assert found.expected_error_interval.high == pytest.approx(high)


def test_parts_of_answers_are_credited_apart(small):
    actions = ("stop", "move_left", "none")
    rows = [
        small.row("a", "mr_001", answer="left,above,front"),
        small.row("b", "mr_001", answer="left,above,front"),
        small.row("c", "mr_001", answer="left,above,front"),
        small.row("d", "ct_001", answer="4"),
        small.row("e", "ct_001", answer="4"),
        small.row("f", "ac_002", words=actions, answer="B"),
        small.row("g", "ac_002", words=actions[::-1], answer="B"),
        small.row("h", "ac_001"),
    ]
    said = [
        Prediction(question_id="a", answer="left, below, front"),
        Prediction(question_id="b", raw_text="No idea."),
        Prediction(question_id="c", status="failed"),
        Prediction(question_id="d", answer="5"),
        Prediction(question_id="e", answer="6"),
        Prediction(question_id="f", answer="B"),
        Prediction(question_id="g", answer="A"),
        Prediction(question_id="h", answer="yes"),
    ]
    found = partial_credits(small.judged(rows, said), policy=POLICY, rng=np.random.default_rng(0))
    assert [(one.subtask, one.what, one.n, pytest.approx(one.value)) for one in found] == [
        ("mr", "mean of the axes", 2, 1 / 3),
        ("mr", "horizontal", 2, 0.5),
        ("mr", "vertical", 2, 0),
        ("mr", "depth", 2, 0.5),
        ("ct", "off by one at most", 2, 0.5),
        ("as", "where right: move left", 2, 0.5),
    ]
