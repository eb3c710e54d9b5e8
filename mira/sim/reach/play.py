"""One episode of the mirror test, turn by turn."""

from __future__ import annotations

from mira.plays import Request
from mira.replies.moves import MoveReading, read_move
from mira.schema.episode import Episode, EpisodeAgent, ReachDetails, TomItem
from mira.schema.step import MirrorStep, ReachAction
from mira.sim.probing.asking import tell_item
from mira.sim.reach.album import Album
from mira.sim.reach.painting import Painter
from mira.sim.reach.probing import ReachProbePolicy, ReachProbes
from mira.sim.reach.prompting.telling import PastTurn, tell_situation, tell_task, tell_turns
from mira.sim.reach.prompting.wording import ReachWording, packaged_wording
from mira.sim.reach.rules import ACTIONS, ReachGame, ReachPolicy
from mira.sim.reach.scenes import ReachScene
from mira.store.episodes import EpisodeStore

TASK = "mira/MirrorReach-v1"
"""Name of the task in episodes, and of its environment."""


def reach_episode_id(scene: ReachScene, level: int, repeat: int = 1) -> str:
    """The stable name of an episode, such as `male_0-bare-dot-level-0`.

    Args:
        scene: The scene.
        level: How much the player is told.
        repeat: Which time it is played in the same run, from 1.
    """
    name = f"{scene.scene_id}-level-{level}"
    return name if repeat == 1 else f"{name}-repeat-{repeat}"


