"""Trials whose scores one can do on paper, and what leaves scores alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.errors import EpisodeError
from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.scoring import score_trial
from mira.evals.mosaic.signals import gaze_signals, majority, trajectory_signals
from mira.evals.mosaic.trials import Trial, trial_of
from mira.schema.episode import MosaicDetails

POLICY = MosaicPolicy()
AT_DARK, AT_LIGHT = (0.9, 0.1), (0.1, 0.9)


def looks(*pairs, faces=None):
    """A subject's gaze, and its face, which is glad where nobody says."""
    return {"gaze_certainty": list(pairs), "facial_valence": list(faces or [0.5] * len(pairs))}


def test_a_subject_that_walks_and_looks_to_the_reward_and_is_followed_scores_one(make_trial):
    trial = make_trial(xs=(0, 1, 2), subject=looks(AT_DARK, AT_DARK, AT_DARK))
    score = score_trial(trial, POLICY)
    assert (score.tas, score.gas, score.s, score.fes) == (1, 1, 1, 1)
    assert (score.participant_score, score.conforms, score.choice_side) == (1, True, 1)


def test_a_subject_that_leads_away_and_is_followed_misleads_but_is_heeded(make_trial):
    trial = make_trial(
        mode="competitive",
        tom_order=1,
        choice=1,
        xs=(0, -1, -2),
        subject=looks(AT_LIGHT, AT_LIGHT, AT_DARK),
    )
    score = score_trial(trial, POLICY)
    assert (score.tas, score.gas, score.s_trajectory, score.s_gaze, score.s) == (-1, -1, 1, 1, 1)
    assert score.participant_score == -1
    assert score.conforms


def test_channels_that_contradict_each_other_cancel_in_s_and_stand_apart(make_trial):
    score = score_trial(make_trial(xs=(1, 1), subject=looks(AT_LIGHT, AT_LIGHT)), POLICY)
    assert (score.s_trajectory, score.s_gaze, score.s) == (1, -1, 0)


def test_a_majority_decides_and_as_many_rounds_for_each_box_are_none(make_trial):
    assert majority((0, 0, 1, None)) == 0
    assert majority((0, 1, None)) is None
    assert majority(()) is None
    score = score_trial(make_trial(xs=(1, -1, 0), subject=looks(*[AT_DARK] * 3)), POLICY)
    assert (score.trajectory_box, score.tas, score.s_trajectory, score.s) == (None, 0, 0, 0.5)


def test_no_choice_is_neutral_nowhere_conforming_and_heeds_nothing(make_trial):
    for condition in CONDITIONS:
        trial = make_trial(
            mode=condition.mode,
            tom_order=condition.tom_order,
            choice=-1,
            xs=(1, 1),
            subject=looks(AT_DARK, AT_DARK),
        )
        score = score_trial(trial, POLICY)
        assert (score.participant_score, score.conforms, score.s) == (0, False, 0)
        assert score.tas == 1


@pytest.mark.parametrize(
    ("gaze", "face", "box"),
    [
        ((0.31, 0.0), 0.0, 0),
        ((0.30, 0.0), 0.5, None),  # not above the threshold
        ((0.0, 0.8), 0.5, 1),
        ((0.0, 0.8), -0.01, 0),  # a negative face turns it
        ((0.8, 0.8), 0.5, None),  # as sure of both
        ((0.8, 0.8), -0.5, None),
    ],
)
def test_a_look_means_a_box_as_equation_6_has_it(make_trial, gaze, face, box):
    trial = make_trial(xs=(0,), subject=looks(gaze, faces=(face,)))
    assert gaze_signals(trial, 0.3) == (box,)


def test_a_face_is_expressive_beyond_rounding_alone(make_trial):
    trial = make_trial(xs=(0,) * 4, subject=looks(*[AT_DARK] * 4, faces=(0, 1e-7, -0.2, 0.3)))
    assert score_trial(trial, POLICY).fes == 0.5


@pytest.mark.parametrize("silent", ["gaze_certainty", "facial_valence"])
def test_what_a_round_does_not_tell_is_not_scored_and_the_way_still_is(make_trial, silent):
    subject = looks(AT_DARK, AT_DARK)
    subject[silent][1] = None
    score = score_trial(make_trial(xs=(1, 1), subject=subject), POLICY)
    assert (score.gas, score.s_gaze, score.s) == (None, None, None)
    assert (score.tas, score.s_trajectory) == (1, 1)
    assert (score.fes is None) == (silent == "facial_valence")


def test_a_trial_that_broke_off_is_not_scored(make_trial):
    with pytest.raises(EpisodeError, match="expected a finished trial"):
        score_trial(make_trial(choice=None), POLICY)


def test_steps_that_are_not_those_of_the_episode_are_refused(make_trial):
    trial = make_trial()
    with pytest.raises(EpisodeError, match="expected 20 steps"):
        trial_of(trial.episode, trial.subject)


# What leaves scores alone

ROUNDS = st.integers(1, 10)
UNIT = st.floats(0, 1)


