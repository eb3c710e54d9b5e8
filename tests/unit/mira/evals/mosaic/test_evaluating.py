"""Runs in numbers: what is counted, over what, and what is left out."""

from __future__ import annotations

import pytest

from mira.evals.mosaic.evaluating import evaluate
from mira.evals.mosaic.sources import group_trials, with_keys


def groups_of(trials, name="run"):
    return with_keys(group_trials(trials, name=name, licence="CC0-1.0"))


@pytest.fixture
def five(make_trial):
    """Five trials of one condition: box 0 chosen and right thrice, wrong once, none once."""
    told = [(0, 0), (0, 0), (0, 0), (1, 0), (1, -1)]
    return [
        make_trial(trial_id=f"t{k}", reward=reward, choice=choice)
        for k, (reward, choice) in enumerate(told)
    ]


def test_shares_are_over_all_trials_or_over_those_with_a_choice(five, policy):
    (cell,) = evaluate(groups_of(five), policy, seed=0).scores.cells
    values = {one.name: one.value for one in cell.metrics}
    assert (cell.n, cell.n_neutral, cell.n_aborted) == (5, 1, 0)
    assert (values["tocs"], values["tocs_decided"]) == (3 / 5, 3 / 4)
    assert (values["uncertainty"], values["right"]) == (1 / 5, 3 / 5)
    assert (values["bias"], values["bias_decided"]) == (4 / 5, 1)
    assert values["gas"] is None
    assert cell.metric("gas").n == 0
    assert cell.metric("tocs_decided").n == 4


def test_trials_that_broke_off_are_told_and_count_nowhere(five, make_trial, policy):
    with_one = [*five, make_trial(trial_id="broken", choice=None, xs=(0,))]
    with_it, without = (evaluate(groups_of(of), policy, seed=0).scores for of in (with_one, five))
    assert (with_it.runs[0].n, with_it.runs[0].n_aborted) == (5, 1)
    assert with_it.cells[0].metrics == without.cells[0].metrics
    assert with_it.tests == without.tests


def test_a_condition_in_which_all_broke_off_has_no_figures(make_trial, policy):
    scores = evaluate(groups_of([make_trial(choice=None)]), policy, seed=0).scores
    assert {one.value for one in scores.cells[0].metrics} == {None}
    assert not any(one.p for one in scores.tests)


def test_one_who_always_goes_left_is_biased_to_a_side_and_to_no_box(make_trial, policy):
    places = [((2.0, 0.0), (-2.0, 0.0)), ((-2.0, 0.0), (2.0, 0.0))]
    trials = [
        make_trial(trial_id=f"t{k}", boxes=places[k % 2], choice=1 - k % 2) for k in range(10)
    ]
    (cell,) = evaluate(groups_of(trials), policy, seed=0).scores.cells
    assert cell.metric("bias_decided").value == 0.5
    assert cell.metric("bias_side").value == 1


def test_tests_say_what_went_in_and_why_they_do_not_apply(five, policy):
    tests = evaluate(groups_of(five), policy, seed=0).scores.tests
    side, conformance, independence = tests[:3]
    assert (side.test, side.successes, side.n) == ("reward-side", 2, 5)
    assert (conformance.successes, conformance.n, conformance.p) == (3, 5, 1.0)
    assert independence.table == (3, 0, 1, 0)
    assert (independence.p, independence.n) == (None, 4)
    assert "never chosen" in independence.reason
    assert {one.reason for one in tests[3:]} == {"a condition has no trials that tell it"}


def test_p_values_are_corrected_for_the_tests_that_were_run(make_trial, policy):
    trials = [
        make_trial(
            trial_id=f"{mode[:4]}{order}{k}",
            mode=mode,
            tom_order=order,
            choice=0 if (mode, order) != ("competitive", 1) or k % 3 else 1,
        )
        for mode in ("cooperative", "competitive")
        for order in (0, 1)
        for k in range(6)
    ]
    tests = evaluate(groups_of(trials), policy, seed=0).scores.tests
    factors = [one for one in tests if one.test == "scheirer-ray-hare"]
    assert len(factors) == 15
    # Of ways and sensitivity to them nothing varies, gaze and face are not told.
    run = [one for one in factors if one.p is not None]
    assert {one.metric for one in run} == {"tocs"}
    assert [one.p_adjusted for one in run] == [min(1, 3 * one.p) for one in run]


def test_runs_are_compared_where_there_are_two(five, make_trial, policy):
    others = [make_trial(trial_id=f"o{k}", reward=0, choice=1) for k in range(5)]
    groups = with_keys([*groups_of(five, "one"), *groups_of(others, "two")])
    tests = evaluate(groups, policy, seed=0).scores.tests
    between = [one for one in tests if one.test == "kruskal-wallis"]
    assert len(between) == 20
    (found,) = [one for one in between if one.p is not None]
    assert (found.condition, found.metric, found.n) == ("coop-tom0", "tocs", 10)
    assert found.p == found.p_adjusted < 0.1


def test_equal_trials_give_equal_bytes_and_another_seed_other_intervals(make_trial, policy):
    five = [make_trial(trial_id=f"t{k}", choice=k % 2) for k in range(5)]
    first, again, other = (
        evaluate(groups_of(five), policy, seed=seed).scores.to_json() for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


def test_intervals_hold_the_figure_and_stay_within_its_range(five, policy):
    (cell,) = evaluate(groups_of(five), policy, seed=0).scores.cells
    found = cell.metric("tocs").interval
    assert 0 <= found.low <= 3 / 5 <= found.high <= 1
    assert cell.metric("bias").interval is None


def test_shares_have_the_exact_interval_also_where_all_trials_are_alike(make_trial, policy):
    trials = [make_trial(trial_id=f"t{k}") for k in range(10)]
    (cell,) = evaluate(groups_of(trials), policy, seed=0).scores.cells
    found = cell.metric("tocs").interval
    # The lower end of Clopper and Pearson for 10 of 10: 0.025 to the power of 1 / 10.
    assert (found.low, found.high) == (pytest.approx(0.025**0.1), 1)


def test_models_and_pictures_of_a_run_are_scored_apart(make_trial):
    trials = [
        make_trial(trial_id=f"{model}{visual}", model=model, visual=visual)
        for model in ("a", "b")
        for visual in ("rendered", "blank")
    ]
    keys = [one.key for one in groups_of(trials)]
    assert keys == ["run, a, blank", "run, a, rendered", "run, b, blank", "run, b, rendered"]


def test_runs_of_one_name_are_told_apart_by_what_differs_or_a_number(make_trial):
    one, two = ([make_trial(model=model)] for model in ("a", "b"))
    assert [g.key for g in with_keys([*groups_of(one), *groups_of(two)])] == ["run, a", "run, b"]
    assert [g.key for g in with_keys([*groups_of(one), *groups_of(one)])] == ["run (1)", "run (2)"]


def test_the_sweep_scores_gaze_by_each_threshold(make_trial, policy):
    gaze = {"gaze_certainty": [(0.5, 0.2)] * 2, "facial_valence": [0.0] * 2}
    scores = evaluate(groups_of([make_trial(xs=(0, 0), subject=gaze)]), policy, seed=0).scores
    assert {one.threshold: one.gas for one in scores.sweep} == {
        threshold: 1.0 if threshold < 0.5 else 0.0 for threshold in policy.swept_gaze_thresholds
    }
