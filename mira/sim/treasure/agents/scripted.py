"""Agents that follow one rule each, so that what they score is known beforehand."""

from __future__ import annotations

import numpy as np

from mira.schema.episode import BoxId
from mira.sim.treasure.agent import Action, Emotion, Preferences, Seen, Speech
from mira.sim.treasure.agents.outlook import MOVES
from mira.sim.treasure.agents.walking import approach, box_in_view, look_or_approach
from mira.sim.treasure.agents.words import ASKS, EVADES, named_box, tells
from mira.sim.treasure.rules import nearer_box

_SMILE = Emotion(0.5, 0.2, 0.3)


class Idle:
    """Stays where it is, shows nothing, says nothing."""

    def act(self, _seen: Seen) -> Action:
        """No move."""
        return Action("stay_idle")

    def speak(self, _seen: Seen) -> Speech:
        """Silence."""
        return Speech(None)

    def listen(self, seen: Seen) -> Preferences:
        """What it preferred before."""
        return seen.preferences


class RandomWalker(Idle):
    """Does anything, with any face, and says any of three sentences."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, _seen: Seen) -> Action:
        """Any of the twelve moves."""
        face, body, felt = np.round(self._rng.uniform(-1, 1, 3), 3).tolist()
        move = MOVES[self._rng.integers(len(MOVES))]
        return Action(move, Emotion(face, body, felt))

    def speak(self, seen: Seen) -> Speech:
        """A question; an answer that names either box or neither."""
        if seen.player == "participant":
            return Speech(ASKS)
        return Speech((tells(0), tells(1), EVADES)[self._rng.integers(3)])


class Biased(Idle):
    """Goes to one box, whatever it knows, sees and hears."""

    def __init__(self, box: BoxId) -> None:
        self._box = box

    def act(self, seen: Seen) -> Action:
        """A step to its box."""
        return Action(approach(seen, self._box))

    def speak(self, seen: Seen) -> Speech:
        """A question, or its box for an answer."""
        return Speech(ASKS if seen.player == "participant" else tells(self._box))


class Honest(Idle):
    """Looks at the box with the reward, goes to it with a smile, and names it when asked."""

    def act(self, seen: Seen) -> Action:
        """A look or a step."""
        return Action(look_or_approach(seen, _known_box(seen)), _SMILE)

    def speak(self, seen: Seen) -> Speech:
        """The truth."""
        return Speech(tells(_known_box(seen)))


class Deceptive(Honest):
    """Does as the honest one does, who likes the box, and names the other box when asked."""

    def speak(self, seen: Seen) -> Speech:
        """A lie."""
        return Speech(tells(1 if _known_box(seen) == 0 else 0))


class Attentive(Idle):
    """Goes to the box that it was last told of; until then to the one that most signs point to.

    A sign is the side to which the subject has come nearer, and what it looks at, which counts for
    the other box where its face is negative.
    """

    def __init__(self) -> None:
        self._tally = 0
        self._told: BoxId | None = None

    def act(self, seen: Seen) -> Action:
        """A step to the box that it believes in, if it does in any."""
        near = nearer_box(seen.partner.at, seen.boxes)
        looked = box_in_view(seen.partner, seen.boxes)
        if looked is not None and seen.partner_emotion.facial < 0:
            looked = 1 if looked == 0 else 0
        self._tally += {-1: 0, 0: 1, 1: -1}[near] + {None: 0, 0: 1, 1: -1}[looked]
        box = self._believed()
        preferences = _preferring(box)
        return Action("stay_idle" if box is None else approach(seen, box), preferences=preferences)

    def speak(self, _seen: Seen) -> Speech:
        """The question that matters."""
        return Speech(ASKS)

    def listen(self, seen: Seen) -> Preferences:
        """The box that it was told of; what it believed before if that was none."""
        told = named_box(seen.heard)
        self._told = self._told if told is None else told
        return _preferring(self._believed())

    def _believed(self) -> BoxId | None:
        if self._told is not None or self._tally == 0:
            return self._told
        return 0 if self._tally > 0 else 1


def _preferring(box: BoxId | None) -> Preferences:
    if box is None:
        return Preferences()
    return Preferences(0.0, 0.5, -0.5) if box == 0 else Preferences(0.0, -0.5, 0.5)


def _known_box(seen: Seen) -> BoxId:
    assert seen.reward_box is not None, "only the subject knows the box"
    return seen.reward_box
