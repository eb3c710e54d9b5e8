"""Episodes that are what they were when they were written."""

from __future__ import annotations

from mira.errors import EpisodeError
from mira.schema.episode import Episode
from mira.schema.step import Step, step_faults
from mira.store.episodes import EpisodeStore


def whole_steps(store: EpisodeStore, episode: Episode) -> tuple[Step, ...]:
    """All steps of an episode whose files are as they were written.

    Raises:
        EpisodeError: A file is missing or was changed, or the steps are not those of the episode.
        RecordError: A step cannot be read.
    """
    store.require_whole(episode.episode_id)
    steps = tuple(store.steps(episode))
    for fault in step_faults(episode, steps):
        raise EpisodeError(store.root / "episodes" / episode.episode_id, fault)
    return steps