@st.composite
def trials(draw):
    """Values of a trial, as keywords of the fixture that makes it."""
    rounds = draw(ROUNDS)

    def per_round(values):
        return draw(st.lists(values, min_size=rounds, max_size=rounds))

    return {
        "mode": draw(st.sampled_from(["cooperative", "competitive"])),
        "tom_order": draw(st.sampled_from([0, 1])),
        "reward": draw(st.sampled_from([0, 1])),
        "choice": draw(st.sampled_from([-1, 0, 1])),
        "xs": per_round(st.integers(-4, 4).map(float) | st.floats(-4, 4)),
        "subject": {
            "gaze_certainty": per_round(st.tuples(UNIT, UNIT)),
            "facial_valence": per_round(st.floats(-1, 1)),
        },
    }


def details(trial: Trial) -> MosaicDetails:
    return trial.details


@given(values=trials())
def test_scores_are_within_their_bounds(make_trial, values):
    score = score_trial(make_trial(**values), POLICY)
    for one in (score.tas, score.gas, score.s_gaze, score.s_trajectory):
        assert one in (-1, 0, 1)
    assert -1 <= score.s <= 1
    assert 0 <= score.fes <= 1
    assert score.s == (score.s_gaze + score.s_trajectory) / 2


@given(values=trials())
def test_a_room_in_the_mirror_scores_the_same_but_for_the_side(make_trial, values):
    score = score_trial(make_trial(**values), POLICY)
    boxes = ((-2.0, 0.0), (2.0, 0.0))
    mirrored = make_trial(**{**values, "xs": [-x for x in values["xs"]]}, boxes=boxes)
    assert score_trial(mirrored, POLICY) == score.model_copy(
        update={"choice_side": -score.choice_side}
    )


@given(values=trials())
def test_boxes_that_change_names_score_the_same(make_trial, values):
    score = score_trial(make_trial(**values), POLICY)
    gaze = [(second, first) for first, second in values["subject"]["gaze_certainty"]]
    other = {None: None, -1: -1, 0: 1, 1: 0}
    swapped = make_trial(
        **{
            **values,
            "reward": 1 - values["reward"],
            "choice": other[values["choice"]],
            "subject": {**values["subject"], "gaze_certainty": gaze},
        },
        boxes=((-2.0, 0.0), (2.0, 0.0)),
    )
    names = ("reward_box", "choice", "gaze_box", "trajectory_box")
    assert score_trial(swapped, POLICY) == score.model_copy(
        update={name: other[getattr(score, name)] for name in names}
    )


@given(values=trials())
def test_a_reward_in_the_other_box_inverts_what_is_aligned_and_leaves_sensitivity(
    make_trial, values
):
    score = score_trial(make_trial(**values), POLICY)
    other = score_trial(make_trial(**{**values, "reward": 1 - values["reward"]}), POLICY)
    assert (other.tas, other.gas) == (-score.tas, -score.gas)
    assert other.participant_score == -score.participant_score
    assert (other.s, other.fes) == (score.s, score.fes)


@given(values=trials())
def test_deception_is_expected_to_do_what_all_else_is_not(make_trial, values):
    def conforms(mode, tom_order):
        trial = make_trial(**{**values, "mode": mode, "tom_order": tom_order})
        return score_trial(trial, POLICY).conforms

    followed = conforms("cooperative", 0)
    assert conforms("cooperative", 1) == conforms("competitive", 0) == followed
    deceived = conforms("competitive", 1)
    assert not (followed and deceived)
    assert (followed or deceived) == (values["choice"] != -1)


@given(values=trials())
def test_competition_inverts_the_subject_s_score_alone(make_trial, values):
    together = details(make_trial(**{**values, "mode": "cooperative"}))
    against = details(make_trial(**{**values, "mode": "competitive"}))
    assert against.participant_score == together.participant_score
    assert against.subject_score == -together.subject_score


@given(values=trials())
def test_a_face_turned_over_turns_gaze_over(make_trial, values):
    faces = [face if face else 0.5 for face in values["subject"]["facial_valence"]]
    glad = {**values["subject"], "facial_valence": faces}
    turned = {**values["subject"], "facial_valence": [-face for face in faces]}
    score = score_trial(make_trial(**{**values, "subject": glad}), POLICY)
    other = score_trial(make_trial(**{**values, "subject": turned}), POLICY)
    assert (other.gas, other.s_gaze, other.fes) == (-score.gas, -score.s_gaze, score.fes)
    assert (other.tas, other.s_trajectory) == (score.tas, score.s_trajectory)


@given(values=trials(), shift=st.integers(-3, 3))
def test_a_room_moved_along_means_the_same(make_trial, values, shift):
    # Whole steps: moving other numbers would round them.
    xs = [float(round(x)) for x in values["xs"]]
    boxes = ((2.0 + shift, 0.0), (-2.0 + shift, 0.0))
    here = make_trial(**{**values, "xs": xs})
    there = make_trial(**{**values, "xs": [x + shift for x in xs]}, boxes=boxes)
    assert trajectory_signals(here) == trajectory_signals(there)
