"""Trials of runs, grouped into what is scored together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mira.errors import EpisodeError
from mira.evals.mosaic.trials import Trial, trial_of
from mira.schema.episode import Episode
from mira.schema.record import FileRef
from mira.schema.step import MosaicStep
from mira.store.episodes import EpisodeStore
from mira.store.whole_episodes import whole_steps

Progress = Callable[[int, int], None]
"""Takes how many trials are read and how many there are."""
PictureReader = Callable[[str, FileRef], bytes]
"""Bytes of a picture, by id of the episode and what its step names."""


class TrialGroup(NamedTuple):
    """Trials of one run, model and visual condition."""

    key: str
    """What distinguishes it in tables."""
    name: str
    """Name of the run."""
    model: str | None
    """Model under test; None for agents that are scripted or human."""
    visual: str | None
    """What the agents were shown; None where nobody tells."""
    licence: str | None
    """Licence of the run."""
    trials: tuple[Trial, ...]
    """By their ids, aborted ones among them."""
    read_picture: PictureReader | None
    """Reads their pictures; None where there are none."""


def read_runs(paths: Sequence[Path], *, progress: Progress | None = None) -> list[TrialGroup]:
    """The MOSAIC trials of run folders, a group for each run, model and visual condition.

    Raises:
        MiraError: A folder is no run, holds no trial, is named twice, or an episode is broken.
    """
    stores = [EpisodeStore.open(path) for path in paths]
    for path, times in Counter(path.resolve() for path in paths).items():
        if times > 1:
            raise EpisodeError(path, f"expected each run once, found it {times} times")
    ids = [store.episode_ids() for store in stores]
    total, done = sum(map(len, ids)), 0
    groups: list[TrialGroup] = []
    for store, of_store in zip(stores, ids, strict=True):
        trials = []
        for episode_id in of_store:
            if trial := _read(store, episode_id):
                trials.append(trial)
            done += 1
            if progress:
                progress(done, total)
        if not trials:
            raise EpisodeError(store.root, "expected trials of MOSAIC, found none")
        run = store.run()
        groups += group_trials(
            trials, name=run.name, licence=run.licence, read_picture=store.read_picture
        )
    return with_keys(groups)


def group_trials(
    trials: Iterable[Trial],
    *,
    name: str,
    licence: str | None,
    read_picture: PictureReader | None = None,
) -> list[TrialGroup]:
    """Trials of a run by model and visual condition, the keys not yet told apart."""
    found: dict[tuple[str | None, str | None], list[Trial]] = {}
    for trial in trials:
        found.setdefault((trial.episode.model, trial.details.visual), []).append(trial)
    return [
        TrialGroup(name, name, model, visual, licence, tuple(members), read_picture)
        for (model, visual), members in sorted(
            found.items(), key=lambda pair: tuple(part or "" for part in pair[0])
        )
    ]


def with_keys(groups: Sequence[TrialGroup]) -> list[TrialGroup]:
    """Groups with keys that no two share: the name, with model, visual or a number if need be."""
    keys = [one.name for one in groups]
    for part in ("model", "visual"):
        twice = Counter(keys)
        differ = {
            key: len({getattr(g, part) for g, k in zip(groups, keys, strict=True) if k == key}) > 1
            for key in twice
        }
        keys = [
            f"{key}, {getattr(group, part) or f'no {part}'}" if differ[key] else key
            for key, group in zip(keys, groups, strict=True)
        ]
    times, seen = Counter(keys), Counter[str]()
    numbered = []
    for key in keys:
        seen[key] += 1
        numbered.append(f"{key} ({seen[key]})" if times[key] > 1 else key)
    return [one._replace(key=key) for one, key in zip(groups, numbered, strict=True)]


def _read(store: EpisodeStore, episode_id: str) -> Trial | None:
    episode: Episode = store.episode(episode_id)
    if episode.family != "mosaic":
        return None
    turns = [step for step in whole_steps(store, episode) if isinstance(step, MosaicStep)]
    trial = trial_of(episode, map(_without_replies, turns))
    unread = sum(bool(turn.raw_replies) and turn.move is None for turn in turns)
    return trial and trial._replace(n_unread=unread)


def _without_replies(turn: MosaicStep) -> MosaicStep:
    """A turn without what nothing here looks at, which may be long."""
    return turn.model_copy(update={"raw_replies": ()})
