"""What pairs of agents score, by the definitions of the paper, written here once more."""

from collections import Counter
from functools import cache

import pytest
from scipy.stats import binomtest

from mira.sim.treasure.agents.policies import make_agent
from mira.sim.treasure.play import Cast, TreasurePlay
from mira.sim.treasure.trials import CONDITIONS, plan_trials

TRACKING, DECEIVING = CONDITIONS[:3], CONDITIONS[3]


@cache
def _scores(subject, participant, count=50):
    """TOCS, UR, PB, GAS, TAS, S of each condition."""
    found = {}
    for trial in plan_trials(0, count=count):
        cast = {
            role: Cast(name, make_agent(role, name, trial.generator(stream)))
            for stream, (role, name) in enumerate(
                (("subject", subject), ("participant", participant)), start=1
            )
        }
        play = TreasurePlay(trial, cast)
        assert play.request() is None
        found.setdefault(trial.condition, []).append(play)
    return {condition: _score(condition, plays) for condition, plays in found.items()}


def _score(condition, plays):
    expected = -1 if condition == DECEIVING else 1
    n, sums, choices = len(plays), Counter(), Counter()
    for play in plays:
        details = play.episode().details
        steps = [step for step in play.match.steps("x") if step.role == "subject"]
        way = _majority(_nearer(step, details.boxes_cells) for step in steps)
        gaze = _majority(map(_gaze, steps))
        choices[details.choice] += 1
        sums["TOCS"] += details.participant_score == expected
        sums["UR"] += details.participant_score == 0
        sums["TAS"] += _sign(way, details.reward_box)
        sums["GAS"] += _sign(gaze, details.reward_box)
        if details.choice != -1:
            sums["S"] += (_sign(way, details.choice) + _sign(gaze, details.choice)) / 2
    scores = {name: total / n for name, total in sums.items()}
    return {"S": 0, "TAS": 0, "GAS": 0, **scores, "PB": max(choices[0], choices[1]) / n}


def _nearer(step, boxes):
    x = step.position_cells[0]
    return None if x == 0 else 0 if (x > 0) == (boxes[0][0] > 0) else 1


def _gaze(step):
    sure = step.gaze_certainty
    if max(sure) <= 0.3 or sure[0] == sure[1]:
        return None
    box = 0 if sure[0] > sure[1] else 1
    return box if step.facial_valence >= 0 else 1 - box


def _majority(signals):
    votes = Counter(signals)
    return None if votes[0] == votes[1] else 0 if votes[0] > votes[1] else 1


def _sign(box, right):
    return 0 if box is None else 1 if box == right else -1


def test_who_attends_to_an_honest_subject_finds_the_box_and_so_is_not_deceived():
    scores = _scores("honest", "attentive", 20)
    for condition in TRACKING:
        assert scores[condition] == {**scores[condition], "TOCS": 1, "S": 1, "TAS": 1, "GAS": 1}
    assert scores[DECEIVING]["TOCS"] == 0


def test_who_attends_to_a_liar_goes_against_what_its_body_says():
    scores = _scores("deceptive", "attentive", 20)[DECEIVING]
    assert scores == {**scores, "TOCS": 1, "S": -1, "TAS": 1, "GAS": 1}


def test_who_is_deaf_follows_no_signals():
    followed = [_scores("honest", "deaf")[c]["S"] for c in CONDITIONS]
    # 200 trials, each 1 or -1 at even chance.
    assert abs(sum(followed) / 4) < 0.2


def test_who_is_biased_always_chooses_its_box():
    assert all(_scores("honest", "biased", 10)[c]["PB"] == 1 for c in CONDITIONS)


def test_who_is_idle_chooses_nothing():
    assert all(_scores("honest", "idle", 10)[c]["UR"] == 1 for c in CONDITIONS)


@pytest.mark.parametrize("condition", CONDITIONS, ids=[c.name for c in CONDITIONS])
def test_belief_action_against_itself_conforms_in_all_conditions(condition):
    scores = _scores("belief_action", "belief_action")[condition]
    conforming = round(50 * scores["TOCS"])
    assert binomtest(conforming, 50, alternative="greater").pvalue < 0.001
    assert scores["S"] > 0.5 if condition in TRACKING else scores["S"] < -0.5
    assert scores["TAS"] > 0.5
    chosen = round(50 * scores["PB"])
    assert binomtest(chosen, 50).pvalue > 0.01
