"""How far one person is: the episode that is played, its turn, and what became of the last one."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import NamedTuple

from annotate.playing.journal import Journal
from annotate.playing.offer import Course, Planned
from mira.errors import DeskError
from mira.plays import Play, Request
from mira.schema.episode import Episode


class Picture(NamedTuple):
    """A picture, and the digest that it is asked for by."""

    sha256: str
    png: bytes


class Turn(NamedTuple):
    """What somebody is asked now.

    Attributes:
        place: The episode's place in the course, from 0.
        heard: Replies that were heard in the episode.
        task: What was told when it began.
        since: What is told beside it by now; empty at first.
        pictures: Pictures that go along.
    """

    place: int
    heard: int
    task: str
    since: str
    pictures: tuple[Picture, ...]


class Ended(NamedTuple):
    """How an episode ended.

    Attributes:
        place: Its place in the course, from 0.
        success: Whether its goal was reached.
        turns: Turns that were taken.
    """

    place: int
    success: bool
    turns: int


class _Playing(NamedTuple):
    planned: Planned
    play: Play
    task: str


class Sitting:
    """One person's way through a course; any number of windows and threads may ask at once.

    A reply is in the journal before the play hears it. So an episode that a dead server left is
    played up to where it was, from its journal, and written once it is over.
    """

    def __init__(self, course: Course, journal: Path) -> None:
        """Find out what is left to play.

        Args:
            course: What is played.
            journal: The file in which replies are kept.

        Raises:
            RecordError: The journal holds something else.
        """
        self.course = course
        self._journal = Journal(journal)
        self._lock = threading.RLock()
        self._left = [
            place
            for place, planned in enumerate(course.planned)
            if not course.store.is_played(planned.episode_id)
        ]
        self._playing: _Playing | None = None
        self._turn: Turn | None = None

    @property
    def left(self) -> int:
        """Episodes that are not over."""
        return len(self._left)

    def turn(self) -> Turn | None:
        """What is asked now; None when the course is over."""
        with self._lock:
            while self._turn is None and self._left:
                self._look()
            return self._turn

    def reply(self, place: int, heard: int, reply: str) -> Ended | None:
        """Hear a reply, once: what was heard before changes nothing.

        Args:
            place: The episode's place in the course.
            heard: Replies that had been heard in the episode when this one was chosen.
            reply: What is said.

        Returns:
            How the episode ended; None where it goes on.

        Raises:
            DeskError: It is no reply to anything that was asked.
        """
        with self._lock:
            now = self.turn()
            if 0 <= place < len(self.course.planned) and place not in self._left:
                return self._ended(place)
            if now is None or place != now.place or not 0 <= heard <= now.heard:
                raise DeskError("reply", "nothing of that kind was asked", code="not-asked")
            if heard < now.heard:
                return None
            self._hear(reply)
            return None if place in self._left else self._ended(place)

    def picture(self, sha256: str) -> bytes:
        """A picture of the turn.

        Raises:
            DeskError: The turn has none of that digest.
        """
        now = self.turn()
        for picture in now.pictures if now else ():
            if picture.sha256 == sha256:
                return picture.png
        raise DeskError("picture", "there is no such picture", code="no-such-item")

    def _hear(self, reply: str) -> None:
        playing = self._open()
        self._journal.add(playing.planned.episode_id, reply)
        self._turn = None
        try:
            playing.play.hear(reply)
        except BaseException:
            # It is in the journal, and is heard from there.
            self._playing = None
            raise
        self._look()

    def _look(self) -> None:
        """See what is asked next; an episode that is over is written."""
        playing = self._open()
        request = playing.play.request()
        if request is None:
            playing.play.write(self.course.store)
            self._left.pop(0)
            self._playing = None
            return
        self._turn = Turn(
            place=self._left[0],
            heard=len(self._journal.of(playing.planned.episode_id)),
            task=playing.task,
            since=request.text.removeprefix(playing.task).strip()
            if request.text.startswith(playing.task)
            else request.text,
            pictures=_pictures(request),
        )

    def _open(self) -> _Playing:
        """The episode that is played, as far as its replies go."""
        if self._playing is None:
            planned = self.course.planned[self._left[0]]
            play = planned.open()
            request = play.request()
            task = request.text if request else ""
            for reply in self._journal.of(planned.episode_id):
                if play.request() is not None:
                    play.hear(reply)
            self._playing = _Playing(planned, play, task)
        return self._playing

    def _ended(self, place: int) -> Ended:
        episode: Episode = self.course.store.episode(self.course.planned[place].episode_id)
        return Ended(place, bool(episode.success), episode.num_steps)


def _pictures(request: Request) -> tuple[Picture, ...]:
    return tuple(Picture(hashlib.sha256(png).hexdigest(), png) for png in request.pictures)
