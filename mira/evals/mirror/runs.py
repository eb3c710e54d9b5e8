"""Runs on disk to players with their episodes, and to scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mira.errors import EpisodeError
from mira.evals.mirror.measuring import measure_episode
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.records import MirrorScores, PlayerScores
from mira.evals.mirror.scoring import score_played
from mira.evals.mirror.tallying import Played
from mira.schema.episode import Episode, ReachDetails
from mira.schema.step import MirrorStep
from mira.store.episodes import EpisodeStore
from mira.store.whole_episodes import whole_steps

Progress = Callable[[int, int], None]


class PlayedEpisode(NamedTuple):
    """An episode of the mirror test with its steps."""

    episode: Episode
    details: ReachDetails
    steps: tuple[MirrorStep, ...]

    @property
    def scene_id(self) -> str:
        """Body, hand and mark."""
        return f"{self.details.body}-{self.details.hand}-{self.details.mark}"


@dataclass(frozen=True)
class Player:
    """Who played, and what became of it.

    Attributes:
        name: What tables call it.
        player: Model, script or `human`.
        is_model: Whether it is a model under test.
        source: Folder of the run.
        prompts: Version of the prompts' words; None where the run does not tell.
        settings: What else decided the run, as far as it tells.
        episodes: In the order of their ids.
    """

    name: str
    player: str
    is_model: bool
    source: Path
    prompts: str | None
    settings: dict[str, str]
    episodes: tuple[PlayedEpisode, ...]


_TOLD_APART = ("task", "player", "prompts")


def read_players(runs: Sequence[Path], *, progress: Progress | None = None) -> tuple[Player, ...]:
    """Who played in runs, with their episodes of the mirror test.

    Args:
        runs: Folders of episodes.
        progress: Told how many episodes are read, and how many there are.

    Raises:
        EpisodeError: A folder holds no episodes of the mirror test, or one is not whole.
        RecordError: A file holds what it should not.
    """
    stores = [EpisodeStore.open(root) for root in runs]
    total = sum(len(store.episode_ids()) for store in stores)
    done = 0
    players: list[Player] = []
    for store in stores:
        by_player: dict[tuple[str, bool], list[PlayedEpisode]] = defaultdict(list)
        for episode_id in store.episode_ids():
            read = read_episode(store, episode_id)
            done += 1
            if progress is not None:
                progress(done, total)
            if read is not None:
                model = read.episode.model
                player = model or read.episode.agents[0].name
                by_player[player, model is not None].append(read)
        if not by_player:
            raise EpisodeError(store.root, "expected episodes of the mirror test, found none")
        run = store.run()
        told = run.provenance.parameters
        prompts = told.get("prompts")
        settings = {name: str(told[name]) for name in sorted(told) if name not in _TOLD_APART}
        players += [
            Player(
                name=run.name if len(by_player) == 1 else player,
                player=player,
                is_model=is_model,
                source=store.root,
                prompts=prompts if isinstance(prompts, str) else None,
                settings=settings,
                episodes=tuple(episodes),
            )
            for (player, is_model), episodes in sorted(by_player.items())
        ]
    return _named_apart(players)


def score_players(
    players: Sequence[Player], *, policy: MirrorPolicy | None = None, seed: int = 0
) -> MirrorScores:
    """Scores of players, those of aborted episodes in none of them.

    Args:
        players: Who played.
        policy: Numbers that decide.
        seed: Seed of the intervals; the same scenes are drawn for every player.
    """
    policy = policy or MirrorPolicy()
    scores = []
    for player in players:
        played = [
            Played(
                one.scene_id,
                one.details.setting,
                one.details.level,
                measure_episode(one.episode, one.steps, policy=policy),
            )
            for one in player.episodes
        ]
        scored = score_played(played, policy=policy, rng=np.random.default_rng(seed))
        scores.append(
            PlayerScores(
                name=player.name,
                player=player.player,
                is_model=player.is_model,
                source=str(player.source),
                tasks=tuple(sorted({one.episode.task for one in player.episodes})),
                prompts=player.prompts,
                settings=player.settings,
                rows=scored.rows,
                stability=scored.stability,
                drives=scored.drives,
            )
        )
    return MirrorScores(policy=policy, seed=seed, players=tuple(scores))


def read_episode(store: EpisodeStore, episode_id: str) -> PlayedEpisode | None:
    """An episode that is as it was written; None for one of another task."""
    episode = store.episode(episode_id)
    if not isinstance(episode.details, ReachDetails):
        return None
    steps = tuple(step for step in whole_steps(store, episode) if isinstance(step, MirrorStep))
    return PlayedEpisode(episode, episode.details, steps)


def _named_apart(players: Sequence[Player]) -> tuple[Player, ...]:
    """Players of the same name get that of their folder too, or a number."""
    counts = Counter(player.name for player in players)
    taken: set[str] = set()
    apart = []
    for player in players:
        name = player.name if counts[player.name] == 1 else f"{player.name} ({player.source.name})"
        number = 2
        while name in taken:
            name = f"{player.name} ({player.source.name}, {number})"
            number += 1
        taken.add(name)
        apart.append(replace(player, name=name))
    return tuple(apart)
