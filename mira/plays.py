"""Episodes on their way: what a player is asked, and what becomes of its replies.

A simulated world hands out plays. A play knows the rules, the prompts and the record; who answers
(a model behind a provider, a person, a script) knows requests alone. A reply that was heard before
can be heard again: the same replies make the same episode.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from mira.schema.episode import Episode, Role
from mira.store.episodes import EpisodeStore


class Request(NamedTuple):
    """All that a player is told for one reply; nothing is presumed to be remembered.

    Attributes:
        role: Who is asked.
        kind: What for, in a word, such as `move`.
        text: What it is told.
        pictures: PNG files that go along, in the order shown.
    """

    role: Role
    kind: str
    text: str
    pictures: tuple[bytes, ...] = ()


class Play(Protocol):
    """One episode, reply by reply."""

    @property
    def episode_id(self) -> str:
        """Stable id of the episode."""

    def request(self) -> Request | None:
        """What is asked next, the same until it is heard; None when the episode is over."""

    def hear(self, reply: str) -> None:
        """Go on with the reply to the request, whatever it says."""

    def abort(self, reason: str) -> None:
        """End the episode here, because a reply could not be had."""

    def write(self, store: EpisodeStore) -> Episode:
        """Write the episode as far as it went, and give it back."""
