"""One game with all that is shown, felt, preferred and said in it, and its record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mira.schema.episode import Episode, EpisodeAgent, MosaicDetails
from mira.schema.record import FileRef
from mira.schema.step import SPEECH_ROUNDS, MosaicMove, MosaicStep
from mira.sim.treasure.agent import Action, Emotion, Line, Preferences, Seen, Speech
from mira.sim.treasure.floor import Stance
from mira.sim.treasure.rules import (
    PLAYERS,
    ROUNDS,
    START,
    GazePolicy,
    Player,
    TreasureGame,
    gaze_certainty,
    other,
    scores_of,
)
from mira.sim.treasure.trials import Trial

TASK = "mira/Treasure-v1"
"""Name of the game with the version of its rules."""
Visual = Literal["rendered", "blank", "rendered_face"]
"""What players are shown: the room, a blank picture, the room with the other's face inset."""


class Turn:
    """What is known of one player's turn in a round; it grows until the round is over."""

    def __init__(self, player: Player, round_number: int, stance: Stance) -> None:
        self.player = player
        self.round = round_number
        self.stance = stance
        self.move: MosaicMove | None = None
        self.emotion = Emotion()
        self.preferences = Preferences()
        self.speech = Speech(None)
        self.raw_replies: list[str] = []
        self.image: FileRef | None = None


class Match:
    """A trial as it is played.

    Attributes:
        trial: What is played.
        game: Who stands where.
        turns: All turns so far, in their order.
        dialogue: All that was said.
    """

    def __init__(self, trial: Trial, gaze: GazePolicy) -> None:
        self.trial = trial
        self.game = TreasureGame(trial.boxes)
        self.turns: list[Turn] = []
        self.dialogue: list[Line] = []
        self._gaze = gaze
        self._before: dict[Player, Stance] = dict(START)
        self._emotions = dict.fromkeys(PLAYERS, Emotion())
        self._preferences = {player: _first_preferences(player, trial) for player in PLAYERS}

    @property
    def round(self) -> int:
        """The round that is played, 1 before the first turn."""
        return self.turns[-1].round if self.turns else 1

    def seen(self, player: Player, round_number: int) -> Seen:
        """What a player knows now."""
        partner, knows = other(player), player == "subject"
        return Seen(
            player=player,
            round=round_number,
            mode=self.trial.condition.mode if knows else None,
            tom_order=self.trial.condition.tom_order if knows else None,
            reward_box=self.trial.reward_box if knows else None,
            boxes=self.trial.boxes,
            own=self.game.stances[player],
            partner=self.game.stances[partner],
            partner_before=self._before[partner],
            emotion=self._emotions[player],
            partner_emotion=self._emotions[partner]._replace(felt=0.0),
            preferences=self._preferences[player],
            dialogue=tuple(self.dialogue),
        )

    def act(self, player: Player, action: Action) -> Turn:
        """A player's turn: the first of a round is the subject's, which begins it."""
        begins = player == "subject" and bool(self.turns)
        turn = Turn(player, self.round + begins, self.game.stances[player])
        self._before[player] = turn.stance
        self.game.take_turn(player, action.move)
        turn.move, turn.stance = action.move, self.game.stances[player]
        turn.emotion = self._emotions[player] = action.emotion
        self.turns.append(turn)
        self.prefer(player, action.preferences or self._preferences[player])
        return turn

    def say(self, player: Player, speech: Speech) -> None:
        """A player speaks, once both have had their turns in rounds 3, 6 and 9."""
        self.last_turn(player).speech = speech
        if speech.utterance is not None:
            self.dialogue.append(Line(self.round, player, speech.utterance))

    def prefer(self, player: Player, preferences: Preferences) -> None:
        """A player changes its mind."""
        self._preferences[player] = preferences
        self.last_turn(player).preferences = preferences

    def last_turn(self, player: Player) -> Turn:
        """The latest turn of a player.

        Raises:
            StopIteration: It has had none.
        """
        return next(turn for turn in reversed(self.turns) if turn.player == player)

    def is_over(self) -> bool:
        """Whether all turns were taken."""
        return len(self.turns) == ROUNDS * len(PLAYERS)

    def steps(self, episode_id: str) -> Iterator[MosaicStep]:
        """The turns as records."""
        for turn in self.turns:
            speaks = turn.round in SPEECH_ROUNDS
            yield MosaicStep(
                episode_id=episode_id,
                round=turn.round,
                role=turn.player,
                position_cells=turn.stance.at,
                orientation_cells=turn.stance.looks_at,
                preference_other=turn.preferences.other,
                preference_boxes=turn.preferences.boxes,
                gaze_certainty=gaze_certainty(turn.stance, self.trial.boxes, self._gaze),
                facial_valence=turn.emotion.facial,
                physiological_valence=turn.emotion.physiological,
                felt_valence=turn.emotion.felt,
                move=turn.move,
                utterance=turn.speech.utterance if speaks else None,
                inner_speech=turn.speech.inner if speaks else None,
                raw_replies=tuple(turn.raw_replies),
                image=turn.image,
            )

    def episode(
        self, *, agents: tuple[EpisodeAgent, ...], model: str | None, visual: Visual | None
    ) -> Episode:
        """The game as a record; aborted where turns are missing."""
        trial, over = self.trial, self.is_over()
        choice = self.game.choice() if over else None
        scores = None if choice is None else scores_of(choice, trial.reward_box, trial.condition[0])
        return Episode(
            episode_id=trial.trial_id,
            task=TASK,
            seed=trial.seed,
            agents=agents,
            model=model,
            num_steps=self.round if self.turns else 0,
            max_steps=ROUNDS,
            success=None if choice is None else choice == trial.reward_box,
            termination="completed" if over else "aborted",
            details=MosaicDetails(
                mode=trial.condition.mode,
                tom_order=trial.condition.tom_order,
                boxes_cells=trial.boxes,
                reward_box=trial.reward_box,
                choice=choice,
                participant_score=None if scores is None else scores.participant,
                subject_score=None if scores is None else scores.subject,
                visual=visual,
            ),
        )


def _first_preferences(player: Player, trial: Trial) -> Preferences:
    """What the conditions impose: the subject values its box, and the other as the mode says."""
    if player == "participant":
        return Preferences()
    attitude = 0.5 if trial.condition.mode == "cooperative" else -0.5
    sign = 1.0 if trial.reward_box == 0 else -1.0
    return Preferences(attitude, 0.5 * sign, -0.5 * sign)
