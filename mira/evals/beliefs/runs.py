"""Runs on disk to episodes whose players were asked what they believe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mira.errors import EpisodeError
from mira.evals.beliefs.policy import BeliefPolicy
from mira.evals.beliefs.records import BeliefScores
from mira.evals.beliefs.scoring import score_beliefs
from mira.evals.beliefs.weighing import AskedEpisode
from mira.store.episodes import EpisodeStore
from mira.store.whole_episodes import whole_steps

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
            found += asked
        if len(found) == before:
            problem = "expected episodes whose players were asked what they believe, found none"
            raise EpisodeError(store.root, problem, "play with --probes")
    return tuple(found)


def beliefs_of(
    runs: Sequence[Path], *, policy: BeliefPolicy | None = None, seed: int = 0
) -> BeliefScores | None:
    """Scores of the probes of runs, those without any left aside; None where no run has some."""
    stores = [EpisodeStore.open(root) for root in runs]
    found = [
        one
        for name, store in zip(_names(stores), stores, strict=True)
        for asked in _asked(name, store)
        for one in asked
    ]
    return score_beliefs(found, policy=policy, seed=seed) if found else None


def _asked(name: str, store: EpisodeStore) -> Iterator[tuple[AskedEpisode, ...]]:
    """One for each episode; empty where nobody was asked."""
    for episode_id in store.episode_ids():
        probes = tuple(store.probes(episode_id))
        if not probes:
            yield ()
            continue
        episode = store.episode(episode_id)
        yield (AskedEpisode(name, episode, whole_steps(store, episode), probes),)


def _names(stores: Sequence[EpisodeStore]) -> list[str]:
    """Names of runs; those that share one with the name of their folder."""
    names = [store.run().name for store in stores]
    twice = Counter(names)
    return [
        f"{name}, {store.root.name}" if twice[name] > 1 else name
        for name, store in zip(names, stores, strict=True)
    ]
