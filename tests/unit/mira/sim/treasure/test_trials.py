from scipy.stats import binomtest

from mira.sim.treasure.rules import BOXES
from mira.sim.treasure.trials import CONDITIONS, plan_trials


def test_two_modes_by_two_orders_fifty_times():
    trials = plan_trials(0)
    assert len(trials) == 200
    assert len({trial.trial_id for trial in trials}) == 200
    assert [trials[k].condition for k in (0, 50, 100, 150)] == list(CONDITIONS)


def test_a_trial_is_the_same_however_many_others_are_planned():
    few = plan_trials(3, count=5, conditions=CONDITIONS[2:])
    assert set(few) <= set(plan_trials(3, count=80))


def test_either_box_holds_the_reward_as_often_and_seeds_differ():
    trials = plan_trials(1, count=500)
    for condition in CONDITIONS:
        boxes = [trial.reward_box for trial in trials if trial.condition == condition]
        assert binomtest(sum(boxes), len(boxes)).pvalue > 0.01
    other = plan_trials(2, count=500)
    assert [t.reward_box for t in trials] != [t.reward_box for t in other]


def test_either_box_stands_on_either_side_as_often_wherever_the_reward_is():
    trials = plan_trials(1, count=500)
    for condition in CONDITIONS:
        mine = [trial for trial in trials if trial.condition == condition]
        assert {trial.boxes for trial in mine} == {BOXES, BOXES[::-1]}
        turned = [trial.boxes != BOXES for trial in mine]
        assert binomtest(sum(turned), len(turned)).pvalue > 0.01
        sides = [trial.boxes[trial.reward_box][0] > 0 for trial in mine]
        assert binomtest(sum(sides), len(sides)).pvalue > 0.01


def test_chance_of_the_players_is_apart():
    trial, next_trial = plan_trials(0, count=2)[:2]
    drawn = {
        round(one.generator(stream).random(), 12)
        for one in (trial, next_trial)
        for stream in (1, 2)
    }
    assert len(drawn) == 4
    assert trial.generator(1).random() == trial.generator(1).random()
