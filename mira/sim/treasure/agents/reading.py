"""How one agent reads another: signs as evidence for either box.

The reader takes signs at face value, as somebody of order 0 does: it presumes that people walk to,
look at and speak for what they value, and frown at what they do not.
"""

from __future__ import annotations

import math

from mira.schema.record import Record


class ReadingPolicy(Record):
    """What signs are worth, in natural log-odds."""

    step: float = 0.4
    """A step straight to a box."""
    gaze: float = 0.6
    """A sure look at a box with a face that shows nothing."""
    affect: float = 8.0
    """How often over a full smile adds what the look itself is worth, or a full frown takes it."""
    word: float = 1.5
    """A sentence that names a box."""
    memory: float = 0.85
    """What is left of a belief a round later."""
    view_deg: float = 60.0
    """Who is farther than this from straight ahead is not seen, only heard."""


def evidence_of_turn(
    policy: ReadingPolicy, *, approach: float, gaze: tuple[float, float], face: float
) -> float:
    """Log-odds that a turn adds for the dark box: step·a + gaze·(g₀ - g₁)·(1 + affect·e).

    Args:
        policy: What signs are worth.
        approach: How much nearer it came to the dark box than to the light one, in steps, -1 to 1.
        gaze: How surely it looks at each box.
        face: Valence of its face.
    """
    look = policy.gaze * (gaze[0] - gaze[1])
    return policy.step * approach + look * (1 + policy.affect * face)


def probability(log_odds: float) -> float:
    """Probability of what has these log-odds; they are cut off at ±30."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))
