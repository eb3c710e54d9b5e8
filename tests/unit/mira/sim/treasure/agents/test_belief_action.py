import numpy as np
import pytest

from mira.sim.treasure.agent import NEUTRAL, Emotion, Line, Preferences, Seen
from mira.sim.treasure.agents.belief_action import BeliefAction, BeliefActionPolicy
from mira.sim.treasure.agents.reading import ReadingPolicy, evidence_of_turn, probability
from mira.sim.treasure.agents.words import named_box, tells
from mira.sim.treasure.floor import Stance
from mira.sim.treasure.rules import BOXES

FACING = Stance((0, 4), 6)
CERTAIN = BeliefActionPolicy(precision=1e4, doubt=0.0)


def _participant_sees(partner, before, face=0.0, own=FACING, dialogue=()):
    return Seen(
        player="participant",
        round=3,
        mode=None,
        tom_order=None,
        reward_box=None,
        boxes=BOXES,
        own=own,
        partner=partner,
        partner_before=before,
        emotion=NEUTRAL,
        partner_emotion=Emotion(face),
        preferences=Preferences(),
        dialogue=dialogue,
    )


def _agent():
    return BeliefAction(np.random.default_rng(0), CERTAIN)


def test_a_step_to_a_box_and_a_look_at_it_speak_for_it():
    agent = _agent()
    agent.act(_participant_sees(Stance((1, -3), 1), Stance((0, -4), 2)))
    assert agent.log_odds > 0


def test_a_frown_turns_the_meaning_of_a_look():
    still = Stance((2, -2), 2)
    smiling, frowning = _agent(), _agent()
    smiling.act(_participant_sees(still, still, face=0.5))
    frowning.act(_participant_sees(still, still, face=-0.5))
    assert smiling.log_odds > 0 > frowning.log_odds


def test_who_looks_away_reads_nothing_but_hears():
    agent = _agent()
    away = Stance((0, 4), 2)
    agent.act(_participant_sees(Stance((2, -2), 2), Stance((1, -3), 2), own=away))
    assert agent.log_odds == 0
    lines = (Line(3, "subject", tells(1)),)
    agent.listen(_participant_sees(Stance((2, -2), 2), Stance((2, -2), 2), dialogue=lines))
    assert agent.log_odds == -CERTAIN.reading.word


def test_an_unsure_participant_turns_to_who_may_tell_it_more():
    still = Stance((0, -4), 2)
    action = _agent().act(_participant_sees(still, still, own=Stance((0, 4), 0)))
    assert action.move == "rotate_other"


def test_evidence_is_as_strong_for_either_box_and_probability_is_its_logistic():
    policy = ReadingPolicy()
    for face in (-1.0, 0.0, 0.5):
        dark = evidence_of_turn(policy, approach=0.7, gaze=(0.9, 0.1), face=face)
        light = evidence_of_turn(policy, approach=-0.7, gaze=(0.1, 0.9), face=face)
        assert dark == pytest.approx(-light)
    assert probability(0) == 0.5
    assert probability(1.3) + probability(-1.3) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        (tells(0), 0),
        (tells(1), 1),
        ("It is not in the dark brown box, believe me.", 1),
        ("It isn't in the light one", 0),
        ("Not the dark box, but the light box.", 1),
        ("Either the dark or the light one.", None),
        ("I will not say.", None),
        ("", None),
        (None, None),
    ],
)
def test_what_a_sentence_says_of_the_boxes(text, box):
    assert named_box(text) == box


@pytest.mark.parametrize(("view_deg", "is_read"), [(60.0, False), (180.0, True)])
def test_it_is_presumed_to_be_seen_as_far_to_the_side_as_its_policy_says(view_deg, is_read):
    beside = Stance((2, -2), 2)
    policy = BeliefActionPolicy(precision=1e4, reading=ReadingPolicy(view_deg=view_deg))
    agent = BeliefAction(np.random.default_rng(0), policy)
    looks_away = Stance((0, 4), 2)
    seen = _participant_sees(looks_away, looks_away, own=beside)
    agent.act(seen._replace(player="subject", mode="cooperative", tom_order=1, reward_box=0))
    assert (agent.others_log_odds != 0) == is_read
