"""Tags of failed trials: ways to fail that the paper describes in words, as rules (appendix H).

The rules are ours, their thresholds those of a policy. A tag is True, False, or None where the log
does not tell enough to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from mira.evals.mosaic.policy import FailurePolicy, MosaicPolicy
from mira.evals.mosaic.records import FailureName
from mira.evals.mosaic.signals import (
    Signals,
    gaze_signals,
    majority,
    other_box,
    trajectory_signals,
)
from mira.evals.mosaic.trials import Trial
from mira.schema.episode import BoxId
from mira.schema.step import MosaicStep

_SIDEWAYS = frozenset(
    {"left", "right", "left_forward", "right_forward", "left_backward", "right_backward"}
)
TITLES: dict[FailureName, str] = {
    "frame-misalignment": "egocentric frame misalignment",
    "unfounded-bias": "unfounded initial bias",
    "signal-ignored": "signal ignored",
    "reasoning-action-dissociation": "reasoning-action dissociation",
}
"""What the paper calls them."""


def failures_of(trial: Trial, policy: MosaicPolicy) -> dict[FailureName, bool | None]:
    """The tags of a finished trial; None where its log does not tell enough to decide."""
    rules: dict[FailureName, Callable[[Trial, MosaicPolicy], bool | None]] = {
        "frame-misalignment": _frame_misalignment,
        "unfounded-bias": _unfounded_bias,
        "signal-ignored": _signal_ignored,
        "reasoning-action-dissociation": _dissociation,
    }
    return {name: rule(trial, policy) for name, rule in rules.items()}


def glossary_of(policy: MosaicPolicy) -> dict[FailureName, str]:
    """Each rule in a sentence, with its thresholds."""
    bounds = policy.failures
    clear = f"by {bounds.clear_preference:g} or more"
    return {
        "frame-misalignment": (
            "An agent steps sideways away from the box that it prefers "
            f"{clear}: at least {bounds.misaligned_moves} times, and in at least "
            f"{100 * bounds.misaligned_share:g} % of its sideways steps with such a preference. "
            "Left and right are its own. The subject of Comp-ToM1 is left out: it may mean to."
        ),
        "unfounded-bias": (
            f"After round 1 the participant prefers a box {clear} that neither the subject's "
            "place nor its gaze has pointed at, and never prefers the other afterwards."
        ),
        "signal-ignored": (
            f"The subject's way or its gaze points at one box in {100 * bounds.clear_signal:g} % "
            "of the rounds or more, and the other channel not as clearly at the other box; the "
            "participant's preference between the boxes never moves by more than "
            f"{bounds.flat_preference:g} from round 1, and does not lie clearly there already."
        ),
        "reasoning-action-dissociation": (
            f"At the end the participant prefers a box {clear} and chooses the other, or none."
        ),
    }


def _frame_misalignment(trial: Trial, policy: MosaicPolicy) -> bool | None:
    deceives = trial.condition.expected_score == -1
    agents = (trial.participant,) if deceives else (trial.participant, trial.subject)
    found = [_misaligned(trial, steps, policy.failures) for steps in agents]
    if any(found):
        return True
    return None if None in found else False


def _misaligned(trial: Trial, steps: Sequence[MosaicStep], bounds: FailurePolicy) -> bool | None:
    if any(step.preference_boxes is None or step.move is None for step in steps) or not steps:
        return None
    away = list(_ways_from_preferred(trial, steps, bounds.clear_preference))
    wrong = sum(away)
    return wrong >= bounds.misaligned_moves and wrong >= bounds.misaligned_share * len(away)


def _ways_from_preferred(trial: Trial, steps: Sequence[MosaicStep], clear: float) -> Iterator[bool]:
    """Of each sideways step made with a clear preference, whether it leads away from that box.

    A preference is that after the round before, on which the step was chosen. A step that was
    blocked, or leads forward and back of the room, is none.
    """
    for before, step in pairwise(steps):
        box = _preferred(before, clear)
        moved = step.position_cells[0] - before.position_cells[0]
        if box is None or step.move not in _SIDEWAYS or not moved:
            continue
        yield (trial.details.boxes_cells[box][0] - before.position_cells[0]) * moved < 0


def _unfounded_bias(trial: Trial, policy: MosaicPolicy) -> bool | None:
    gaps = _gaps(trial)
    if not gaps:
        return None
    clear = policy.failures.clear_preference
    box = _preferred(trial.participant[0], clear)
    if box is None:
        return False
    gaze = gaze_signals(trial, policy.gaze_threshold) or (None,)
    founded = box in (trajectory_signals(trial)[0], gaze[0])
    reversed_later = any(_preferred(step, clear) == other_box(box) for step in trial.participant)
    return not founded and not reversed_later


def _signal_ignored(trial: Trial, policy: MosaicPolicy) -> bool | None:
    gaps = _gaps(trial)
    if not gaps:
        return None
    bounds = policy.failures
    gaze = gaze_signals(trial, policy.gaze_threshold) or ()
    clear = {_clear_box(channel, bounds) for channel in (trajectory_signals(trial), gaze)} - {None}
    if len(clear) != 1:
        return False
    box = clear.pop()
    flat = max(abs(gap - gaps[0]) for gap in gaps) <= bounds.flat_preference
    return flat and _preferred(trial.participant[-1], bounds.clear_preference) != box


def _clear_box(signals: Signals, bounds: FailurePolicy) -> BoxId | None:
    """The box that a channel points at in enough rounds."""
    box = majority(signals)
    if box is None or signals.count(box) < bounds.clear_signal * len(signals):
        return None
    return box


def _dissociation(trial: Trial, policy: MosaicPolicy) -> bool | None:
    if not _gaps(trial):
        return None
    box = _preferred(trial.participant[-1], policy.failures.clear_preference)
    return box is not None and trial.details.choice != box


def _gaps(trial: Trial) -> tuple[float, ...]:
    """How much more the participant prefers box 1, round by round; nothing if a round is silent."""
    told = [step.preference_boxes for step in trial.participant]
    pairs = [pair for pair in told if pair is not None]
    return () if len(pairs) < len(told) else tuple(second - first for first, second in pairs)


def _preferred(step: MosaicStep, clear: float) -> BoxId | None:
    """The box that an agent clearly prefers after a round."""
    if step.preference_boxes is None:
        return None
    gap = step.preference_boxes[1] - step.preference_boxes[0]
    if abs(gap) < clear:
        return None
    return 1 if gap > 0 else 0
