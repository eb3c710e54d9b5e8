from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mira.schema.episode import Episode, EpisodeAgent, EpisodeRun, ReachDetails
from mira.schema.record import Provenance
from mira.schema.step import MirrorStep
from mira.sim.reach.agents import AgentName
from mira.sim.reach.prompting.wording import packaged_wording
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.series import ReachSetup, play_script, reach_slots
from mira.store.episodes import EpisodeStore

PlayRun = Callable[..., Path]
MakeEpisode = Callable[..., tuple[Episode, tuple[MirrorStep, ...]]]


@pytest.fixture(scope="session")
def play_run(tmp_path_factory: pytest.TempPathFactory) -> PlayRun:
    """Plays a script and gives the folder of its run."""

    def play(name: AgentName, *, seed: int = 0, **which: Any) -> Path:
        setup = ReachSetup(name, None, ReachPolicy(), packaged_wording(), seed=seed)
        store = setup.open(tmp_path_factory.mktemp(name))
        play_script(
            store,
            reach_slots(**which),
            setup=setup,
            name=name,
            painter=None,
            progress=lambda done, total: None,
        )
        return store.root

    return play


@pytest.fixture(scope="session")
def make_episode() -> MakeEpisode:
    """Makes an episode whose hand is the given distances above the mark, a step after another."""

    def make(
        distances: Sequence[float],
        *,
        level: int = 0,
        mark: str = "dot",
        setting: str = "human",
        aborted: bool = False,
        player: str = "somebody",
        model: str | None = None,
    ) -> tuple[Episode, tuple[MirrorStep, ...]]:
        reached = distances[-1] <= 0.10001
        episode_id = f"{player}-{setting}-{mark}-{level}"
        count = len(distances) - 1
        steps = tuple(
            MirrorStep(
                episode_id=episode_id,
                step=step,
                action="down",
                legal=True,
                hand_world_m=(1.0, 0.0, 1.0 + distance),
                mark_world_m=(1.0, 0.0, 1.0),
                manhattan_m=distance,
                terminated=reached and step == count,
                truncated=not reached and not aborted and step == count,
            )
            for step, distance in enumerate(distances[1:], start=1)
        )
        episode = Episode(
            episode_id=episode_id,
            task="test/Reach-v1",
            seed=None,
            agents=(EpisodeAgent(role="agent", name=player),),
            model=model,
            num_steps=count,
            max_steps=20,
            success=None if aborted else reached,
            termination="aborted" if aborted else "success" if reached else "max_steps",
            details=ReachDetails(
                level=level,
                body="male_0",
                hand="bare",
                mark=mark,
                setting=setting,  # type: ignore[arg-type]
                threshold_m=0.10001,
                step_m=0.1,
                d0_m=distances[0],
                prompt="Go.",
            ),
        )
        return episode, steps

    return make


@pytest.fixture
def new_store(tmp_path: Path) -> EpisodeStore:
    run = EpisodeRun(name="a run", provenance=Provenance(tool="test", tool_version="1"))
    return EpisodeStore.create(tmp_path / "run", run)
