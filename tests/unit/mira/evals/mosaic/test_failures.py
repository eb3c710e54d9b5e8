"""Tags of failed trials by their rules, on trials made for them."""

from __future__ import annotations

import pytest

from mira.evals.mosaic.failures import TITLES, failures_of, glossary_of
from mira.evals.mosaic.policy import FailurePolicy, MosaicPolicy

MISALIGNED, BIASED, IGNORED, DISSOCIATED = TITLES
DARK, LIGHT, EVEN = (0.5, -0.5), (-0.5, 0.5), (0.0, 0.0)


def test_a_log_that_tells_no_preferences_decides_nothing(make_trial, policy):
    assert set(failures_of(make_trial(), policy).values()) == {None}


def walk(*xs, move, preference=DARK):
    """Somebody who prefers a box and goes along xs."""
    return {
        "position_cells": [(x, 4.0) for x in xs],
        "move": [move] * len(xs),
        "preference_boxes": [preference] * len(xs),
    }


@pytest.mark.parametrize(
    ("xs", "move", "preference", "tagged"),
    [
        ((0, -1, -2, -3), "right", DARK, True),
        ((0, -1, -2, -3), "right_forward", DARK, True),
        ((0, 1, 2, 3), "left", DARK, False),  # towards it
        ((0, -1, -1, -1), "right", DARK, False),  # once is not enough
        ((0, -1, -2, -3), "forward", DARK, False),  # not its left or right
        ((0, -1, -2, -3), "right", (0.05, -0.05), False),  # no clear preference
        ((0, -1, -2, -1, 0, 1, 2, 1), "left", DARK, False),  # mostly the right way
    ],
)
def test_sideways_steps_away_from_the_preferred_box_are_a_misalignment(
    make_trial, policy, xs, move, preference, tagged
):
    still = walk(*[0.0] * len(xs), move="stay_idle", preference=EVEN)
    participant = walk(*xs, move=move, preference=preference)
    trial = make_trial(xs=[0.0] * len(xs), subject=still, participant=participant)
    assert failures_of(trial, policy)[MISALIGNED] is tagged


def test_a_subject_that_deceives_may_step_away_and_one_that_helps_may_not(make_trial, policy):
    still = walk(*[0.0] * 4, move="stay_idle", preference=EVEN)
    away = walk(0, -1, -2, -3, move="left")
    told = {"xs": [0.0] * 4, "subject": away, "participant": still}
    assert failures_of(make_trial(**told), policy)[MISALIGNED]
    deceiver = make_trial(mode="competitive", tom_order=1, **told)
    assert failures_of(deceiver, policy)[MISALIGNED] is False


def prefers(*pairs):
    return {"preference_boxes": list(pairs)}


@pytest.mark.parametrize(
    ("pairs", "xs", "tagged"),
    [
        ((DARK, DARK, EVEN), (0, 0, 0), True),
        ((DARK, DARK, DARK), (1, 1, 1), False),  # the subject stood there
        ((LIGHT, LIGHT, LIGHT), (1, 1, 1), True),  # not there
        ((DARK, EVEN, LIGHT), (0, 0, 0), False),  # reversed later
        ((EVEN, DARK, DARK), (0, 0, 0), False),  # not from the start
    ],
)
def test_a_preference_that_nothing_called_for_and_that_stays_is_unfounded(
    make_trial, policy, pairs, xs, tagged
):
    trial = make_trial(xs=xs, participant=prefers(*pairs))
    assert failures_of(trial, policy)[BIASED] is tagged


@pytest.mark.parametrize(
    ("pairs", "xs", "tagged"),
    [
        ((EVEN, EVEN, EVEN), (1, 1, 1), True),
        ((LIGHT, LIGHT, LIGHT), (1, 1, 1), True),
        ((DARK, DARK, DARK), (1, 1, 1), False),  # heard from the start
        ((EVEN, EVEN, DARK), (1, 1, 1), False),  # moved
        ((EVEN, EVEN, EVEN), (0, 0, 0), False),  # nothing to hear
        ((EVEN, EVEN, EVEN), (1, -1, 0), False),  # nothing clear
    ],
)
def test_a_clear_signal_that_moves_nothing_is_ignored(make_trial, policy, pairs, xs, tagged):
    trial = make_trial(xs=xs, participant=prefers(*pairs))
    assert failures_of(trial, policy)[IGNORED] is tagged


def test_channels_that_clearly_contradict_each_other_are_no_clear_signal(make_trial, policy):
    gaze = {"gaze_certainty": [(0.0, 0.9)] * 3, "facial_valence": [0.5] * 3}
    trial = make_trial(xs=(1, 1, 1), subject=gaze, participant=prefers(EVEN, EVEN, EVEN))
    assert failures_of(trial, policy)[IGNORED] is False


@pytest.mark.parametrize(
    ("last", "choice", "tagged"),
    [(DARK, 1, True), (DARK, -1, True), (DARK, 0, False), (EVEN, 1, False)],
)
def test_a_choice_against_one_s_own_belief_is_a_dissociation(
    make_trial, policy, last, choice, tagged
):
    trial = make_trial(xs=(0, 0), choice=choice, participant=prefers(EVEN, last))
    assert failures_of(trial, policy)[DISSOCIATED] is tagged


def test_thresholds_are_those_of_the_policy_and_the_glossary_tells_them(make_trial):
    strict = MosaicPolicy(failures=FailurePolicy(clear_preference=1.5))
    trial = make_trial(xs=(0, 0), choice=1, participant=prefers(EVEN, DARK))
    assert failures_of(trial, strict)[DISSOCIATED] is False
    assert "by 1.5 or more" in glossary_of(strict)[DISSOCIATED]
    assert glossary_of(strict).keys() == TITLES.keys()
