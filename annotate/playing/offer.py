"""What people are offered to play. Of the game it says no more than a model would be told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mira.plays import Play
from mira.store.episodes import EpisodeStore


class Button(NamedTuple):
    """A reply that somebody gives with one key.

    Attributes:
        label: What stands on it.
        keys: Keys that press it, as browsers name them.
        reply: What the play hears.
    """

    label: str
    keys: tuple[str, ...]
    reply: str


class Planned(NamedTuple):
    """An episode that somebody is to play.

    Attributes:
        episode_id: Its id, which players are not told: it may say what they are to find out.
        part: Which part of the course it belongs to, from 1; the task is told alike within one.
        turns: Replies that it takes at most.
        open: The episode, at its start.
    """

    episode_id: str
    part: int
    turns: int
    open: Callable[[], Play]


class Course(NamedTuple):
    """All that one person plays.

    Attributes:
        store: Where episodes are written.
        planned: The episodes, in the order in which they are played.
    """

    store: EpisodeStore
    planned: tuple[Planned, ...]


class Offer(NamedTuple):
    """What everybody is offered.

    Attributes:
        title: What the page is called.
        about: Paragraphs that are read before the first episode.
        buttons: Replies, in the order shown, three a row.
        episodes: Episodes of each person.
        most_turns: Replies of each person at most.
        course_of: The course of a person, by code name and the folder of their run.
    """

    title: str
    about: tuple[str, ...]
    buttons: tuple[Button, ...]
    episodes: int
    most_turns: int
    course_of: Callable[[str, Path], Course]
