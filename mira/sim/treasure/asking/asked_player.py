"""A player who is asked in words: what it is told, and what becomes of its replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, TypeVar

from mira.plays import Request
from mira.schema.record import Record
from mira.sim.treasure.agent import Action, Preferences, Seen, Speech
from mira.sim.treasure.asking.replies import (
    ReplyFaultError,
    read_action,
    read_speech,
    read_updates,
)
from mira.sim.treasure.asking.telling import Telling, tell, tell_repair, tell_situation
from mira.sim.treasure.asking.wording import TaskKind, TreasureWording, packaged_wording
from mira.sim.treasure.match import Turn
from mira.sim.treasure.rules import other

_Answer = TypeVar("_Answer")
Asking = Generator[Request, str, _Answer]
"""Hands out requests, takes replies, and ends with what they say."""


class AskingPolicy(Record):
    """How players are asked."""

    wording: TreasureWording | None = None
    """In which words; None for those of the package."""
    preference_step: float = 0.25
    """What `more positive` adds to a preference; the paper does not say."""
    tells_faces: bool = True
    """Whether the other's expressions stand in belief states, as in the published examples; where
    not, pictures alone tell of them."""

    @property
    def words(self) -> TreasureWording:
        """In which words."""
        return self.wording or packaged_wording()


class Sight(NamedTuple):
    """What a player has before it when it is asked.

    Attributes:
        seen: What it knows.
        turns: All turns so far.
        pictures: What it sees, as PNG files.
    """

    seen: Seen
    turns: Sequence[Turn]
    pictures: tuple[bytes, ...] = ()


class AskedPlayer:
    """Asks for turns, sentences and preferences; each faulty reply is asked for once more.

    Attributes:
        unread: How many requests got no reply that could be read, by kind.
        raw_replies: Replies as they came since they were last taken.
    """

    def __init__(self, policy: AskingPolicy) -> None:
        self.unread: Counter[str] = Counter()
        self.raw_replies: list[str] = []
        self._policy = policy
        self._partner_preferences = Preferences()

    @property
    def partner_preferences(self) -> Preferences:
        """What it believes the other to prefer."""
        return self._partner_preferences

    def situation(self, sight: Sight) -> str:
        """All that it is told before anything is asked of it."""
        return tell_situation(self._telling(sight))

    def act(self, sight: Sight) -> Asking[Action]:
        """A turn; staying without a sign where no reply could be read."""
        seen = sight.seen
        action = yield from self._ask(
            sight, "action", lambda reply: read_action(reply, seen.player, seen.preferences)
        )
        return action or Action(None)

    def speak(self, sight: Sight) -> Asking[Speech]:
        """A question or an answer; silence where no reply could be read."""
        task: TaskKind = "ask" if sight.seen.player == "participant" else "answer"
        speech = yield from self._ask(sight, task, read_speech)
        return speech or Speech(None)

    def listen(self, sight: Sight) -> Asking[Preferences]:
        """Its preferences after what it heard; those of before where no reply could be read."""
        seen = sight.seen
        beliefs = {seen.player: seen.preferences, other(seen.player): self._partner_preferences}
        step = self._policy.preference_step
        after = yield from self._ask(
            sight, "preferences", lambda reply: read_updates(reply, beliefs, step=step)
        )
        if after is None:
            return seen.preferences
        self._partner_preferences = after[other(seen.player)]
        return after[seen.player]

    def _ask(
        self, sight: Sight, task: TaskKind, read: Callable[[str], _Answer]
    ) -> Asking[_Answer | None]:
        kind = {"ask": "speech", "answer": "speech"}.get(task, task)
        text = tell(self._telling(sight), task)
        request = Request(sight.seen.player, kind, text, sight.pictures)
        for is_last in (False, True):
            reply = yield request
            self.raw_replies.append(reply)
            try:
                return read(reply)
            except ReplyFaultError as error:
                if not is_last:
                    again = tell_repair(text, reply, str(error), wording=self._policy.words)
                    request = Request(sight.seen.player, "repair", again, sight.pictures)
        self.unread[kind] += 1
        return None

    def _telling(self, sight: Sight) -> Telling:
        return Telling(
            seen=sight.seen,
            partner_preferences=self._partner_preferences,
            turns=sight.turns,
            wording=self._policy.words,
            has_picture=bool(sight.pictures),
            tells_faces=self._policy.tells_faces,
        )
