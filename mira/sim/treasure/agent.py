"""What somebody in the treasure room sees and does, whoever decides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mira.schema.episode import BoxId
from mira.schema.step import MosaicMove
from mira.sim.treasure.floor import Square, Stance
from mira.sim.treasure.rules import Mode, Player, TomOrder


class Preferences(NamedTuple):
    """How an agent values the other and the boxes, each from -1 to 1."""

    other: float = 0.0
    dark_box: float = 0.0
    light_box: float = 0.0

    @property
    def boxes(self) -> tuple[float, float]:
        """The two boxes, by their number."""
        return self.dark_box, self.light_box


class Emotion(NamedTuple):
    """Valences of three channels, positive less negative, each from -1 to 1.

    Attributes:
        facial: What the face shows.
        physiological: What the body shows.
        felt: What is felt, which nobody sees.
    """

    facial: float = 0.0
    physiological: float = 0.0
    felt: float = 0.0


NEUTRAL = Emotion()
"""Nothing shown and nothing felt."""


class Action(NamedTuple):
    """A turn.

    Attributes:
        move: What is done; None where it could not be read, and the agent stays.
        emotion: What is shown and felt.
        preferences: New preferences; None leaves them as they are.
    """

    move: MosaicMove | None
    emotion: Emotion = NEUTRAL
    preferences: Preferences | None = None


class Speech(NamedTuple):
    """What is said, and thought before.

    Attributes:
        utterance: The sentence; None for silence.
        inner: What was thought; None for nothing.
    """

    utterance: str | None
    inner: str | None = None


class Line(NamedTuple):
    """A sentence of the dialogue."""

    round: int
    player: Player
    text: str


class Seen(NamedTuple):
    """All that an agent knows when it is its turn.

    Attributes:
        player: Who it is.
        round: 1 to 10.
        mode: Whether the subject gains by the participant's success; None for the participant, who
            is not told.
        tom_order: Order imposed on the subject; None for the participant.
        reward_box: The box with the reward; None for the participant.
        boxes: Cells of the dark and the light brown box.
        own: Where it is.
        partner: Where the other is.
        partner_before: Where the other was before its last turn.
        emotion: What it shows and feels.
        partner_emotion: What the other shows; what it feels is not told and stands as 0.
        preferences: Its own.
        dialogue: All that was said.
    """

    player: Player
    round: int
    mode: Mode | None
    tom_order: TomOrder | None
    reward_box: BoxId | None
    boxes: tuple[Square, Square]
    own: Stance
    partner: Stance
    partner_before: Stance
    emotion: Emotion
    partner_emotion: Emotion
    preferences: Preferences
    dialogue: Sequence[Line] = ()

    @property
    def heard(self) -> str | None:
        """What the other said in this round; None while it has said nothing."""
        lines = [
            line.text
            for line in self.dialogue
            if line.player != self.player and line.round == self.round
        ]
        return lines[-1] if lines else None


class Agent(Protocol):
    """Who plays a role without being asked in words; one for each trial."""

    def act(self, seen: Seen, /) -> Action:
        """Its turn in a round."""

    def speak(self, seen: Seen, /) -> Speech:
        """What it says in rounds 3, 6 and 9: the participant asks, then the subject answers."""

    def listen(self, seen: Seen, /) -> Preferences:
        """Its preferences once the other has spoken."""