class ReachPlay:
    """An episode that somebody plays by replies, or a script by moves.

    Attributes:
        scene: Who stands there, with which hand and mark.
        level: How much the player is told.
        game: The hand, and what may be done with it.
        aborted_for: Why the episode ended early; None where it did not.

    Raises:
        SimulationError: The hand is at the mark before anything has moved.
    """

    def __init__(
        self,
        scene: ReachScene,
        level: int,
        *,
        player: str,
        model: str | None,
        policy: ReachPolicy,
        painter: Painter | None = None,
        wording: ReachWording | None = None,
        reading: MoveReading = "strict",
        seed: int | None = None,
        repeat: int = 1,
        probes: ReachProbePolicy | None = None,
    ) -> None:
        """Set the scene up.

        Args:
            scene: Who stands there, with which hand and mark.
            level: How much the player is told.
            player: Name of who plays: a model, a script, a person.
            model: Name of the model under test; None for scripts and people.
            policy: The numbers it is played by.
            painter: Draws what the player sees; None for players that see nothing.
            wording: The words of prompts; those of the package by default.
            reading: How strictly replies are read.
            seed: Seed of what the player draws by chance; None where there is none.
            repeat: Which time the episode is played in the same run, from 1.
            probes: When the player is asked what it believes; None for never.
        """
        self.scene, self.level = scene, level
        self.game = ReachGame(scene.body, policy)
        self.aborted_for: str | None = None
        self._player, self._model, self._seed, self._repeat = player, model, seed, repeat
        self._wording = wording or packaged_wording()
        self._reading = reading
        self._album = None if painter is None else Album(scene, painter)
        self._d0_m = self.game.distance_m
        self._task = tell_task(scene, level, self.game, wording=self._wording)
        self._steps: list[MirrorStep] = []
        self._probes = ReachProbes(
            probes,
            episode_id=self.episode_id,
            scene_id=scene.scene_id,
            mark=self._wording.marks[scene.mark],
            source=TASK,
            seed=seed or 0,
        )

    @property
    def episode_id(self) -> str:
        """Stable id of the episode."""
        return reach_episode_id(self.scene, self.level, self._repeat)

    @property
    def is_over(self) -> bool:
        """Whether no turn is left."""
        last = self._steps[-1] if self._steps else None
        ended = last is not None and (last.terminated or last.truncated)
        return ended or self.aborted_for is not None

    def request(self) -> Request | None:
        """What the player is told on this turn; None when the episode is over.

        Before some moves it is asked what it believes. That spends no turn and enters no history.
        """
        if self.is_over:
            return None
        pictures = () if self._album is None else (self._album.png(self._album.shown(self.game)),)
        turns = tell_turns(
            [PastTurn(step.action, step.legal) for step in self._steps], wording=self._wording
        )
        item, policy = self._due(), self._probes.policy
        if item is None or policy is None:
            return Request("agent", "move", _joined(self._task, turns), pictures)
        situation = tell_situation(self.scene, self.level, self.game, wording=self._wording)
        text = _joined(situation, turns, tell_item(item, policy.wording))
        return Request("agent", "probe", text, pictures)

    def hear(self, reply: str) -> None:
        """Take the turn that a reply chooses; one that cannot be read spends it all the same."""
        # Half of a pair of code units is no text, and no file could hold it.
        reply = reply.encode("utf-8", "replace").decode("utf-8")
        if (item := self._due()) is not None:
            self._probes.hear(item, reply)
            return
        read = read_move(reply, ACTIONS, reading=self._reading)
        moves: dict[str | None, ReachAction] = {action: action for action in ACTIONS}
        self.take_turn(moves.get(read.answer), reply=reply)

    def take_turn(self, action: ReachAction | None, *, reply: str | None = None) -> None:
        """Take a turn.

        Args:
            action: The move; None where none could be read.
            reply: The words that chose it; None for scripts, which say none.
        """
        seen = None if self._album is None else self._album.shown(self.game)
        outcome = self.game.take_turn(action)
        self._steps.append(
            MirrorStep(
                episode_id=self.episode_id,
                step=self.game.turns,
                image=seen,
                action=action,
                raw_reply=reply,
                legal=outcome.legal,
                hand_world_m=self.game.hand_m,
                mark_world_m=self.scene.body.mark_m,
                manhattan_m=outcome.distance_m,
                terminated=outcome.reached,
                truncated=outcome.spent and not outcome.reached,
            )
        )

    def abort(self, reason: str) -> None:
        """End the episode here, because a reply could not be had."""
        if self.is_over:
            return
        if (item := self._due()) is not None:
            self._probes.hear(item, None)
        self.aborted_for = reason

    def write(self, store: EpisodeStore, *, durable: bool = True) -> Episode:
        """Write the episode as far as it went; one that is not over counts as aborted.

        Args:
            store: Where to.
            durable: Whether it is to survive a power cut.
        """
        episode = self.episode()
        named = {step.image.path: step.image for step in self._steps if step.image is not None}
        album = self._album
        pictures = {} if album is None else {ref.path: album.png(ref) for ref in named.values()}
        store.put(
            episode, self._steps, pictures=pictures, probes=self._probes.heard, durable=durable
        )
        return episode

    def episode(self) -> Episode:
        """The record of the episode as far as it went."""
        last = self._steps[-1] if self._steps else None
        body, policy = self.scene.body, self.game.policy
        return Episode(
            episode_id=self.episode_id,
            task=TASK,
            seed=self._seed,
            agents=(EpisodeAgent(role="agent", name=self._player),),
            model=self._model,
            num_steps=len(self._steps),
            max_steps=self.game.max_turns,
            success=last.terminated if last and (last.terminated or last.truncated) else None,
            termination="success"
            if last and last.terminated
            else "max_steps"
            if last and last.truncated
            else "aborted",
            details=ReachDetails(
                level=self.level,
                body=body.name,
                hand=self.scene.hand,
                mark=self.scene.mark,
                setting=body.track,
                threshold_m=policy.threshold_m,
                step_m=policy.step_m,
                d0_m=self._d0_m,
                prompt=self._task,
            ),
        )

    def _due(self) -> TomItem | None:
        """What the player is to be asked before its next move."""
        return self._probes.due(len(self._steps))

    @property
    def steps(self) -> tuple[MirrorStep, ...]:
        """The turns taken."""
        return tuple(self._steps)


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
