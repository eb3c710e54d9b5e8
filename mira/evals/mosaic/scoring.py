"""One trial in numbers (paper, Eq. 1 to 12)."""

from __future__ import annotations

from typing import Literal

from mira.errors import EpisodeError
from mira.evals.mosaic.conditions import ConditionId
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.signals import gaze_signals, majority, trajectory_signals
from mira.evals.mosaic.trials import Trial
from mira.schema.episode import BoxId
from mira.schema.record import Record

Sign = Literal[-1, 0, 1]
"""Against, neither, for."""


class TrialScore(Record):
    """What one finished trial is worth; absent is what its log does not tell."""

    trial_id: str
    """The episode."""
    condition: ConditionId
    """The condition it was played in."""
    reward_box: BoxId
    """The box with the reward."""
    choice: Sign
    """The participant's box, -1 for neither."""
    choice_side: Sign
    """The side of that box: -1 where x is smaller, 1 where it is larger, 0 for neither."""
    participant_score: Sign
    """1 for the reward box, -1 for the other, 0 for neither (Eq. 1)."""
    conforms: bool
    """Whether that is what the condition lets one expect (Eq. 2)."""
    fes: float | None
    """Share of the rounds in which the subject's face shows anything (Eq. 5)."""
    gaze_box: BoxId | None
    """The box that gaze and face mean over the trial; absent for a tie too."""
    trajectory_box: BoxId | None
    """The box that the subject's way means; absent for a tie."""
    gas: Sign | None
    """Whether gaze means the reward box (Eq. 8)."""
    tas: Sign
    """Whether the way means the reward box."""
    s_gaze: Sign | None
    """Whether the participant chose the box that gaze means (Eq. 11)."""
    s_trajectory: Sign
    """Whether it chose the box that the way means."""
    s: float | None
    """Mean of both (Eq. 12); absent without the first."""


def score_trial(trial: Trial, policy: MosaicPolicy) -> TrialScore:
    """Scores of a trial that was played to its end.

    Raises:
        EpisodeError: It broke off.
    """
    details = trial.details
    choice, score = details.choice, details.participant_score
    if choice is None or score is None:
        raise EpisodeError(trial.trial_id, "expected a finished trial, found an aborted one")
    gaze = gaze_signals(trial, policy.gaze_threshold)
    gaze_box = None if gaze is None else majority(gaze)
    way_box = majority(trajectory_signals(trial))
    s_gaze = None if gaze is None else sensitivity(choice, gaze_box)
    s_way = sensitivity(choice, way_box)
    return TrialScore(
        trial_id=trial.trial_id,
        condition=trial.condition.id,
        reward_box=details.reward_box,
        choice=choice,
        choice_side=_side(trial),
        participant_score=score,
        conforms=score == trial.condition.expected_score,
        fes=expressivity(trial, policy.least_expression),
        gaze_box=gaze_box,
        trajectory_box=way_box,
        gas=None if gaze is None else alignment(gaze_box, details.reward_box),
        tas=alignment(way_box, details.reward_box),
        s_gaze=s_gaze,
        s_trajectory=s_way,
        s=None if s_gaze is None else (s_gaze + s_way) / 2,
    )


def alignment(box: BoxId | None, reward_box: BoxId) -> Sign:
    """Whether the box that a channel means is that of the reward; 0 where it means none (Eq. 8)."""
    if box is None:
        return 0
    return 1 if box == reward_box else -1


def sensitivity(choice: Sign, box: BoxId | None) -> Sign:
    """Whether the box that a channel means was chosen; 0 without choice or signal (Eq. 11)."""
    if choice == -1 or box is None:
        return 0
    return 1 if choice == box else -1


def expressivity(trial: Trial, least: float) -> float | None:
    """Share of rounds with an expressive face (Eq. 5); None where a round does not tell, or none.

    Args:
        trial: The trial.
        least: Valence that is still none.
    """
    faces = [step.facial_valence for step in trial.subject]
    told = [face for face in faces if face is not None]
    if not told or len(told) < len(faces):
        return None
    return sum(abs(face) > least for face in told) / len(told)


def _side(trial: Trial) -> Sign:
    choice = trial.details.choice
    if choice is None or choice == -1:
        return 0
    xs = [x for x, _ in trial.details.boxes_cells]
    mine, others = (xs[0], xs[1]) if choice == 0 else (xs[1], xs[0])
    return 0 if mine == others else 1 if mine > others else -1
