"""What a player of MOSAIC does: which box do its way, its gaze and its choice mean?"""

from __future__ import annotations

from collections.abc import Iterator

from mira.evals.mosaic.signals import box_of_smaller, majority, meant_box, other_box
from mira.evals.mosaic.trials import Trial
from mira.schema.episode import BoxId
from mira.schema.step import MosaicStep


def follows(trial: Trial, role: str, question: str, *, after: int) -> bool:
    """Whether what a player does after a round follows from what it says to a question.

    The participant wins by the right box and knows that Marie was told: where it says that the
    reward is, and where it says that Marie believes it to be, is where it is to go. Marie is to
    point at the reward where she does not deceive, that is but for Comp-ToM1. What follows from
    what she thinks of the participant, and it of what she thinks, is up to their plans. After the
    last round she does nothing more, and the participant's choice is made.
    """
    if role == "participant":
        return question in ("reward", "other")
    is_over = after == trial.episode.max_steps
    return question == "reward" and trial.condition.expected_score == 1 and not is_over


def meant_after(
    trial: Trial, role: str, *, after: int, until: int | None, gaze_threshold: float
) -> BoxId | None:
    """The box that a player's behaviour means between two probes; None where it means none.

    Way, gaze and choice each mean a box or none; the box that more of them mean counts. Way and
    gaze mean the box that more rounds mean. The choice belongs to the last probe of a trial, for
    what lies between may change a mind.

    Args:
        trial: The trial.
        role: Who is looked at.
        after: Rounds after this one count.
        until: The last that does; None for the last of the trial, and the choice.
        gaze_threshold: Certainty above which a box is looked at.
    """
    turns = trial.participant if role == "participant" else trial.subject
    last = len(turns) if until is None else until
    mine = turns[after:last]
    before = (turns[after - 1] if after else None, *mine)
    signs = [
        majority([_way(trial, *pair) for pair in zip(before, mine, strict=False)]),
        majority([_gaze(turn, gaze_threshold) for turn in mine]),
        *(_choice(trial) if until is None and role == "participant" else ()),
    ]
    return majority(signs)


def _way(trial: Trial, before: MosaicStep | None, turn: MosaicStep) -> BoxId | None:
    """The box on the side to which a turn goes; of one that goes to neither, the nearer one.

    The distance that tells is that along x, on which the boxes lie apart, as in TAS.
    """
    (dark, _), (light, _) = trial.details.boxes_cells
    x = turn.position_cells[0]
    gone = 0.0 if before is None else x - before.position_cells[0]
    if gone and dark != light:
        return 0 if (gone > 0) == (dark > light) else 1
    return box_of_smaller(abs(x - dark), abs(x - light))


def _gaze(turn: MosaicStep, threshold: float) -> BoxId | None:
    """The box that a look means; Marie's with a negative face the other one (Eq. 6)."""
    if turn.gaze_certainty is None:
        return None
    looked = meant_box(*turn.gaze_certainty, threshold)
    signals = turn.role == "subject"
    if looked is not None and signals and (turn.facial_valence or 0) < 0:
        return other_box(looked)
    return looked


def _choice(trial: Trial) -> Iterator[BoxId | None]:
    choice = trial.details.choice
    yield None if choice is None or choice == -1 else choice
