"""What the subject's body says in each round, and over a trial (paper, appendix E).

A signal is the box that is meant, or None where none is.
"""

from __future__ import annotations

from collections.abc import Sequence

from mira.evals.mosaic.trials import Trial
from mira.schema.episode import BoxId

Signals = tuple[BoxId | None, ...]
"""One a round."""


def trajectory_signals(trial: Trial) -> Signals:
    """The box that the subject stands nearer to from side to side, round by round (Eq. 10).

    The lateral distance is that along x, on which the boxes lie apart; equal is no signal.
    """
    (first, _), (second, _) = trial.details.boxes_cells
    places = (step.position_cells[0] for step in trial.subject)
    return tuple(box_of_smaller(abs(x - first), abs(x - second)) for x in places)


def gaze_signals(trial: Trial, threshold: float) -> Signals | None:
    """The box that the subject's look and face mean, round by round (Eq. 6).

    It means the box that it looks at more surely, above the threshold; with a negative face the
    other one; equally sure is no signal.

    Args:
        trial: The trial.
        threshold: Certainty above which it looks at a box.

    Returns:
        None where a round does not tell gaze or face.
    """
    found: list[BoxId | None] = []
    for step in trial.subject:
        if step.gaze_certainty is None or step.facial_valence is None:
            return None
        found.append(_meant(*step.gaze_certainty, step.facial_valence, threshold))
    return tuple(found)


def majority(signals: Sequence[BoxId | None]) -> BoxId | None:
    """The box that more rounds mean; None for as many (Eq. 7, 8)."""
    return box_of_smaller(signals.count(1), signals.count(0))


def meant_box(first: float, second: float, threshold: float) -> BoxId | None:
    """The box that is looked at more surely, above a threshold; None for neither, or both alike."""
    looked = box_of_smaller(second, first)
    return None if looked is None or max(first, second) <= threshold else looked


def _meant(first: float, second: float, valence: float, threshold: float) -> BoxId | None:
    looked = meant_box(first, second, threshold)
    return other_box(looked) if looked is not None and valence < 0 else looked


def other_box(box: BoxId) -> BoxId:
    """The box that a box is not."""
    return 0 if box else 1


def box_of_smaller(first: float, second: float) -> BoxId | None:
    """The box with the smaller of two numbers; None where they are equal."""
    if first == second:
        return None
    return 0 if first < second else 1
