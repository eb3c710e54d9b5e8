"""The replies of one person, kept the moment they are heard."""

from __future__ import annotations

import os
from pathlib import Path

from mira.schema.record import Record
from mira.store.heard_lines import add_line, open_journal, read_lines


class Reply(Record):
    """A reply that was heard."""

    episode_id: str
    """The episode."""
    turn: int
    """Replies that were heard before it in the episode."""
    reply: str
    """What was said."""


class Journal:
    """What one person said, episode by episode."""

    def __init__(self, path: Path) -> None:
        """Read what is there.

        Raises:
            RecordError: A line is no reply.
        """
        self._path = path
        self._replies: dict[str, list[str]] = {}
        for one in read_lines(path, Reply):
            said = self._replies.setdefault(one.episode_id, [])
            if one.turn == len(said):
                said.append(one.reply)

    def of(self, episode_id: str) -> tuple[str, ...]:
        """The replies of an episode, in their order."""
        return tuple(self._replies.get(episode_id, ()))

    def add(self, episode_id: str, reply: str) -> None:
        """Keep the next reply of an episode, a power cut included."""
        said = self._replies.setdefault(episode_id, [])
        with open_journal(self._path) as stream:
            add_line(stream, Reply(episode_id=episode_id, turn=len(said), reply=reply))
            os.fsync(stream.fileno())
        said.append(reply)
