"""One trial of the treasure game, reply by reply: each role is scripted, or asked in words."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from typing import NamedTuple

from mira.plays import Request
from mira.schema.episode import Episode, EpisodeAgent
from mira.schema.probe import Probe
from mira.schema.record import FileRef
from mira.schema.step import SPEECH_ROUNDS
from mira.sim.probing.asking import tell_item
from mira.sim.treasure.agent import Agent, Seen
from mira.sim.treasure.asking.asked_player import AskedPlayer, Asking, AskingPolicy, Sight
from mira.sim.treasure.match import Match, Visual
from mira.sim.treasure.probing import TreasureProbePolicy, probe_items
from mira.sim.treasure.rules import PLAYERS, ROUNDS, GazePolicy, Player, other
from mira.sim.treasure.trials import Trial
from mira.store.episodes import EpisodeStore

Camera = Callable[[Seen], bytes]
"""What a player sees, as a PNG file."""


class Cast(NamedTuple):
    """Who plays a role.

    Attributes:
        name: Name of the model, script or person.
        agent: The script; None for who is asked in words.
    """

    name: str
    agent: Agent | None = None


class TreasurePlay:
    """A trial that is played by requests and replies, and by scripts where roles have them.

    Attributes:
        trial: What is played.
        match: How it stands.
        aborted_for: Why it ended early; None where it did not.
    """

    def __init__(
        self,
        trial: Trial,
        cast: Mapping[Player, Cast],
        *,
        visual: Visual | None = None,
        camera: Camera | None = None,
        asking: AskingPolicy | None = None,
        gaze: GazePolicy | None = None,
        probes: TreasureProbePolicy | None = None,
    ) -> None:
        """Set the trial up; scripts act at once, up to the first request.

        Args:
            trial: What is played.
            cast: Who plays.
            visual: What players are shown; None for nothing.
            camera: Draws it; there exactly where `visual` is.
            asking: How players are asked.
            gaze: How surely somebody looks at a box.
            probes: When those who are asked in words are asked what they believe; None for never.
        """
        self.trial = trial
        self.match = Match(trial, gaze or GazePolicy())
        self.aborted_for: str | None = None
        self._cast, self._visual, self._camera = cast, visual, camera
        policy = asking or AskingPolicy()
        self._asked = {role: AskedPlayer(policy) for role in PLAYERS if cast[role].agent is None}
        self._pictures: dict[str, bytes] = {}
        self._probing, self._probes = probes, list[Probe]()
        self._going = self._go()
        self._request = next(self._going, None)

    @property
    def episode_id(self) -> str:
        """Stable id of the episode."""
        return self.trial.trial_id

    @property
    def unread(self) -> Counter[str]:
        """How many requests got no reply that could be read, by kind."""
        return sum((player.unread for player in self._asked.values()), Counter())

    def request(self) -> Request | None:
        """What is asked next, the same until it is heard; None when the trial is over."""
        return self._request

    def hear(self, reply: str) -> None:
        """Go on with the reply to the request, whatever it says."""
        if self._request is None:
            return
        # Half of a pair of code units is no text, and no file could hold it.
        text = reply.encode("utf-8", "replace").decode("utf-8")
        try:
            self._request = self._going.send(text)
        except StopIteration:
            self._request = None

    def abort(self, reason: str) -> None:
        """End the trial here, because a reply could not be had."""
        if self._request is not None:
            self.aborted_for, self._request = reason, None
            self._going.close()

    def write(self, store: EpisodeStore, *, durable: bool = True) -> Episode:
        """Write the trial as far as it went; one that is not over counts as aborted.

        Args:
            store: Where to.
            durable: Whether it is to survive a power cut; scripts play again as fast.
        """
        episode = self.episode()
        steps = tuple(self.match.steps(self.episode_id))
        store.put(episode, steps, pictures=self._pictures, probes=self._probes, durable=durable)
        return episode

    def episode(self) -> Episode:
        """The record of the trial as far as it went."""
        models = dict.fromkeys(self._cast[role].name for role in self._asked)
        return self.match.episode(
            agents=tuple(EpisodeAgent(role=role, name=self._cast[role].name) for role in PLAYERS),
            model=" and ".join(models) or None,
            visual=self._visual,
        )

    def _go(self) -> Generator[Request, str, None]:
        for number in range(1, ROUNDS + 1):
            for role in PLAYERS:
                yield from self._act(role, number)
            if number in SPEECH_ROUNDS:
                yield from self._talk(number)
        for role in self._asked:
            seen = self.match.seen(role, ROUNDS)
            yield from self._probe(
                role, ROUNDS, Sight(seen, self.match.turns, self._pictures_of(seen))
            )

    def _act(self, role: Player, number: int) -> Asking[None]:
        agent, seen = self._cast[role].agent, self.match.seen(role, number)
        pictures = self._pictures_of(seen)
        if agent is None:
            sight = Sight(seen, self.match.turns, pictures)
            yield from self._probe(role, number - 1, sight)
            action = yield from self._asked[role].act(sight)
        else:
            action = agent.act(seen)
        turn = self.match.act(role, action)
        turn.image = self._kept(f"{number:02d}-{role}.png", pictures)
        self._keep_replies(role)

    def _probe(self, role: Player, step: int, sight: Sight) -> Asking[None]:
        """Ask what a player believes, by all that its next turn is chosen on."""
        if self._probing is None:
            return
        player, marie = self._asked[role], self._asked.get("subject")
        supposed = None if marie is None else marie.partner_preferences
        for item in probe_items(self.match, role, step, policy=self._probing, supposed=supposed):
            text = f"{player.situation(sight)}\n\n{tell_item(item, self._probing.wording)}"
            reply = None
            try:
                reply = yield Request(role, "probe", text, sight.pictures)
            finally:
                # Also where the trial is broken off: asked, and not heard.
                self._probes.append(Probe(item=item, raw_reply=reply))

    def _talk(self, number: int) -> Asking[None]:
        """Either speaks and the other makes of it what it may; no question, no answer."""
        for speaker in reversed(PLAYERS):
            yield from self._speak(speaker, number)
            if self.match.last_turn(speaker).speech.utterance is None:
                return
            yield from self._listen(other(speaker), number)

    def _speak(self, role: Player, number: int) -> Asking[None]:
        agent, seen = self._cast[role].agent, self.match.seen(role, number)
        if agent is None:
            sight = Sight(seen, self.match.turns, self._pictures_of(seen))
            self.match.say(role, (yield from self._asked[role].speak(sight)))
        else:
            self.match.say(role, agent.speak(seen))
        self._keep_replies(role)

    def _listen(self, role: Player, number: int) -> Asking[None]:
        agent, seen = self._cast[role].agent, self.match.seen(role, number)
        if agent is None:
            sight = Sight(seen, self.match.turns)
            self.match.prefer(role, (yield from self._asked[role].listen(sight)))
        else:
            self.match.prefer(role, agent.listen(seen))
        self._keep_replies(role)

    def _pictures_of(self, seen: Seen) -> tuple[bytes, ...]:
        return () if self._camera is None else (self._camera(seen),)

    def _keep_replies(self, role: Player) -> None:
        player = self._asked.get(role)
        if player is not None:
            self.match.last_turn(role).raw_replies += player.raw_replies
            player.raw_replies.clear()

    def _kept(self, name: str, pictures: tuple[bytes, ...]) -> FileRef | None:
        """Keep the picture that a turn was chosen on; one of the same content is kept once."""
        if not pictures:
            return None
        (png,) = pictures
        known = next((old for old, data in self._pictures.items() if data == png), name)
        self._pictures[known] = png
        return FileRef(path=known, sha256=hashlib.sha256(png).hexdigest(), size_bytes=len(png))
