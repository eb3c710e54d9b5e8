"""Runs on disk to episodes whose players were asked what they believe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mira.errors import EpisodeError
from mira.evals.beliefs.weighing import AskedEpisode
from mira.store.episodes import EpisodeStore

Progress = Callable[[int, int], None]


def read_asked(
    runs: Sequence[Path], *, progress: Progress | None = None
) -> tuple[AskedEpisode, ...]:
    """Episodes of runs in which players were asked what they believe.

    Args:
        runs: Folders of episodes.
        progress: Told how many episodes are read, and how many there are.

    Raises:
        EpisodeError: A folder holds no such episode, is named twice, or an episode is not whole.
        RecordError: A file holds what it should not.
    """
    for path, times in Counter(path.resolve() for path in runs).items():
        if times > 1:
            raise EpisodeError(path, f"expected each run once, found it {times} times")
    stores = [EpisodeStore.open(root) for root in runs]
    total, done = sum(len(store.episode_ids()) for store in stores), 0
    found: list[AskedEpisode] = []
    for name, store in zip(_names(stores), stores, strict=True):
        before = len(found)
        for asked in _asked(name, store):
            done += 1
            if progress is not None:
                progress(done, total)
            if asked is not None:
                found.append(asked)
        if len(found) == before:
            problem = "expected episodes whose players were asked what they believe, found none"
            raise EpisodeError(store.root, problem, "play with --probes")
    return tuple(found)


def _asked(name: str, store: EpisodeStore) -> Iterator[AskedEpisode | None]:
    for episode_id in store.episode_ids():
        probes = tuple(store.probes(episode_id))
        if not probes:
            yield None
            continue
        store.require_whole(episode_id)
        episode = store.episode(episode_id)
        yield AskedEpisode(name, episode, tuple(store.steps(episode)), probes)


def _names(stores: Sequence[EpisodeStore]) -> list[str]:
    """Names of runs; those that share one with the name of their folder."""
    names = [store.run().name for store in stores]
    twice = Counter(names)
    return [
        f"{name}, {store.root.name}" if twice[name] > 1 else name
        for name, store in zip(names, stores, strict=True)
    ]
